import { selectDocumented } from "../../src/contract/engine/check-response.js";
import { findRoute } from "../../src/contract/engine/find-operation.js";
import { listOperations } from "../../src/openapi/document.js";
import { selectMediaType } from "../../src/openapi/route.js";
import type { Description, Json } from "../../src/openapi/description.js";
import type { Exchange } from "../../src/types/exchange.js";
import { EVIDENCE, isCurrent, OLDER_EVIDENCE, templateOf } from "./evidence-files.js";
import { withPlaceholders } from "./placeholders.js";

/** A file with evidence, as it is written. */
export interface EvidenceFile {
  exchanges: Omit<Exchange, "name" | "locate">[];
}

/** The evidence that was added. */
export interface Added {
  /** The changed and new files, by path. */
  changed: Map<string, EvidenceFile>;
  /** For each changed file, the number of added exchanges. */
  counts: Map<string, number>;
  /** The number of exchanges that the files already contain. */
  known: number;
  /** The exchanges whose operation the description does not have. */
  unknown: Exchange[];
}

/**
 * Adds recorded responses to files of evidence, with placeholders for all values.
 * @param specified the specification's description, whose operations have files that are named after the operationId
 */
export function addEvidence(
  files: Iterable<readonly [path: string, file: EvidenceFile]>,
  recorded: readonly Exchange[],
  description: Description,
  specified: Json,
): Added {
  const ids = new Map(listOperations(specified).map((each) => [templateOf(each), each.id]));
  const all = new Map(files);
  const added: Added = { changed: new Map(), counts: new Map(), known: 0, unknown: [] };
  for (const exchange of recorded) {
    const { operation } = findRoute(exchange, description);
    if (!operation) {
      added.unknown.push(exchange);
      continue;
    }
    const { method, path, requestContent } = operation;
    const template = templateOf(operation);
    const own = ids.get(template) ?? `${method}${path.replaceAll("/", ".")}`;
    const name = `${isCurrent(exchange) ? EVIDENCE : OLDER_EVIDENCE}/${own}.json`;
    const { status, headers, body = null } = exchange.response;
    const response = selectDocumented(exchange, operation, description);
    const { schema = "" } = (response && selectMediaType(response, headers)) ?? {};
    const query = Object.keys(exchange.request.query ?? {}).toSorted();
    // The file contains only what is known without values: the path template, and the names of query parameters.
    const shape = {
      source: { kind: "recording", ...exchange.source, values: "placeholders" },
      request: {
        method,
        path,
        ...(query.length > 0 && { query }),
        ...(requestContent.length > 0 && { isBodyUnrecorded: true }),
      },
      response: { status, body: withPlaceholders({ description, schema, body }) },
    } as unknown as EvidenceFile["exchanges"][0];
    const file = all.get(name) ?? { exchanges: [] };
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

/** Returns whether two exchanges are the same evidence: the same response from the same source, whatever the date. */
function isSame(one: Partial<Exchange>, other: Partial<Exchange>): boolean {
  const [a, b] = [one, other].map((each) =>
    JSON.stringify({ ...each, source: { ...each.source, date: undefined } }),
  );
  return a === b;
}

/** Formats a file of evidence, with one exchange per line. */
export function stringifyEvidence(file: EvidenceFile): string {
  const lines = Object.entries(file).map(([key, value]) => {
    const items = (value as unknown[]).map((each) => `    ${JSON.stringify(each)}`);
    return `  ${JSON.stringify(key)}: [\n${items.join(",\n")}\n  ]`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}
