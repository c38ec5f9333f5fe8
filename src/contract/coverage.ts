import { DIMENSIONS, describedItems, schemaItems, type Note } from "./items.js";
import { isOf, mediaOf, responseFor } from "./operations.js";
import { routeOf } from "./route.js";
import type { Description, Exchange, Finding, Operation } from "./types.js";
import { walk } from "./walk.js";

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
  missing: { item: string; reason?: string }[];
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

interface Item {
  described: Set<string>;
  exercised: Set<string>;
}

/**
 * Measures what of a description is exercised. Only exchanges without a violation and without anything undeclared
 * count: others prove nothing.
 */
export function coverage(judged: Iterable<Judged>, description: Description): Coverage {
  const all = new Map<string, Map<string, Item>>(DIMENSIONS.map((name) => [name, new Map()]));
  describedItems(description, (dimension, item, operation) => {
    const items = all.get(dimension);
    const known = items?.get(item) ?? { described: new Set(), exercised: new Set() };
    known.described.add(operation);
    items?.set(item, known);
  });
  const note: Note = (dimension, item, operation) =>
    all.get(dimension)?.get(item)?.exercised.add(operation);
  for (const each of judged) {
    const { operation } = routeOf(each.exchange, description);
    if (operation && each.findings.every(({ verdict }) => verdict === "gap-observed"))
      exercise(each, operation, description, note);
  }
  return {
    dimensions: [...all].map(([name, items]) => dimensionOf(name, items, description)),
    operations: matrixOf(all),
  };
}

function exercise(
  { exchange, findings }: Judged,
  operation: Operation,
  description: Description,
  note: Note,
): void {
  const { id } = operation;
  const { status, headers, body } = exchange.response;
  note("operation", id, id);
  for (const { gap } of findings) if (gap !== undefined) note("gap", gap, id);
  const response = responseFor(operation, status);
  const media = response && mediaOf(response, exchange);
  if (response && !exchange.bodyOnly) {
    const name = `${id} ${response.status}`;
    note("status", name, id);
    const type = headers["content-type"];
    if (media && type !== undefined && isOf(media, type))
      note("media type", `${name} ${media.name}`, id);
    for (const header of response.headers)
      if (Object.hasOwn(headers, header.name)) note("header", `${name} ${header.name}`, id);
  }
  const bodies = [
    { schema: media?.schema, body },
    { schema: operation.body[0]?.schema, body: exchange.request.body },
  ];
  for (const { schema, body: whole } of bodies) {
    if (schema === undefined || whole === undefined) continue;
    walk({ description, schema, body: whole }, ({ parts, value }) => {
      for (const part of parts) {
        for (const { dimension, item, isIn } of schemaItems(description, part))
          if (isIn(value)) note(dimension, item, id);
      }
    });
  }
}

/** What nobody says why it is not exercised. */
export function unexplained({ missing }: Pick<Dimension, "missing">): Dimension["missing"] {
  return missing.filter(({ reason }) => reason === undefined);
}

function dimensionOf(name: string, items: Map<string, Item>, { config }: Description): Dimension {
  const reasons = new Map(Object.entries(config.coverage.reasons[name] ?? {}));
  const open = new Set([...items.keys()].filter((item) => items.get(item)?.exercised.size === 0));
  const covered = items.size - open.size;
  const missing = Array.from(open, (item): Dimension["missing"][number] => {
    const reason = reasons.get(item);
    return { item, ...(reason !== undefined && { reason }) };
  });
  // A reason that is needed no longer would hide the next loss.
  for (const item of reasons.keys())
    if (!open.has(item)) missing.push({ item: `${item}: its reason is stale, remove it` });
  const wanted = covered + unexplained({ missing }).length;
  const ratio = wanted === 0 ? 1 : covered / wanted;
  const threshold = config.coverage.thresholds[name] ?? 1;
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
