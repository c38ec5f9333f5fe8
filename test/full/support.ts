import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { editOverlay } from "../../scripts/overlay/edit-overlay.js";
import type { Evidence } from "../../scripts/learn/evidence.js";
import { learnFacts, type Limits } from "../../scripts/learn/learn-facts.js";
import { parseOverlay } from "../../scripts/overlay/overlay.js";
import { listOperations } from "../../src/openapi/document.js";
import { getAtPointer, lastKey, parentPointer } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/contract/index.js";
import { root } from "../support/paths.js";
import { specifiedOperations } from "../support/specification.js";
import { exampleResponses } from "../support/example-responses.js";

/** The OpenAPI description, reduced to the specified operations. */
export const catalogue = parse(readFileSync(join(root, "openapi/catalogue.yaml"), "utf8")) as Json;
const specified = new Set(specifiedOperations.map(({ pointer }) => pointer.slice(1)));
for (const { pointer } of listOperations(catalogue))
  if (!specified.has(pointer))
    Reflect.deleteProperty(
      getAtPointer(catalogue, parentPointer(pointer)) as object,
      lastKey(pointer),
    );

/** An overlay without actions. */
export const empty = `overlay: 1.1.0
info:
  title: Observed facts
  version: 1.0.0
  x-as-of: "2024-12"
actions: []
`;

/** Values that a response body can contain, but that must never be written to a file. */
export const SECRETS = [
  "eyJhbGciOiJIUzI1NiJ9.e30.abc",
  "Jane Doe",
  "jane@host.example",
  "0123456789abcdef",
];

interface Options {
  source?: string;
  date?: string;
  status?: number;
  query?: Record<string, Json>;
  /** The name of the example response to change, such as `cast-only`. */
  example?: string;
}

/**
 * Returns an example exchange as evidence, with changes to its body.
 * @param changes the new values, keyed by pointer; undefined removes a property
 */
export function seen(
  operation: string,
  changes: Record<string, Json | undefined> = {},
  { source = "a/b", date = "2026-01-02", status, query, example = "typical" }: Options = {},
): Evidence {
  const { request, response } = exampleResponses.find(
    ({ name }) => name === `${operation}/${example}`,
  )!;
  const body = structuredClone(response.body) as Json;
  for (const [pointer, value] of Object.entries(changes)) {
    const holder = getAtPointer(body, parentPointer(pointer)) as Record<string, Json>;
    if (value === undefined) Reflect.deleteProperty(holder, lastKey(pointer));
    else if (pointer !== "") holder[lastKey(pointer)] = value;
  }
  const name = `${operation} of ${source}`;
  return {
    source,
    date,
    exchange: {
      name,
      request: { ...request, query: query ?? {} } as Evidence["exchange"]["request"],
      response: { ...response, status: status ?? response.status, body: changes[""] ?? body },
      locate: (location) => ({ file: `${name}${location}`, line: 1, column: 1 }),
    },
  };
}

/** Learns facts from evidence, and adds them to the text of an overlay. */
export function observing(
  evidence: readonly Evidence[],
  text = empty,
  limits: Partial<Limits> = {},
) {
  const overlaid = parseOverlay(text, "overlay", catalogue);
  const found = learnFacts(evidence, catalogue, overlaid, {
    minSources: 2,
    minRequired: 3,
    ...limits,
  });
  const edited = editOverlay(text, found.actions, found.seenAgain);
  const { document, actions, asOf } = parseOverlay(edited, "overlay", catalogue);
  return {
    ...found,
    overlay: { actions, asOf },
    text: edited,
    /** The sentences that state the added facts. */
    facts: [...new Set(found.actions.map((each) => each["x-observed"].fact))],
    listed: found.undecided.map(({ subject, reason }) => `${subject} ${reason}`),
    /** Returns the value at a pointer below `#/components/schemas`. */
    schema: (pointer: string) => getAtPointer(document, `/components/schemas/${pointer}`),
    document,
  };
}
