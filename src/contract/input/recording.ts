import { at, step } from "../engine/pointer.js";
import { isObject } from "../engine/schema.js";
import type { Exchange, Json } from "../engine/types.js";
import { DepthError, InputError, locator, readJson, stringSource, type Source } from "./json.js";

/** Creates a function that returns the value at a pointer, or throws an InputError. */
function reader<T extends Json>(kind: string, isOf: (value: unknown) => boolean) {
  return (root: Json, pointer: string): T => {
    const value = at(root, pointer);
    if (!isOf(value)) throw new InputError(`must be ${kind}`, pointer);
    return value as T;
  };
}

export const objectAt = reader<{ [key: string]: Json }>("an object", isObject);
export const textAt = reader<string>(
  "a non-empty string",
  (value) => typeof value === "string" && value !== "",
);
export const integerAt = reader<number>("an integer", Number.isInteger);
export const statusAt = reader<number>(
  "an HTTP status, an integer from 100 to 599",
  (value) => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599,
);

/**
 * Reads headers from an object, or from a list of `{ name, value }` as in a HAR.
 * @returns the headers by lowercase name, and their pointers by `header: <name>`
 */
export function headersAt(root: Json, pointer: string) {
  const given = at(root, pointer) ?? {};
  if (typeof given !== "object") throw new InputError("must be an object or a list", pointer);
  const headers = new Map<string, string>();
  const places: Record<string, string> = {};
  for (const [key, each] of Object.entries(given)) {
    const isListed = Array.isArray(given);
    const name: unknown = isListed ? at(each, "/name") : key;
    const value: unknown = isListed ? at(each, "/value") : each;
    const text: unknown = Array.isArray(value) ? value.join(", ") : value;
    if (typeof name !== "string" || (typeof text !== "string" && typeof text !== "number")) {
      throw new InputError("has a header without a name or value", pointer);
    }
    // An HTTP/2 pseudo-header, such as `:status`.
    if (name.startsWith(":")) continue;
    const lower = name.toLowerCase();
    // RFC 9110, section 5.3: repeated headers are joined with a comma.
    headers.set(lower, headers.has(lower) ? `${headers.get(lower)}, ${text}` : `${text}`);
    places[`header: ${lower}`] = pointer + step(key) + (isListed ? "/value" : "");
  }
  return { headers: Object.fromEntries(headers), places };
}

/** A body: parsed JSON, text if it is not JSON, or neither if it is empty. */
export interface Content {
  kept: { body?: Json; text?: string };
  /** Pointers to members with a repeated key. */
  repeated?: string[];
  /** The text that was parsed. */
  json?: string;
}

/** Parses a body. @throws {InputError} it is nested too deeply to be checked */
export function contentOf(text: string): Content {
  if (text === "") return { kept: {} };
  // `Response.json()` also ignores the byte order mark; replacing it with a space preserves the offsets.
  const json = text.replace(/^\uFEFF/, " ");
  try {
    const { value, repeated } = readJson(json);
    return { kept: { body: value }, repeated, json };
  } catch (error) {
    if (error instanceof DepthError) throw new InputError(`contains a body that ${error.message}`);
    return { kept: { text } };
  }
}

/** Parses a request body. A repeated key is ambiguous. @throws {InputError} */
export function sentContentOf(text: string, pointer: string): Content["kept"] {
  const { kept, repeated = [] } = contentOf(text);
  if (repeated.length > 0) throw new InputError("repeats a key in the same object", pointer);
  return kept;
}

/**
 * Converts a recording to an exchange. Recordings store a non-JSON body, such as an HTML page, as `text`.
 * @throws {InputError} it is not a recording
 */
export function readRecording(
  name: string,
  source: Source,
  { value: raw, repeated }: { value: Json; repeated: string[] },
): Exchange {
  if (["/request", "/response"].every((each) => at(raw, each) === undefined))
    throw new InputError("is neither a recording (with request and response) nor a HAR");
  const request = objectAt(raw, "/request");
  const response = objectAt(raw, "/response");
  const { headers, places } = headersAt(raw, "/response/headers");
  const [path = "", search] = textAt(raw, "/request/path").split("?", 2);
  if (!path.startsWith("/")) throw new InputError("must start with /", "/request/path");
  for (const [part, { body, text }] of Object.entries({ request, response }))
    if (body !== undefined && text !== undefined)
      throw new InputError("has both a body and a text; keep one of them", `/${part}`);
  const { body, text } = response;
  const isText = typeof text === "string";
  const place = isText ? "/response/text" : "/response/body";
  const inBody = repeated.filter((each) => each.startsWith(`${place}/`));
  refuseRepeated(repeated.filter((each) => !inBody.includes(each)));
  const content: Content = isText
    ? contentOf(text)
    : {
        kept: body === undefined ? {} : { body },
        repeated: inBody.map((each) => each.slice(place.length)),
      };
  const { kept, json, repeated: twice = [] } = content;
  const inner = json === undefined ? undefined : stringSource(source, place, json);
  return {
    ...(at(raw, "/operation") !== undefined && { operation: textAt(raw, "/operation") }),
    name,
    request: {
      method: textAt(raw, "/request/method").toUpperCase(),
      path,
      query:
        request.query === undefined
          ? Object.fromEntries(new URLSearchParams(search))
          : objectAt(raw, "/request/query"),
      ...(request.body !== undefined && { body: request.body }),
      ...(typeof request.text === "string" && sentContentOf(request.text, "/request/text")),
    },
    response: { status: statusAt(raw, "/response/status"), headers, ...kept, repeated: twice },
    locate: locator(source, { path: "/request/path", body: place, ...places }, inner),
  };
}

/** Refuses a repeated key outside the recorded body, because it is ambiguous. @throws {InputError} */
export function refuseRepeated([first]: readonly string[]): void {
  if (first !== undefined) throw new InputError("occurs twice in the same object", first);
}
