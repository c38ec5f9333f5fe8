import { DIMENSIONS, describedItems, schemaItems, type Note } from "./engine/items.js";
import { isOf, mediaOf, responseFor, usual } from "./engine/operations.js";
import { routeOf } from "./engine/route.js";
import type { Description, Exchange, Finding, Json, Operation } from "./engine/types.js";
import { walk } from "./engine/walk.js";

/** An exchange, and what was found in it. */
export interface Judged {
  /** What was judged. */
  exchange: Exchange;
  /** What `judge` gave for it. */
  findings: readonly Finding[];
}

/** How much of the description is exercised in one respect. */
export interface Dimension {
  /** Such as `status` or `union branch`. */
  name: string;
  /** Number of items that are exercised. */
  covered: number;
  /** Number of items that are described. */
  total: number;
  /** What is not exercised, with the reason of the configuration. */
  missing: { item: string; reason?: string | undefined }[];
  /** Share of the items without a reason that is exercised, from 0 to 1. */
  ratio: number;
  /** The share that the configuration wants. */
  threshold: number;
}

/** What exchanges that passed exercise of a description. */
export interface Coverage {
  /** Each respect in which a description can be exercised. */
  dimensions: Dimension[];
  /** Exercised and all items of an operation, by operationId and dimension. */
  operations: Record<string, Record<string, { covered: number; total: number }>>;
}

/** The operations that describe an item, and those that exercise it. */
type Item = Record<"described" | "exercised", Set<string>>;

/**
 * Measures what of a description is exercised. Only exchanges without a violation and without anything undeclared
 * count: others prove nothing.
 */
export function coverage(judged: Iterable<Judged>, description: Description): Coverage {
  const all = new Map<string, Map<string, Item>>(DIMENSIONS.map((name) => [name, new Map()]));
  describedItems(description, (dimension, item, operation) => {
    const known = all.get(dimension)?.get(item) ?? { described: new Set(), exercised: new Set() };
    all.get(dimension)?.set(item, known);
    known.described.add(operation);
  });
  const note: Note = (dimension, item, operation) =>
    all.get(dimension)?.get(item)?.exercised.add(operation);
  for (const each of judged) {
    const { operation } = routeOf(each.exchange, description);
    if (operation && each.findings.every(({ verdict }) => verdict === "gap-observed"))
      exercise(each, operation, description, note);
  }
  const dimensions = Array.from(all, ([name, items]) => dimensionOf(name, items, description));
  return { dimensions, operations: matrixOf(all) };
}

function exercise(
  { exchange, findings }: Judged,
  operation: Operation,
  description: Description,
  note: Note,
): void {
  const { id } = operation;
  const { status, headers } = exchange.response;
  note("operation", id, id);
  for (const { gap = "" } of findings) note("gap", gap, id);
  const response = responseFor(operation, status);
  const media = response && mediaOf(response, exchange);
  if (response && !exchange.bodyOnly) {
    const name = `${id} ${response.status}`;
    note("status", name, id);
    const type = headers["content-type"];
    if (media && type !== undefined && isOf(media, type))
      note("media type", `${name} ${media.name}`, id);
    for (const header of Object.keys(headers)) note("header", `${name} ${header}`, id);
  }
  const exerciseBody = (schema?: string, body?: Json) => {
    if (schema === undefined || body === undefined) return;
    walk({ description, schema, body }, ({ parts, value }) => {
      for (const part of parts) {
        for (const { dimension, item, isIn } of schemaItems(description, part))
          if (isIn(value)) note(dimension, item, id);
      }
    });
  };
  exerciseBody(media?.schema, exchange.response.body);
  exerciseBody(usual(operation.body)?.schema, exchange.request.body);
}

/** What nobody says why it is not exercised. */
export function unexplained({ missing }: Pick<Dimension, "missing">): Dimension["missing"] {
  return missing.filter(({ reason }) => reason === undefined);
}

function dimensionOf(name: string, items: Map<string, Item>, { config }: Description): Dimension {
  const { [name]: threshold = 1 } = config.coverage.thresholds;
  const reasons = new Map(Object.entries(config.coverage.reasons[name] ?? {}));
  const reasoned = (item: string) => ({ item, reason: reasons.get(item) });
  const open = new Set([...items.keys()].filter((item) => items.get(item)?.exercised.size === 0));
  const missing: Dimension["missing"] = [...open].map(reasoned);
  // A reason that is needed no longer would hide the next loss.
  for (const item of reasons.keys())
    if (!open.has(item)) missing.push({ item: `${item}: its reason is stale, remove it` });
  const covered = items.size - open.size;
  const wanted = covered + unexplained({ missing }).length;
  const ratio = wanted === 0 ? 1 : covered / wanted;
  return { name, covered, total: items.size, missing, ratio, threshold };
}

function matrixOf(all: Map<string, Map<string, Item>>): Coverage["operations"] {
  const matrix: Coverage["operations"] = {};
  for (const [name, items] of all) {
    for (const { described, exercised } of items.values()) {
      for (const operation of described) {
        if (operation === "") continue;
        const cell = ((matrix[operation] ??= {})[name] ??= { covered: 0, total: 0 });
        cell.total += 1;
        if (exercised.has(operation)) cell.covered += 1;
      }
    }
  }
  return matrix;
}
