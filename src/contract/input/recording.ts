import { at, step } from "../engine/pointer.js";
import type { Exchange, Json } from "../engine/types.js";
import { isObject } from "../engine/schema.js";
import { DepthError, JsonError, locator, PARTS, readJson, type Source } from "./json.js";

/** The input is JSON, but not what it should be. */
export class FormError extends Error {
  /** @param pointer RFC 6901 pointer to the part that is wrong */
  constructor(
    problem: string,
    readonly pointer = "",
  ) {
    super(`${pointer.slice(1).replaceAll("/", ".")} ${problem}`.trimStart());
  }
}

/** Makes a function that returns the value at a pointer, or throws a FormError. */
function reader<T extends Json>(kind: string, isOf: (value: unknown) => boolean) {
  return (root: Json, pointer: string): T => {
    const value = at(root, pointer);
    if (!isOf(value)) throw new FormError(`must be ${kind}`, pointer);
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
 * Reads headers from an object, or from the list of `name` and `value` of a HAR.
 * @returns the headers by lower-case name, and their pointers by `header: ` and that name
 */
export function headersAt(root: Json, pointer: string) {
  const given = at(root, pointer) ?? {};
  if (typeof given !== "object") throw new FormError("must be an object or a list", pointer);
  const all: [name: unknown, value: unknown, place: string][] = Array.isArray(given)
    ? given.map((each, index) => [at(each, "/name"), at(each, "/value"), `/${index}/value`])
    : Object.entries(given).map(([name, value]) => [name, value, step(name)]);
  const headers = new Map<string, string>();
  const places = new Map<string, string>();
  for (const [name, value, place] of all) {
    const text: unknown = Array.isArray(value) ? value.join(", ") : value;
    if (typeof name !== "string" || (typeof text !== "string" && typeof text !== "number")) {
      throw new FormError("has a header without a name or value", pointer);
    }
    // A pseudo header of HTTP/2, such as `:status`.
    if (name.startsWith(":")) continue;
    const key = name.toLowerCase();
    // RFC 9110, 5.3
    headers.set(key, headers.has(key) ? `${headers.get(key)}, ${text}` : `${text}`);
    places.set(`header: ${key}`, pointer + place);
  }
  return { headers: Object.fromEntries(headers), places };
}

/** A body: parsed, or as text if it is not JSON, or neither if it is empty. */
export interface Content {
  checked: { body?: Json; text?: string };
  /** Members whose key occurs twice. */
  repeated?: string[];
  /** The text that was parsed. */
  inner?: string;
}

/** Parses a body. @throws {FormError} it is nested too deeply to be checked */
export function contentOf(text: string): Content {
  if (text === "") return { checked: {} };
  // `Response.json()` ignores the byte order mark, too; a space keeps the offsets.
  const inner = text.replace(/^\uFEFF/, " ");
  try {
    const { value, repeated } = readJson(inner);
    return { checked: { body: value }, repeated, inner };
  } catch (error) {
    if (error instanceof DepthError) throw new FormError(`holds a body that ${error.message}`);
    if (error instanceof JsonError) return { checked: { text } };
    throw error;
  }
}

const BODY = "/response/body";

/**
 * Makes an exchange from a recording. A body that is not JSON, such as an HTML page, is recorded as `text`.
 * @throws {FormError} it is not a recording
 */
export function readRecording(source: Source, raw: Json, repeated: readonly string[]): Exchange {
  const request = objectAt(raw, "/request");
  const { body, text } = objectAt(raw, "/response");
  const { headers, places } = headersAt(raw, "/response/headers");
  const [path = "", search] = textAt(raw, "/request/path").split("?", 2);
  if (!path.startsWith("/")) throw new FormError("must start with /", "/request/path");
  const inBody = repeated.filter((each) => each.startsWith(`${BODY}/`));
  refuseRepeated(repeated.filter((each) => !inBody.includes(each)));
  const isText = typeof text === "string";
  const kept: Content = {
    checked: body === undefined ? {} : { body },
    repeated: inBody.map((each) => each.slice(BODY.length)),
  };
  const { checked, inner, repeated: twice = [] } = isText ? contentOf(text) : kept;
  const place = isText ? "/response/text" : BODY;
  const parts = new Map([...PARTS, ["path", "/request/path"], ["body", place], ...places]);
  return {
    ...(at(raw, "/operation") !== undefined && { operation: textAt(raw, "/operation") }),
    name: source.file,
    request: {
      method: textAt(raw, "/request/method").toUpperCase(),
      path,
      query:
        request.query === undefined
          ? Object.fromEntries(new URLSearchParams(search))
          : objectAt(raw, "/request/query"),
      ...(request.body !== undefined && { body: request.body }),
      ...(typeof request.text === "string" && contentOf(request.text).checked),
    },
    response: { status: statusAt(raw, "/response/status"), headers, ...checked, repeated: twice },
    locate: locator(source, parts, inner === undefined ? undefined : { text: inner }),
  };
}

/** A repeated key outside the recorded body leaves open which value was meant. @throws {FormError} */
export function refuseRepeated([first]: readonly string[]): void {
  if (first !== undefined) throw new FormError("occurs twice in the same object", first);
}
