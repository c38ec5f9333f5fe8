import { getAtPointer, toReferenceToken } from "../../openapi/pointer.js";
import { isJson } from "../../openapi/route.js";
import { isObject } from "../../openapi/schema.js";
import type { Json } from "../../openapi/description.js";
import type { Exchange, ExchangeSource } from "../../types/exchange.js";
import {
  assertUniqueKeys,
  createLocator,
  innerSource,
  InputError,
  parseJson,
  type Source,
} from "./json.js";

/** Creates a function that returns the value at a pointer, or throws an InputError if the value has the wrong type. */
function createReader<T extends Json>(kind: string, isOf: (value: unknown) => boolean) {
  return (root: Json, pointer: string): T => {
    const value = getAtPointer(root, pointer);
    if (!isOf(value)) throw new InputError(`must be ${kind}`, pointer);
    return value as T;
  };
}

export const objectAt = createReader<{ [key: string]: Json }>("an object", isObject);
export const stringAt = createReader<string>(
  "a nonempty string",
  (value) => typeof value === "string" && value !== "",
);
export const statusAt = createReader<number>(
  "an HTTP status (an integer from 100 to 599)",
  (value) => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599,
);

/**
 * Reads headers from an object, or from an array of `{ name, value }` objects, as in a HAR.
 * @returns the headers, keyed by lowercase name, and their pointers, keyed by `header: <name>`
 */
export function headersAt(root: Json, pointer: string) {
  const given = getAtPointer(root, pointer) ?? {};
  if (typeof given !== "object") throw new InputError("must be an object or an array", pointer);
  const headers: Record<string, string> = {};
  const locations: Record<string, string> = {};
  for (const [key, each] of Object.entries(given)) {
    const isListed = Array.isArray(given);
    const name: unknown = isListed ? getAtPointer(each, "/name") : key;
    const value: unknown = isListed ? getAtPointer(each, "/value") : each;
    const texts: unknown[] = Array.isArray(value) ? value : [value];
    if (typeof name !== "string" || !texts.every((it) => ["string", "number"].includes(typeof it)))
      throw new InputError("has a header without a name or value", pointer);
    // Skips an HTTP/2 pseudo-header, such as `:status`.
    if (name.startsWith(":")) continue;
    const [lower, text] = [name.toLowerCase(), texts.join(", ")];
    // RFC 9110, section 5.3: repeated headers are joined with a comma.
    headers[lower] = Object.hasOwn(headers, lower) ? `${headers[lower]}, ${text}` : text;
    locations[`header: ${lower}`] = pointer + toReferenceToken(key) + (isListed ? "/value" : "");
  }
  return { headers, locations };
}

/** Returns the values of query parameters, keyed by name. The values of a repeated parameter are in an array. */
export function readQuery(query: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const [first = "", ...others] = query.getAll(name);
      return [name, others.length > 0 ? [first, ...others] : first];
    }),
  );
}

/**
 * The content of a body: parsed JSON, or text. A body has both if it is JSON, but its media type is not. An empty body
 * has neither.
 */
export type Content = Pick<Exchange["response"], "body" | "text">;

/** Parses a body. @throws {InputError} if the body is nested too deeply */
export function parseContent(text: string, contentType = ""): Content {
  if (text === "") return {};
  try {
    // Ignores a byte order mark, as `Response.json()` does.
    const body = parseJson(text.replace(/^\uFEFF/, ""));
    return contentType === "" || isJson({ name: contentType }) ? { body } : { body, text };
  } catch (error) {
    // An error with an offset is a syntax error, so the body is not JSON.
    if (error instanceof InputError && typeof error.location === "number") return { text };
    throw new InputError(`contains a body that ${(error as Error).message}`);
  }
}

/**
 * Reads the exchanges in a file with one exchange, or with several in a list named `exchanges`. A file stores a non-JSON
 * body, such as an HTML page, as `text`.
 * @throws {InputError} if the value contains no exchange, or an invalid one
 */
export function readRecordings(name: string, source: Source, raw: Json): Exchange[] {
  assertUniqueKeys(source.text, isInResponseBody);
  const list = getAtPointer(raw, "/exchanges");
  if (list === undefined) return [readRecording(name, source, raw)];
  if (!Array.isArray(list)) throw new InputError("must be an array", "/exchanges");
  return list.map((each: Json, index) => {
    const at = `/exchanges/${index}`;
    try {
      return readRecording(`${name}#${index + 1}`, innerSource(source, at), each);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(error.problem, at + error.location);
    }
  });
}

/** Checks whether a path is in a response body, which can repeat a key, because the gate reports what was sent. */
function isInResponseBody(path: readonly (string | number)[]): boolean {
  const [part, inner] = path[0] === "exchanges" ? path.slice(2) : path;
  return part === "response" && inner === "body";
}

/** Reads one exchange. @throws {InputError} if the exchange is invalid */
export function readRecording(name: string, source: Source, raw: Json): Exchange {
  if (["/request", "/response"].every((each) => getAtPointer(raw, each) === undefined))
    throw new InputError(
      "is not a HAR file or a recording (with `request` and `response`); leave out this file",
    );
  const hasRequest = getAtPointer(raw, "/request") !== undefined;
  const request = hasRequest ? objectAt(raw, "/request") : {};
  const response = objectAt(raw, "/response");
  const { headers, locations } = headersAt(raw, "/response/headers");
  const sent = headersAt(raw, "/request/headers").headers;
  for (const [part, { body, text }] of Object.entries({ request, response }))
    if (body !== undefined && text !== undefined)
      throw new InputError("has both `body` and `text`; keep one of them", `/${part}`);
  const hasSource = getAtPointer(raw, "/source") !== undefined;
  const hasOperation = getAtPointer(raw, "/operation") !== undefined;
  return {
    ...(hasOperation && { operation: stringAt(raw, "/operation") }),
    name,
    ...(hasSource && { source: objectAt(raw, "/source") as ExchangeSource }),
    request: {
      ...(hasRequest && readTarget(raw)),
      ...(Object.keys(sent).length > 0 && { headers: sent }),
      ...readBody(request, sent["content-type"]),
    },
    response: {
      ...(response["status"] !== undefined && { status: statusAt(raw, "/response/status") }),
      headers,
      ...(response["headers"] === undefined && { areHeadersUnrecorded: true }),
      ...readBody(response, headers["content-type"]),
    },
    locate: createLocator(source, {
      path: "/request/path",
      body: `/response/${typeof response["text"] === "string" ? "text" : "body"}`,
      "request body": `/request/${typeof request["text"] === "string" ? "text" : "body"}`,
      ...locations,
    }),
  };
}

/** Reads the method, the path, and the query, which can be a part of the path, or a list of names without values. */
function readTarget(raw: Json): Pick<Exchange["request"], "method" | "path" | "query"> {
  const method = stringAt(raw, "/request/method").toUpperCase();
  const target = stringAt(raw, "/request/path");
  const [path = ""] = target.split("?", 1);
  if (!path.startsWith("/")) throw new InputError("must start with /", "/request/path");
  const inPath = readQuery(new URLSearchParams(target.slice(path.length)));
  const query = getAtPointer(raw, "/request/query");
  if (query === undefined) return { method, path, query: inPath };
  const listed = Array.isArray(query) ? query : [];
  const names = listed.map((_, index) => [stringAt(raw, `/request/query/${index}`), undefined]);
  const values = Array.isArray(query) ? Object.fromEntries(names) : objectAt(raw, "/request/query");
  return { method, path, query: { ...inPath, ...values } };
}

function readBody(part: { [key: string]: Json }, contentType?: string) {
  const { body, text, isBodyUnrecorded } = part;
  return {
    ...(typeof text === "string" && parseContent(text, contentType)),
    ...(body !== undefined && { body }),
    ...(isBodyUnrecorded === true && { isBodyUnrecorded }),
  };
}
