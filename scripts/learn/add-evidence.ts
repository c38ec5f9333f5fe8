import { matchPath } from "../../src/openapi/route.js";
import type { Json } from "../../src/openapi/description.js";
import type { Evidence } from "./evidence.js";
import { formOf } from "./forms.js";
import { isPropertyName } from "./infer.js";
import { keyOf, type DocumentedOperation } from "./learn-operations.js";
import type { EvidenceFile } from "./read-evidence.js";
import { isMapKey, isName, DISCRIMINATOR } from "./shape.js";

type Files = Iterable<readonly [name: string, file: EvidenceFile]>;

/** The maximum number of entries to keep from a map. Only entries with different shapes are kept. */
const MAX_ENTRIES = 3;

/**
 * Adds exchanges to files of evidence, with placeholders instead of values.
 * @param operations all operations that an exchange can belong to
 * @param specified the keys, such as `GET /3/movie/latest`, of the operations whose exchanges are not added
 * @returns the changed files, by name, and the exchanges that were not added
 */
export function addEvidence(
  files: Files,
  evidence: readonly Evidence[],
  operations: readonly Pick<DocumentedOperation, "method" | "path">[],
  specified: ReadonlySet<string>,
): { changed: Map<string, EvidenceFile>; others: Evidence[] } {
  const known = new Map(files);
  const changed = new Map<string, EvidenceFile>();
  const others: Evidence[] = [];
  for (const each of evidence) {
    const { method, path } = each.exchange.request;
    const operation = matchPath(path, operations).find((one) => one.method === method);
    if (!operation || specified.has(keyOf(operation))) {
      others.push(each);
      continue;
    }
    const name = `${method}${operation.path.replaceAll("/", ".")}.json`;
    const file: EvidenceFile = changed.get(name) ??
      known.get(name) ?? { method, path: operation.path, exchanges: [] };
    const shown = new Set(file.exchanges.map((one) => JSON.stringify(one)));
    const added = JSON.stringify(toShape(each));
    if (shown.has(added)) continue;
    const exchanges = [...shown, added]
      .toSorted()
      .map((one) => JSON.parse(one) as EvidenceFile["exchanges"][number]);
    changed.set(name, { ...file, exchanges });
  }
  return { changed, others };
}

/** Formats a file of evidence, with one exchange per line. */
export function stringifyEvidence(file: EvidenceFile): string {
  const lines = Object.entries(file).map(([key, value]) => {
    const items = Array.isArray(value)
      ? `[\n    ${value.map((each) => JSON.stringify(each)).join(",\n    ")}\n  ]`
      : JSON.stringify(value);
    return `  ${JSON.stringify(key)}: ${items}`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

function toShape({ exchange: { request, response }, source, date }: Evidence) {
  const query = Object.keys(request.query ?? {})
    .filter(isPropertyName)
    .toSorted();
  return {
    status: response.status,
    statusRecorded: true,
    source,
    date,
    ...(query.length > 0 && { query }),
    body: withPlaceholders(response.body ?? null),
  };
}

/**
 * Replaces each value with a placeholder of the same type, unless the value is null or empty. Keeps one list item of
 * each shape.
 */
export function withPlaceholders(value: Json): Json {
  if (typeof value === "string") return value && (formOf(value)?.placeholder ?? "text");
  if (typeof value === "number") return Number.isInteger(value) ? 7 : 7.5;
  if (typeof value === "boolean") return true;
  if (value === null) return null;
  if (Array.isArray(value)) return distinct(value.map(withPlaceholders));
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const isMap = entries.length > 0 && entries.every(([key]) => isMapKey(key));
  if (isMap || !entries.every(([key]) => isName(key))) {
    const values = entries.map(([key, each]) => [key, withPlaceholders(each)] as const);
    const kept = distinct(values.map(([, each]) => each)).slice(0, MAX_ENTRIES);
    // Only country codes are kept as keys, because other keys might identify a person.
    const isSame = (each: Json) => (one: readonly [string, Json]) =>
      JSON.stringify(one[1]) === JSON.stringify(each);
    return Object.fromEntries(
      kept.map((each, index) => [isMap ? values.find(isSame(each))![0] : String(index), each]),
    );
  }
  const shapes = entries.map(([key, each]) => {
    // The value of a discriminator is kept, because the value selects a branch of a union.
    const isDiscriminator =
      key === DISCRIMINATOR && typeof each === "string" && isPropertyName(each);
    return [key, isDiscriminator ? each : withPlaceholders(each)] as const;
  });
  return Object.fromEntries(shapes);
}

function distinct(values: readonly Json[]): Json[] {
  return [...new Map(values.map((each) => [JSON.stringify(each), each])).values()];
}
