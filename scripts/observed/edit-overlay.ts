import { isDeepStrictEqual } from "node:util";
import { Document, isMap, isScalar, isSeq, parse, parseDocument, type Node } from "yaml";
import { DescriptionError } from "../generate/description.js";
import type { Action, Observed, Overlay } from "./overlay.js";

/**
 * Edits the text of an overlay in place. All other lines, and all comments, stay as they are.
 * @param added actions to append
 * @param renewed the new provenance of some facts, by their text
 * @throws {DescriptionError} the form of the text does not allow it
 */
export function editOverlay(
  text: string,
  added: readonly Action[],
  renewed: ReadonlyMap<string, Observed>,
): string {
  const tree = parseDocument(text);
  const before = tree.toJS() as Overlay;
  const splices: { from: number; to: number; text: string }[] = [];
  const replace = (node: unknown, value: unknown) => {
    const [from, to] = (node as Node).range!;
    if (!isScalar(node) || node.value === value) return;
    splices.push({ from, to, text: JSON.stringify(value) });
  };
  const insertBefore = (node: unknown, items: string[], isFlow = false) => {
    const [from] = (node as Node).range!;
    const indent = text.slice(text.lastIndexOf("\n", from - 1) + 1, from);
    const own = items.map((each) => each + (isFlow ? ", " : `\n${indent}`));
    splices.push({ from, to: from, text: own.join("") });
  };

  const actions = tree.get("actions", true);
  for (const action of isSeq(actions) ? actions.items : []) {
    // An alias is edited where its anchor is.
    const observed = isMap(action) ? action.get("x-observed", true) : undefined;
    const now = isMap(observed) ? renewed.get(String(observed.get("fact"))) : undefined;
    if (!isMap(observed) || !now) continue;
    const sources = observed.get("sources", true);
    const isNew = (each: string) =>
      isSeq(sources) && !(sources.toJS(tree) as string[]).includes(each);
    const others = now.sources.filter(isNew).map((each) => JSON.stringify(each));
    if (isSeq(sources) && others.length > 0) insertBefore(sources.items[0], others, sources.flow);
    for (const name of ["first", "seen", "exchanges"] as const) {
      if (observed.has(name)) replace(observed.get(name, true), now[name]);
    }
    const seen = observed.items.find(({ key }) => isScalar(key) && key.value === "seen");
    if (!observed.has("exchanges"))
      insertBefore(seen?.key, [`exchanges: ${now.exchanges}`], observed.flow);
  }

  const provenance = [...added.map((each) => each["x-observed"]), ...renewed.values()];
  const months = provenance.map(({ seen }) => seen.slice(0, "2026-01".length));
  const asOf = [before.info["x-as-of"], ...months].toSorted().at(-1)!;
  replace(tree.getIn(["info", "x-as-of"], true), asOf);

  if (added.length > 0) {
    const [from, to] = (actions as Node).range!;
    const isList = isSeq(actions) && actions.items.length > 0;
    const indent = isList ? text.slice(text.lastIndexOf("\n", from - 1) + 1, from) : "  ";
    // An empty list is replaced, together with the space before it.
    const start = isList ? to : text.slice(0, from).trimEnd().length;
    const own = yamlOf(added, tree, indent);
    const isOpen = !isList || text[to - 1] !== "\n";
    const end = isList || text[to] !== "\n" ? own : own.trimEnd();
    splices.push({ from: start, to, text: (isOpen ? "\n" : "") + end });
  }
  const edited = splices
    .toSorted((a, b) => b.from - a.from)
    .reduce((rest, { from, to, text: own }) => rest.slice(0, from) + own + rest.slice(to), text);
  const expected = {
    ...before,
    info: { ...before.info, "x-as-of": asOf },
    actions: [
      ...(before.actions ?? []).map((each) => ({
        ...each,
        "x-observed": renewed.get(each["x-observed"].fact) ?? each["x-observed"],
      })),
      ...added,
    ],
  };
  if (isDeepStrictEqual(parse(edited), expected)) return edited;
  throw new DescriptionError(
    "the overlay cannot be edited in place; write out what its aliases stand for",
  );
}

/** Actions as items of a list. Those of one fact share their provenance by an anchor. */
function yamlOf(actions: readonly Action[], tree: Document, indent: string): string {
  const document = new Document();
  document.contents = tree.createNode(actions, { anchorPrefix: "fact" });
  return document
    .toString({ lineWidth: 0 })
    .replaceAll(/^( +(?:first|seen): )([\d-]+)$/gm, '$1"$2"')
    .replaceAll(/^(?=.)/gm, indent);
}
