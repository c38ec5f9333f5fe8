import { isDeepStrictEqual } from "node:util";
import { Document, isMap, isScalar, isSeq, parse, parseDocument, stringify } from "yaml";
import type { Node, YAMLMap } from "yaml";
import { DescriptionError } from "../generate/description-error.js";
import type { Action, FactProvenance, Overlay } from "./overlay.js";

/** Replaces part of the text, or inserts if both offsets are the same. */
interface Splice {
  from: number;
  to: number;
  text: string;
}

/**
 * Edits the text of an overlay. Leaves every other line, and every comment, unchanged.
 * @param added actions to append
 * @param renewed the new provenance of some facts, by their text
 * @throws {DescriptionError} the text has a form that cannot be edited in place
 */
export function editOverlay(
  text: string,
  added: readonly Action[],
  renewed: ReadonlyMap<string, FactProvenance>,
): string {
  const tree = parseDocument(text);
  const before = tree.toJS() as Partial<Overlay> & Pick<Overlay, "info">;
  const actions = tree.get("actions", true) as Node;
  const provenance = [...added.map((each) => each["x-observed"]), ...renewed.values()];
  const months = provenance.map(({ seen }) => seen.slice(0, "2026-01".length));
  const asOf = [before.info["x-as-of"], ...months].toSorted().at(-1)!;
  const splices = [
    ...replaceScalar(tree.getIn(["info", "x-as-of"], true), asOf),
    ...(isSeq(actions) ? actions.items : []).flatMap((action) => {
      // An alias is edited where its anchor is.
      const observed = isMap(action) ? action.get("x-observed", true) : undefined;
      const now = isMap(observed) ? renewed.get(String(observed.get("fact"))) : undefined;
      return isMap(observed) && now ? updateProvenance(text, observed, now) : [];
    }),
    ...(added.length > 0
      ? [appendItems(text, actions, (indent) => stringifyActions(added, tree, indent))]
      : []),
  ];
  const edited = splices
    .toSorted((a, b) => b.from - a.from)
    .reduce((rest, { from, to, text: own }) => rest.slice(0, from) + own + rest.slice(to), text);

  const old = (before.actions ?? []).map((each) => {
    const { "x-observed": observed, ...others } = each;
    return { ...others, "x-observed": renewed.get(observed.fact) ?? observed };
  });
  const info = { ...before.info, "x-as-of": asOf };
  if (isDeepStrictEqual(parse(edited), { ...before, info, actions: [...old, ...added] }))
    return edited;
  const fix = "write out the sources that facts share by an alias, and run npm run format";
  throw new DescriptionError(`the overlay cannot be edited in place; ${fix}`);
}

function replaceScalar(node: unknown, value: unknown): Splice[] {
  if (!isScalar(node) || node.value === value) return [];
  const [from, to] = node.range!;
  return [{ from, to, text: JSON.stringify(value) }];
}

/** Inserts items before another one, with the layout that it has in its list or map. */
function insertItems(text: string, node: unknown, items: string[], isFlow = false): Splice[] {
  const [from] = (node as Node).range!;
  const own = items.map((each) => each + (isFlow ? ", " : `\n${readLineStart(text, from)}`));
  return [{ from, to: from, text: own.join("") }];
}

function updateProvenance(text: string, observed: YAMLMap, now: FactProvenance): Splice[] {
  const sources = observed.get("sources", true);
  if (!isSeq(sources)) return [];
  const added = now.sources.slice(0, now.sources.length - sources.items.length);
  const items = added.map((each) => (sources.flow ? JSON.stringify(each) : stringifyLine(each)));
  const first = observed.items.find(({ key }) => isScalar(key) && key.value === "first");
  const exchanges = [`exchanges: ${now.exchanges}`];
  return [
    ...insertItems(text, sources.items[0], items, sources.flow),
    ...replaceScalar(observed.get("first", true), now.first),
    ...replaceScalar(observed.get("seen", true), now.seen),
    ...replaceScalar(observed.get("exchanges", true), now.exchanges),
    ...(observed.has("exchanges") ? [] : insertItems(text, first?.key, exchanges, observed.flow)),
  ];
}

/** Appends items to a list. Replaces an empty list, together with the space before it. */
function appendItems(text: string, list: Node, itemsFor: (indent: string) => string): Splice {
  const [from, to] = list.range!;
  if (isSeq(list) && list.items.length > 0) {
    const start = text[to - 1] === "\n" ? "" : "\n";
    return { from: to, to, text: start + itemsFor(readLineStart(text, from)) };
  }
  const items = itemsFor("  ");
  const own = text[to] === "\n" ? items.trimEnd() : items;
  return { from: text.slice(0, from).trimEnd().length, to, text: `\n${own}` };
}

/** Actions as list items. Actions for the same fact share its provenance through an alias. */
function stringifyActions(actions: readonly Action[], tree: Document, indent: string): string {
  const document = new Document();
  document.contents = tree.createNode(actions, { anchorPrefix: "fact" });
  return document
    .toString({ lineWidth: 0 })
    .replaceAll(/^( +(?:first|seen): )([\d-]+)$/gm, '$1"$2"')
    .replaceAll(/^(?=.)/gm, indent);
}

function stringifyLine(value: string): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

/** The text of a line before an offset. */
function readLineStart(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}
