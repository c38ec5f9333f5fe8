import { createRedactor, type Redact } from "../../client/redact.js";
import { parseUrl } from "../../client/text.js";
import { isPlainIdentifier } from "./format-value.js";
import { walkPointers } from "../../openapi/document.js";
import { lastKey, parentPointer } from "../../openapi/pointer.js";
import { decodeSegment, selectMediaType } from "../../openapi/route.js";
import { isFreeForm } from "../../openapi/schema.js";
import { marksAnything, walkValues, type Subject } from "../../openapi/walk-values.js";
import type { SchemaHolder, Description, Json, Operation } from "../../openapi/description.js";
import type { Exchange } from "../../types/exchange.js";

/** A request and its response. */
type Bodies = Pick<Exchange, "request" | "response">;

/** Finds the values of an exchange that the description marks as sensitive. */
export function findSensitiveValues(
  { request, response }: Bodies,
  operation: Operation,
  description: Description,
): string[] {
  const inPath = (request.path ?? "")
    .split("/")
    .flatMap((segment, index) =>
      isSensitiveSegment(operation, index) ? decodeSegment(segment) : [],
    );
  const inQuery = Object.entries(request.query ?? {}).flatMap(([name, value]) =>
    findParameter({ operation, description }, name)?.isSensitive ? [value ?? []].flat() : [],
  );
  const inHeaders = operation.responses.flatMap(({ headers }) =>
    headers.flatMap(({ name, isSensitive }) => (isSensitive ? (response.headers[name] ?? []) : [])),
  );
  const { sent, received } = listSubjects({ request, response }, operation, description);
  const marked = [...sent, ...received].filter(({ schema }) =>
    marksAnything(description.document, schema),
  );
  const inBodies = marked.flatMap((subject) => {
    const found: unknown[] = [];
    for (const { value, isSensitive } of walkValues(subject))
      if (isSensitive && /^(string|number)$/.test(typeof value)) found.push(value);
    return found;
  });
  return [inPath, inQuery, inHeaders, inBodies].flat().flatMap((each) => listForms(String(each)));
}

/**
 * Pairs the request body and the response body with their schemas. The response body is paired with the schemas of all
 * documented responses, because an error can be sent with a 2xx status.
 */
export function listSubjects(
  { request, response }: Bodies,
  operation: Operation,
  description: Description,
): { sent: Subject[]; received: Subject[] } {
  const pair = (body: Json | undefined, media: readonly (SchemaHolder | undefined)[]) => {
    const schemas = new Set(media.flatMap((each) => each?.schema ?? []));
    return body === undefined ? [] : [...schemas].map((schema) => ({ description, schema, body }));
  };
  const { requestContent: content, responses } = operation;
  const sent = selectMediaType({ content }, request.headers ?? {});
  const received = responses.map((each) => selectMediaType(each, response.headers));
  return {
    sent: pair(request.body ?? request.text, [sent]),
    received: pair(response.body ?? response.text, received),
  };
}

/** Checks whether a segment of a path is a parameter that the description marks as sensitive. */
export function isSensitiveSegment({ path, parameters }: Operation, index: number): boolean {
  const template = path.split("/")[index];
  return parameters.some(
    ({ name, in: location, isSensitive }) =>
      isSensitive && location === "path" && `{${name}}` === template,
  );
}

/**
 * Finds the documented query parameter for a name: the one with this name or, failing that, a free-form object.
 */
export function findParameter(
  { operation, description }: { operation: Operation; description: Description },
  name: string,
): SchemaHolder | undefined {
  const inQuery = operation.parameters.filter((each) => each.in === "query");
  const named = inQuery.find((each) => each.name === name);
  return named ?? inQuery.find((each) => isFreeForm(description.document, each));
}

/**
 * Creates a function that redacts the sensitive values in property names. A word such as `original`, which can be a user
 * name, is also a part of declared names such as `original_title`, so the word stays in every name. Otherwise, the
 * location of a finding would be hidden, and accepted entries would no longer match.
 * @param declared the names from {@link listDeclaredNames}
 */
export function createNameRedactor(
  secrets: ReadonlySet<string>,
  declared: ReadonlySet<string>,
): Redact {
  const names = [...declared];
  const isShared = (word: string) => names.some((name) => name.includes(word));
  return createRedactor(
    [...secrets].filter((each) => !(isPlainIdentifier(each) && isShared(each))),
  );
}

/** Returns all property names that a description declares, if a sensitive value is a word, which could be one of them. */
export function listDeclaredNames(
  secrets: ReadonlySet<string>,
  { document }: Pick<Description, "document">,
): ReadonlySet<string> {
  const names = new Set<string>();
  if (![...secrets].some(isPlainIdentifier)) return names;
  for (const pointer of walkPointers(document))
    if (lastKey(parentPointer(pointer)) === "properties") names.add(lastKey(pointer));
  return names;
}

/**
 * Lists the strings to redact for a sensitive value: the value itself and, for a URL, each path segment and query value
 * that is not a plain identifier.
 */
function listForms(value: string): string[] {
  const url = /^https?:/i.test(value) ? parseUrl(value) : undefined;
  if (!url) return [value];
  const { pathname, searchParams } = url;
  const parts = [...pathname.split("/").map(decodeSegment), ...searchParams.values()];
  return [value, ...parts.filter((each) => !isPlainIdentifier(each))];
}
