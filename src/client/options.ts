import { invalidArgument, unexpectedValue } from "./errors.js";
import type { Fetch } from "../types/fetch.js";
import {
  RESERVED_OPTIONS,
  type FetchOptions,
  type Query,
  type RequestHeaders,
} from "../types/method.js";
import { describeType, parseUrl, resultOf } from "./text.js";
import { serializeQuery } from "./url.js";

/**
 * A function that checks the parsed body of a 2xx response. If the function throws an error, the call rejects with that
 * error, unchanged.
 * @param operation the operationId, such as `movies.latest`
 */
export type Validate = (
  operation: string,
  body: unknown,
  response: Response,
) => void | Promise<void>;

/**
 * A function that returns the access token, or a promise for the token. The client calls the function for every
 * attempt.
 */
export type TokenProvider = () => string | Promise<string>;

/** Options for `createCatalogue`. */
export interface CatalogueOptions<DefaultQuery = Query> {
  /**
   * Absolute http(s) URL of a deployment, without the version segment `/3`, which every path starts with. Plain HTTP is
   * rejected for hosts other than loopback, unless `allowHttp` is set.
   * @example "https://catalogue.example"
   */
  baseUrl: string;
  /**
   * Bearer token, or a function that the client calls to get the token for every attempt. The client sends the token
   * only to the origin of `baseUrl`, and never includes it in an error. If the function throws an error, the call
   * rejects with that error, unchanged.
   */
  token: string | TokenProvider;
  /**
   * Time limit for a call in milliseconds, including all attempts, the pauses between attempts, and the time to read
   * the body. A call that exceeds the limit rejects with a TimeoutError. `0` or `Infinity` means no limit.
   * @default 10_000
   */
  timeout?: number | undefined;
  /**
   * Maximum number of retries, from 0 to 10. The client retries a GET, HEAD, or DELETE after a lost connection or a
   * 408, 429, 500, 502, 503, or 504 response. The pause starts at 500 ms and doubles up to 8 s, with up to 50% jitter;
   * a longer `Retry-After` takes precedence. If `Retry-After` exceeds 30 s, or the pause exceeds the remaining time,
   * the call rejects immediately with the error from the last attempt.
   * @default 2
   */
  retries?: number | undefined;
  /**
   * Query parameters for every call. If a call sets the same parameter, the call's value takes precedence.
   * @example { language: "de" }
   */
  query?: DefaultQuery | undefined;
  /**
   * Headers for every call. If a call sets the same header, the call's value takes precedence.
   * @default { accept: "application/json" }
   */
  headers?: RequestHeaders | undefined;
  /**
   * Additional `fetch` options for every call. If a call sets the same option, the call's value takes precedence.
   * @example { cache: "no-store" }
   */
  fetchOptions?: FetchOptions | undefined;
  /**
   * Function to call for each attempt instead of the global `fetch`, such as the `fetch` of undici, of node-fetch, or of
   * the sandbox.
   * @default the global `fetch` at the time of each attempt
   */
  fetch?: Fetch | undefined;
  /**
   * Function, such as `validateResponse`, that checks the 2xx response bodies of all methods. Responses to calls
   * through `http` are not checked. Unset by default.
   */
  validate?: Validate | undefined;
  /**
   * Allows plain HTTP to hosts other than loopback. Anyone on the network can then read the token.
   * @default false
   */
  allowHttp?: boolean | undefined;
}

/** The checked options, with defaults filled in. */
export type Settings = ReturnType<typeof checkOptions>;

const OPTIONS = [
  ...["baseUrl", "token", "timeout", "retries", "query", "headers"],
  ...["fetchOptions", "fetch", "validate", "allowHttp"],
];
/** Headers that describe the connection or the body. `fetch` rejects them, or sends a request that never ends. */
const CONNECTION_HEADER =
  /^((content-length|expect|keep-alive|transfer-encoding|upgrade):|connection:(?!(close|keep-alive)$))/i;
/** What the value of an option must be, and a function that checks the value. */
type Check = readonly [expected: string, isValid: (value: unknown) => boolean];

const whole = (min: number, max: number, orInfinity = false): Check => [
  `a whole number from ${min} to ${max}${orInfinity ? ", or Infinity" : ""}`,
  (value) =>
    (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) ||
    (orInfinity && value === Infinity),
];
const ofType = (type: string): Check => [`a ${type}`, (value) => typeof value === type];
const COUNT = whole(0, Number.MAX_SAFE_INTEGER, true);
const FUNCTION = ofType("function");

/** The checks of all options with simple values, for the client, its calls, and `paginate`. */
const CHECKS: Readonly<Record<string, Check>> = {
  // The longest timer delay is 2³¹ − 1 ms. A timer with a longer delay would fire immediately.
  timeout: whole(0, 2_147_483_647, true),
  retries: whole(0, 10),
  signal: ["an AbortSignal", isSignal],
  fetch: FUNCTION,
  validate: FUNCTION,
  allowHttp: ofType("boolean"),
  startPage: whole(1, Number.MAX_SAFE_INTEGER),
  maxItems: COUNT,
  maxPages: COUNT,
};
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Checks the options of `createCatalogue` and fills in the defaults.
 * @throws {TypeError} if an option is invalid; the message never contains the token
 */
export function checkOptions(options: CatalogueOptions) {
  const where = "createCatalogue";
  checkNames(where, options, OPTIONS);
  checkValues(where, options);
  const { token, timeout = 10_000, retries = 2, query = {}, headers = {} } = options;
  const { fetch, fetchOptions, validate, allowHttp } = options;
  serializeQuery(where, query);
  const baseUrl = checkBaseUrl(where, options.baseUrl, allowHttp);
  return {
    baseUrl,
    origin: new URL(baseUrl).origin,
    token: typeof token === "function" ? token : checkToken(where, token),
    /** The most recent tokens. */
    tokens: new Set(typeof token === "string" ? [token] : []),
    timeout,
    retries,
    query: copyQuery(query),
    headers: Object.fromEntries<string | undefined>([
      ["accept", "application/json"],
      ...checkRequestHeaders(where, headers),
    ]),
    fetchOptions: checkFetchOptions(where, fetchOptions),
    fetch,
    validate,
  };
}

/** Copies a query, so that later changes to the app's arrays and dates do not change the client's requests. */
function copyQuery(query: object): Record<string, unknown> {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    const { toISOString } = Object(value) as Partial<Date>;
    return toISOString ? toISOString.call(value) : value;
  };
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, copy(value)]));
}

/**
 * Checks that every option name is valid.
 * @throws {TypeError} if the options are not an object, or if an option name is unknown
 */
export function checkNames(
  where: string,
  options: unknown,
  names: readonly string[],
  what = "options",
): void {
  if (!isObject(options)) {
    const example = names.slice(0, 3).join(", ") || "name";
    throw unexpectedValue(where, what, `an object such as { ${example} }`, options);
  }
  // Uses `for…in` to check inherited names as well. An AbortSignal passed by mistake, for example, has only inherited
  // names.
  for (const name in options) {
    if (names.includes(name) || options[name] === undefined) continue;
    const advice = `valid ${what}: ${names.join(", ") || "none"}`;
    throw invalidArgument(where, `unknown ${what.slice(0, -1)} "${name}"; ${advice}`);
  }
}

/**
 * Checks that a value is an object.
 * @throws {TypeError} if the value is not an object, or is an array
 */
export function checkObject(where: string, name: string, value: unknown): void {
  if (!isObject(value)) throw unexpectedValue(where, name, "an object", value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks the values of all options that `CHECKS` lists. */
export function checkValues(where: string, options: object): void {
  for (const name in CHECKS) {
    const value = (options as Record<string, unknown>)[name];
    const [expected, isValid] = CHECKS[name]!;
    if (value === undefined || isValid(value)) continue;
    const found = typeof value === "number" ? value : describeType(value);
    throw invalidArgument(where, `${name} must be ${expected}, not ${found}`);
  }
}

/**
 * Returns whether a value is an AbortSignal or null. Does not use `instanceof`, because polyfills and other realms have
 * their own AbortSignal classes.
 */
function isSignal(value: unknown): boolean {
  if (value === null) return true;
  const { aborted, addEventListener, removeEventListener } = value as AbortSignal;
  const types = [typeof aborted, typeof addEventListener, typeof removeEventListener];
  return `${types}` === "boolean,function,function";
}

/** Checks a token, and rejects line breaks and other characters that are unsafe in a header. */
export function checkToken(where: string, token: unknown): string {
  if (typeof token !== "string") {
    throw unexpectedValue(where, "token", "a string or a function that returns one", token);
  }
  if (/^[!-~]+$/.test(token)) return token;
  const problem =
    token === ""
      ? "token is empty; the operator of the deployment gives you one"
      : 'token must contain only visible ASCII without spaces; leave out "Bearer"';
  throw invalidArgument(where, problem);
}

function checkBaseUrl(where: string, baseUrl: unknown, allowHttp?: boolean): string {
  const url = typeof baseUrl === "string" ? parseUrl(baseUrl) : undefined;
  if (!url || !/^https?:/.test(url.protocol)) {
    throw invalidArgument(where, "baseUrl must be an absolute http(s) URL");
  }
  const { protocol, hostname, href } = url;
  if (/[?#]|\/\/[^/]*@/.test(href)) {
    throw invalidArgument(where, "baseUrl must not contain credentials, a query, or a fragment");
  }
  if (protocol === "http:" && !LOOPBACK.test(hostname) && !allowHttp) {
    const problem = "baseUrl is plain http, which exposes the token";
    throw invalidArgument(where, `${problem}; use https or set allowHttp`);
  }
  const trimmed = href.replace(/\/+$/, "");
  if (!trimmed.endsWith("/3")) return trimmed;
  throw invalidArgument(where, "baseUrl must not end in /3; every path already starts with it");
}

/**
 * Checks headers, which can be an object or an iterable of pairs, such as `Headers`. Omits headers whose value is
 * `undefined` or `null`.
 * @throws {TypeError} if a header cannot be sent; the message contains the header's name, but never its value
 */
export function checkRequestHeaders(where: string, headers: unknown): Headers {
  if (typeof headers !== "object" || headers === null) {
    throw unexpectedValue(where, "headers", "an object", headers);
  }
  const pairs =
    Symbol.iterator in headers ? (headers as Iterable<unknown>) : Object.entries(headers);
  const checked = new Headers();
  for (const pair of pairs) {
    const [first, value] = (Array.isArray(pair) ? pair : [pair, {}]) as unknown[];
    const name = String(first);
    const reject = (advice: string) => {
      throw invalidArgument(where, `the client sets the "${name}" header; ${advice}`);
    };
    if (/^authorization$/i.test(name)) reject("use the `token` option instead");
    if (value === undefined || value === null) continue;
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw invalidArgument(where, `${JSON.stringify(name)} is not a valid header name`);
    const append = () => {
      checked.append(name, value as string);
      return checked.get(name)!;
    };
    // Without the first check, an object would be sent as "[object Object]", and a function as its source code.
    const text = Object(value) === value ? undefined : resultOf(append);
    // The `Headers` class of React Native accepts any value.
    // Stryker disable next-line ConditionalExpression: `Headers` in Node.js rejects the same values; test/everywhere/react-native.test.ts covers others.
    if (text === undefined || /[^\t -~\x80-\xff]/.test(text)) {
      const expected = "Latin-1 text without line breaks";
      throw invalidArgument(where, `the value of the "${name}" header must be ${expected}`);
    }
    if (CONNECTION_HEADER.test(`${name}:${text}`)) reject("leave it out");
  }
  return checked;
}

/**
 * Checks `fetch` options. Omits options that are `undefined`, because they must not replace defaults.
 * @throws {TypeError} if an option is reserved for the client or openapi-fetch
 */
export function checkFetchOptions(where: string, options: unknown): Record<string, unknown> {
  const checked: Record<string, unknown> = {};
  if (options === undefined) return checked;
  checkObject(where, "fetchOptions", options);
  for (const name in options as object) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined) continue;
    if ((RESERVED_OPTIONS as readonly string[]).includes(name)) {
      const advice = "use another option or http.use";
      throw invalidArgument(where, `"${name}" cannot be a fetch option; ${advice}`);
    }
    checked[name] = value;
  }
  return checked;
}
