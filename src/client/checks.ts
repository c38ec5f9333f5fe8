import { invalidArgument, unexpectedValue } from "./errors.js";
import { RESERVED_OPTIONS } from "../types/method.js";
import { describeType, resultOf, suggestName } from "./text.js";

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
const OBJECT: Check = ["an object", isObject];

/** The checks of the options with simple values, for all functions of the package. */
const CHECKS: Readonly<Record<string, Check>> = {
  // The longest timer delay is 2³¹ − 1 ms. A timer with a longer delay would fire immediately.
  timeout: whole(0, 2_147_483_647, true),
  retries: whole(0, 10),
  signal: ["an AbortSignal", isSignal],
  fetch: FUNCTION,
  fetchOptions: OBJECT,
  validate: FUNCTION,
  onAttempt: FUNCTION,
  onError: FUNCTION,
  onWarning: FUNCTION,
  overrides: OBJECT,
  allowHttp: ofType("boolean"),
  interceptors: [
    "an array of functions",
    (value) => Array.isArray(value) && value.every((each) => typeof each === "function"),
  ],
  startPage: whole(1, Number.MAX_SAFE_INTEGER),
  maxItems: COUNT,
  maxPages: COUNT,
};

/**
 * Checks the names and the values of options.
 * @param names the names of all valid options
 * @param advice what else the message about an unknown option says
 * @throws {TypeError} if the options are not an object, if a name is unknown, or if a value is invalid
 */
export function checkOptions(
  where: string,
  options: unknown,
  names: readonly string[],
  advice = "",
): void {
  checkNames(where, options, names, "options", advice);
  for (const name of names) {
    const value = (options as Record<string, unknown>)[name];
    const check = CHECKS[name];
    if (value === undefined || !check || check[1](value)) continue;
    const found = typeof value === "number" ? value : describeType(value);
    const isSandbox = name === "fetch" && typeof Object(value).fetch === "function";
    const hint = isSandbox ? "; pass its `fetch` property" : "";
    throw invalidArgument(where, `${name} must be ${check[0]}, not ${found}${hint}`);
  }
}

/**
 * Checks that an object contains only valid names.
 * @param advice what else the message about an unknown name says
 * @throws {TypeError} if the value is not an object, or if a name is unknown
 */
export function checkNames(
  where: string,
  object: unknown,
  names: readonly string[],
  what: string,
  advice = "",
): void {
  if (!isObject(object)) {
    const example = names.slice(0, 3).join(", ") || "name";
    const problem = `${what} must be an object such as { ${example} }, not ${describeType(object)}`;
    throw invalidArgument(where, problem + advice);
  }
  // Uses `for…in` to check inherited names as well. An AbortSignal passed by mistake, for example, has only inherited
  // names.
  for (const name in object) {
    if (names.includes(name) || object[name] === undefined) continue;
    const isKey = name === "api_key" && what === "query parameters";
    const help = isKey
      ? "; use the `apiKey` option of createCatalogue instead"
      : `${suggestName(name, names)}; valid ${what}: ${names.join(", ") || "none"}${advice}`;
    throw invalidArgument(where, `unknown ${what.slice(0, -1)} "${name}"${help}`);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

/**
 * Checks headers, which can be an object or an iterable of pairs, such as `Headers`. Omits headers whose value is
 * `undefined` or `null`. Does not use the `Headers` class, because loading the class takes Node about 50 ms.
 * @returns the headers, with names in lower case
 * @throws {TypeError} if a header cannot be sent; the message contains the header's name, but never its value
 */
export function checkRequestHeaders(where: string, headers: unknown): Record<string, string> {
  if (headers === undefined) return {};
  if (typeof headers !== "object" || headers === null) {
    throw unexpectedValue(where, "headers", "an object", headers);
  }
  const pairs =
    Symbol.iterator in headers ? (headers as Iterable<unknown>) : Object.entries(headers);
  const checked = new Map<string, string>();
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
    // Without the first check, an object would be sent as "[object Object]", and a function as its source code.
    const given = Object(value) === value ? undefined : resultOf(() => `${value as string}`);
    // Like `Headers`, ignores whitespace around the value.
    const text = given?.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
    if (text === undefined || /[^\t -~\x80-\xff]/.test(text)) {
      const expected = "Latin-1 text without line breaks";
      throw invalidArgument(where, `the value of the "${name}" header must be ${expected}`);
    }
    if (CONNECTION_HEADER.test(`${name}:${text}`)) reject("leave it out");
    const key = name.toLowerCase();
    checked.set(key, checked.has(key) ? `${checked.get(key)}, ${text}` : text);
  }
  return Object.fromEntries(checked);
}

/**
 * Checks `fetch` options. Omits options that are `undefined`, because they must not replace defaults.
 * @throws {TypeError} if an option is reserved for the client or openapi-fetch
 */
export function checkFetchOptions(
  where: string,
  options: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const checked: Record<string, unknown> = {};
  for (const name in options) {
    const value = options[name];
    if (value === undefined) continue;
    if ((RESERVED_OPTIONS as readonly string[]).includes(name)) {
      const advice = "use another option or http.use";
      throw invalidArgument(where, `"${name}" cannot be a fetch option; ${advice}`);
    }
    checked[name] = value;
  }
  return checked;
}
