import { listOperations } from "../../src/openapi/document.js";
import { selectMediaType, selectResponse } from "../../src/openapi/route.js";
import { findRoute } from "../../src/contract/engine/find-operation.js";
import type { Exchange } from "../../src/contract/engine/types.js";
import type { Description, Json } from "../../src/openapi/description.js";
import { templateOf, type EvidenceFile, type RecordedBody } from "./evidence-files.js";
import { withPlaceholders } from "./placeholders.js";

/** An exchange with its source and date. */
export interface Recorded {
  exchange: Exchange;
  source: string;
  date: string;
}

/** The evidence that was added. */
export interface Added {
  /** The changed and new files, by name. */
  changed: Map<string, EvidenceFile>;
  /** For each changed file, the number of added bodies. */
  counts: Map<string, number>;
  /** The number of bodies that the files already contain. */
  known: number;
  /** The exchanges whose operation the description does not have. */
  unknown: Exchange[];
}

/**
 * Adds recorded responses to files of evidence, with placeholders for all values.
 * @param specified the specification's description, whose operations have files that are named after the operationId
 */
export function addEvidence(
  files: Iterable<readonly [name: string, file: EvidenceFile]>,
  recorded: readonly Recorded[],
  description: Description,
  specified: Json,
): Added {
  const ids = new Map(listOperations(specified).map((each) => [templateOf(each), each.id]));
  const names = new Map<string, string>();
  const all = new Map(files);
  for (const [name, { method, path }] of all)
    if (method !== undefined && path !== undefined) names.set(templateOf({ method, path }), name);
  const added: Added = { changed: new Map(), counts: new Map(), known: 0, unknown: [] };
  for (const { exchange, source, date } of recorded) {
    const { operation, isMatched } = findRoute(exchange, description);
    if (!operation || !isMatched) {
      added.unknown.push(exchange);
      continue;
    }
    const { method, path } = operation;
    const template = templateOf(operation);
    const id = ids.get(template);
    const name = names.get(template) ?? `${id ?? `${method}${path.replaceAll("/", ".")}`}.json`;
    const { status, headers, body = null } = exchange.response;
    const response = selectResponse(operation, status);
    const { schema = "" } = (response && selectMediaType(response, headers)) ?? {};
    const query = Object.keys(exchange.request.query ?? {}).toSorted();
    const shape: RecordedBody = {
      status,
      statusRecorded: true,
      source,
      date,
      ...(query.length > 0 && { query }),
      body: withPlaceholders({ description, schema, body }),
    };
    const file = all.get(name) ?? { ...(id && { operation: id }), method, path, exchanges: [] };
    if (file.exchanges.some((each) => isSame(each, shape))) {
      added.known++;
      continue;
    }
    const changed = { ...file, exchanges: [...file.exchanges, shape] };
    for (const map of [all, added.changed]) map.set(name, changed);
    added.counts.set(name, (added.counts.get(name) ?? 0) + 1);
  }
  return added;
}

/** Returns whether two bodies are the same evidence: the same response from the same source, whatever the date. */
function isSame(one: RecordedBody, other: RecordedBody): boolean {
  const [a, b] = [one, other].map((each) => JSON.stringify({ ...each, date: undefined }));
  return a === b;
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
