import { getAtPointer, toReferenceToken } from "../../openapi/pointer.js";
import { isJson } from "../../openapi/route.js";
import { isObject } from "../../openapi/schema.js";
import type { Json } from "../../openapi/description.js";
import type { Exchange } from "../engine/types.js";
import { assertUniqueKeys, createLocator, InputError, parseJson, type Source } from "./json.js";

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
 * Converts a recording to an exchange. Recordings store a non-JSON body, such as an HTML page, as `text`.
 * @throws {InputError} if the value is not a recording
 */
export function readRecording(name: string, source: Source, raw: Json): Exchange {
  if (["/request", "/response"].every((each) => getAtPointer(raw, each) === undefined))
    throw new InputError(
      "is not a HAR file or a recording (with `request` and `response`); leave out this file",
    );
  const request = objectAt(raw, "/request");
  const response = objectAt(raw, "/response");
  const { headers, locations } = headersAt(raw, "/response/headers");
  const { "content-type": contentType } = headersAt(raw, "/request/headers").headers;
  const target = stringAt(raw, "/request/path");
  const [path = ""] = target.split("?", 1);
  if (!path.startsWith("/")) throw new InputError("must start with /", "/request/path");
  for (const [part, { body, text }] of Object.entries({ request, response }))
    if (body !== undefined && text !== undefined)
      throw new InputError("has both `body` and `text`; keep one of them", `/${part}`);
  const { body, text } = response;
  const isText = typeof text === "string";
  assertUniqueKeys(source.text, ([part, inner]) => part === "response" && inner === "body");
  return {
    ...(getAtPointer(raw, "/operation") !== undefined && {
      operation: stringAt(raw, "/operation"),
    }),
    name,
    ...(getAtPointer(raw, "/source") !== undefined && {
      source: getAtPointer(raw, "/source") as Json,
    }),
    request: {
      method: stringAt(raw, "/request/method").toUpperCase(),
      path,
      query:
        request.query === undefined
          ? readQuery(new URLSearchParams(target.slice(path.length)))
          : objectAt(raw, "/request/query"),
      ...(contentType !== undefined && { contentType }),
      ...(request.body !== undefined && { body: request.body }),
      ...(typeof request.text === "string" && parseContent(request.text, contentType)),
    },
    response: {
      status: statusAt(raw, "/response/status"),
      headers,
      ...(isText ? parseContent(text, headers["content-type"]) : body !== undefined && { body }),
    },
    locate: createLocator(source, {
      path: "/request/path",
      body: `/response/${isText ? "text" : "body"}`,
      "request body": `/request/${typeof request.text === "string" ? "text" : "body"}`,
      ...locations,
    }),
  };
}
