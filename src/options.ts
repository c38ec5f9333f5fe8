import { wrong } from "./errors.js";
import type { Query, RequestHeaders } from "./method.js";
import { queryString } from "./path.js";
import { isPlainObject, kindOf } from "./text.js";

/**
 * Checks the parsed body of a 2xx response. An error that it throws rejects the call, unchanged.
 * @param operation the operationId, such as `movies.latest`
 */
export type Validate = (
  operation: string,
  body: unknown,
  response: Response,
) => void | Promise<void>;

/** Returns the access token, or a promise of it. The client calls it for every attempt. */
export type TokenSource = () => string | Promise<string>;

/** Options of `createCatalogue`. */
export interface CatalogueOptions {
  /**
   * Absolute http(s) URL of a deployment, without the version segment `/3`, which starts every path. Plain http
   * is refused for any host but loopback, unless `allowInsecure` is set.
   * @example "https://catalogue.example"
   */
  baseUrl: string;
  /**
   * Bearer token, or a function that returns it for every attempt. It is sent to the origin of `baseUrl` only, and
   * never appears in an error. An error thrown by the function rejects the call, unchanged.
   */
  token: string | TokenSource;
  /**
   * Time limit of a call in milliseconds, including all attempts, pauses, and reading the body. Then the call
   * rejects with a TimeoutError. `0` or `Infinity` means no limit.
   * @default 10_000
   */
  timeout?: number | undefined;
  /**
   * Retries of a GET, HEAD or DELETE after a lost connection or the status 408, 429, 500, 502, 503 or 504, from 0 to
   * 10. The pause is the `Retry-After` of the response, otherwise 500 ms, doubled for each retry up to 8 s, with up to
   * 50% jitter. If `Retry-After` exceeds 30 s, or the pause exceeds the time left, the call rejects at once with the
   * error of the last attempt.
   * @default 2
   */
  retries?: number | undefined;
  /**
   * Default query parameters of every call. A call overrides them by name.
   * @example { language: "de" }
   */
  query?: Query | undefined;
  /**
   * Headers of every call. A call overrides them by name.
   * @default { accept: "application/json" }
   */
  headers?: RequestHeaders | undefined;
  /**
   * Called instead of the global `fetch`, with a URL and an init.
   * @default the global `fetch` at the time of each attempt
   */
  fetch?: typeof globalThis.fetch | undefined;
  /** Checks the body of every 2xx response of a method, such as `validateResponse`. Off by default. */
  validate?: Validate | undefined;
  /**
   * Allows plain http to a host that is not loopback. The network can then read the token.
   * @default false
   */
  allowInsecure?: boolean | undefined;
}

/** Checked options with their defaults. */
export type Settings = ReturnType<typeof checkOptions>;

const OPTIONS = [
  "baseUrl",
  "token",
  "timeout",
  "retries",
  "query",
  "headers",
  "fetch",
  "validate",
  "allowInsecure",
] satisfies (keyof CatalogueOptions)[];
/** The longest delay of a timer, 2³¹ − 1 ms; a longer one would fire at once. */
const LONGEST_TIMER = 2_147_483_647;
export const MOST_RETRIES = 10;
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Checks the options of `createCatalogue` and fills in the defaults.
 * @throws {TypeError} an option is invalid; the message never contains the token
 */
export function checkOptions(options: CatalogueOptions) {
  const where = "createCatalogue";
  checkNames(where, options, OPTIONS);
  const { token, timeout = 10_000, retries = 2, query = {}, headers = {} } = options;
  const { fetch, validate, allowInsecure = false } = options;
  checkType(where, "fetch", fetch, "function");
  checkType(where, "validate", validate, "function");
  checkType(where, "allowInsecure", allowInsecure, "boolean");
  queryString(where, query);
  const baseUrl = checkBaseUrl(where, options.baseUrl, allowInsecure);
  return {
    baseUrl,
    origin: new URL(baseUrl).origin,
    token: typeof token === "function" ? token : checkToken(where, token),
    timeout: checkTimeout(where, timeout),
    retries: checkNumber(where, "retries", retries, MOST_RETRIES),
    query: { ...query },
    headers: { accept: "application/json", ...Object.fromEntries(checkHeaders(where, headers)) },
    fetch,
    validate,
  };
}

/** @throws {TypeError} the options are not an object, or one has an unknown name */
export function checkNames(where: string, options: unknown, names: readonly string[]): void {
  if (kindOf(options) !== "an object") {
    throw wrong(where, `options must be an object, not ${kindOf(options)}`);
  }
  for (const name of Object.keys(options as object)) {
    if (names.includes(name) || (options as Record<string, unknown>)[name] === undefined) continue;
    throw wrong(where, `unknown option "${name}"; valid options are ${names.join(", ")}`);
  }
}

/** @throws {TypeError} the option is set, and of another type */
export function checkType(where: string, name: string, value: unknown, type: string): void {
  if (value === undefined || typeof value === type) return;
  throw wrong(where, `${name} must be a ${type}, not ${kindOf(value)}`);
}

/** @returns milliseconds; Infinity for no limit */
export function checkTimeout(where: string, timeout: number): number {
  if (timeout === 0 || timeout === Infinity) return Infinity;
  return checkNumber(where, "timeout", timeout, LONGEST_TIMER);
}

export function checkNumber(
  where: string,
  name: string,
  value: number,
  most: number,
  least = 0,
): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const found = typeof value === "number" ? value : kindOf(value);
  throw wrong(where, `${name} must be a whole number from ${least} to ${most}, not ${found}`);
}

/** A token becomes part of a header, so anything that could end the header is refused. */
export function checkToken(where: string, token: unknown): string {
  if (typeof token !== "string") {
    throw wrong(
      where,
      `token must be a string or a function that returns one, not ${kindOf(token)}`,
    );
  }
  if (/^[!-~]+$/.test(token)) return token;
  throw wrong(where, "token must be the bare access token: visible ASCII without spaces");
}

export function checkBaseUrl(where: string, baseUrl: unknown, allowInsecure: boolean): string {
  if (typeof baseUrl !== "string" || !/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw wrong(where, "baseUrl must be an absolute http(s) URL");
  }
  const { protocol, hostname, href } = new URL(baseUrl);
  if (/[?#]|\/\/[^/]*@/.test(href)) {
    throw wrong(where, "baseUrl must not contain credentials, a query or a fragment");
  }
  if (protocol === "http:" && !LOOPBACK.test(hostname) && !allowInsecure) {
    const problem = "baseUrl is plain http, which exposes the token";
    throw wrong(where, `${problem}; use https or set allowInsecure`);
  }
  const trimmed = href.replace(/\/+$/, "");
  if (!trimmed.endsWith("/3")) return trimmed;
  throw wrong(where, "baseUrl must not end in /3; every path already starts with it");
}

/**
 * As in openapi-fetch, null and undefined are left out, and an array is a list of values.
 * @throws {TypeError} a header cannot be sent; the message contains its name, never its value
 */
export function checkHeaders(where: string, headers: unknown): Headers {
  if (!(headers instanceof Headers) && !isPlainObject(headers)) {
    throw wrong(where, `headers must be a plain object, not ${kindOf(headers)}`);
  }
  const checked = new Headers();
  for (const [name, value] of headers instanceof Headers ? headers : Object.entries(headers)) {
    if (/^authorization$/i.test(name)) {
      throw wrong(where, `header "${name}" is set by the client; use the option token instead`);
    }
    try {
      for (const each of [value].flat()) {
        // An object would be sent as "[object Object]".
        if (Object(each) === each) throw undefined;
        if (each !== undefined && each !== null) checked.append(name, each as string);
      }
    } catch {
      throw wrong(where, `header ${JSON.stringify(name)} has a name or value that cannot be sent`);
    }
  }
  return checked;
}
