import { isMap, isSeq, parseDocument, Scalar, YAMLSeq, type YAMLMap } from "yaml";
import { DescriptionError } from "../shared/description-error.js";
import type { Action, FactProvenance } from "./overlay.js";

const DATES = ["first", "seen"] as const;
const ALIAS =
  "write the sources of each fact in full instead of a YAML alias, and run npm run format";

/**
 * Edits the text of an overlay. Keeps comments, but not the layout.
 * @param added actions to append
 * @param renewed the new provenance of facts, keyed by the text of the fact
 * @throws {DescriptionError} if several facts share their sources through a YAML alias
 */
export function editOverlay(
  text: string,
  added: readonly Action[],
  renewed: ReadonlyMap<string, FactProvenance>,
): string {
  if (added.length === 0 && renewed.size === 0) return text;
  const tree = parseDocument(text);
  const provenance = [...added.map((each) => each["x-observed"]), ...renewed.values()];
  const months = provenance.map(({ seen }) => seen.slice(0, "2026-01".length));
  const asOf = String(tree.getIn(["info", "x-as-of"]));
  setDate(tree.get("info") as YAMLMap, "x-as-of", [asOf, ...months].toSorted().at(-1)!);
  if (!isSeq(tree.get("actions"))) tree.set("actions", new YAMLSeq());
  const actions = tree.get("actions") as YAMLSeq;
  for (const action of actions.items) {
    // A YAML alias needs no edit, because it refers to a node that is edited.
    const observed = isMap(action) ? action.get("x-observed", true) : undefined;
    if (!isMap(observed)) continue;
    const sources = observed.get("sources", true) as unknown;
    if (!isSeq(sources)) throw new DescriptionError(`the overlay cannot be edited; ${ALIAS}`);
    const now = renewed.get(String(observed.get("fact")));
    if (now) updateProvenance(observed, sources, now);
  }
  if (added.length > 0) actions.flow = false;
  // Actions for the same fact share the provenance through a YAML alias.
  const nodes = tree.createNode(added, { anchorPrefix: "fact" }) as unknown as YAMLSeq<YAMLMap>;
  for (const action of nodes.items) {
    const observed = action.get("x-observed", true) as unknown;
    for (const key of isMap(observed) ? DATES : [])
      setDate(observed as YAMLMap, key, String((observed as YAMLMap).get(key)));
    actions.add(action);
  }
  return tree.toString({ lineWidth: 0 });
}

function updateProvenance(observed: YAMLMap, sources: YAMLSeq, now: FactProvenance): void {
  const more = now.sources.slice(0, now.sources.length - sources.items.length);
  sources.items.unshift(...more.map((each) => new Scalar(each)));
  if (now.exchanges !== undefined) observed.set("exchanges", now.exchanges);
  for (const key of DATES) setDate(observed, key, now[key]);
}

/**
 * Writes a date in quotes, because YAML 1.1 would read an unquoted date as a timestamp or a number. Keeps the comment
 * next to the date.
 */
function setDate(map: YAMLMap, key: string, date: string): void {
  map.set(key, date);
  (map.get(key, true) as Scalar).type = "QUOTE_DOUBLE";
}
