import { isPlainObject, kindOf } from "./text.js";

/**
 * Judges the parsed body of a success. What it throws, the call rejects with. Where it throws at a body that echoes a
 * secret, it is called again with a copy without it, and the call rejects with what it throws then.
 * @param operation the operationId
 */
export type Validate = (
  operation: string,
  body: unknown,
  response: Response,
) => void | Promise<void>;

/** Gives the access token, or a promise of it. It is asked again for every attempt. */
export type TokenSource = () => string | Promise<string>;

/** What `createCatalogue` takes. */
export interface CatalogueOptions {
  /**
   * Absolute http(s) URL of a deployment, with a path prefix if it has one. There is no default.
   * @example "https://catalogue.example"
   */
  baseUrl: string;
  /** The access token of the bearer scheme, or a function that gives it for every attempt. */
  token: string | TokenSource;
  /**
   * Milliseconds that a whole call may take: every attempt, every wait and the reading of the body.
   * @default 10_000
   */
  timeout?: number | undefined;
  /**
   * How often a GET, HEAD or DELETE is sent again after a lost connection or the status 408, 429, 500, 502, 503 or
   * 504. Other methods are never sent twice; only a 421, which says that nothing was done, `fetch` itself answers by
   * sending anew over another connection, as its standard has it.
   * @default 2
   */
  retries?: number | undefined;
  /**
   * Milliseconds to wait before a retry, counted from 0, where the answer has no `Retry-After`.
   * What is no number of 0 or more is a TypeError of the call.
   * @default 500 · 2ⁿ, at most 8000, of which a random part up to a half is left out
   */
  retryDelay?: ((retry: number) => number) | undefined;
  /** Headers of every call. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Used instead of the global `fetch`, which is looked up anew for every attempt. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Judges the body of every success of a method; what it throws, the call rejects with. Off by default. */
  validate?: Validate | undefined;
  /** Allows plain http to a host that is not loopback, where the token can be read on the way. */
  allowInsecure?: boolean | undefined;
}

/** Options that have been checked and completed. */
export interface Settings {
  baseUrl: string;
  token: string | TokenSource;
  timeout: number;
  retries: number;
  retryDelay: (retry: number, operation: string) => number;
  headers: Readonly<Record<string, string>>;
  fetch: typeof globalThis.fetch | undefined;
  validate: Validate | undefined;
}

/** The longest delay that timers take, 2³¹ − 1 ms; a longer one would fire at once. */
export const LONGEST_TIMER = 2_147_483_647;
/** Headers that are the connection's; each fetch ignores them or refuses to send anything. */
const OF_FETCH = /^(connection|content-length|expect|keep-alive|transfer-encoding|upgrade)$/i;
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Checks options and fills in their defaults.
 * @throws {TypeError} an option is wrong; the message names it and says what it has to be, but never holds the token
 */
export function checkOptions(options: CatalogueOptions): Settings {
  if (kindOf(options) !== "an object")
    throw wrong("options", `are ${kindOf(options)}; give an object`);
  const { token, retryDelay = backoff, fetch, validate } = options;
  for (const [name, value] of Object.entries({ retryDelay, fetch, validate })) {
    if (value !== undefined && typeof value !== "function") {
      throw wrong(name, `is ${kindOf(value)}; give a function`);
    }
  }
  return {
    baseUrl: checkBaseUrl(options.baseUrl, options.allowInsecure === true),
    token: typeof token === "function" ? token : checkToken(token),
    timeout: checkTimeout(options.timeout ?? 10_000),
    retries: checkNumber("retries", options.retries ?? 2, 0, 10),
    retryDelay: (retry, operation) => {
      const ms: unknown = retryDelay(retry);
      if (typeof ms === "number" && ms >= 0) return ms;
      const said = typeof ms === "number" ? ms : kindOf(ms);
      throw wrong("retryDelay", `gave ${said}; give milliseconds`, operation);
    },
    headers: { accept: "application/json", ...checkHeaders(options.headers ?? {}) },
    fetch,
    validate,
  };
}

/** @throws {TypeError} not a whole number of milliseconds that a timer can take */
export function checkTimeout(timeout: number, operation?: string): number {
  return checkNumber("timeout", timeout, 1, LONGEST_TIMER, operation);
}

/**
 * A token becomes part of a header: what could break out of it is refused.
 * @throws {TypeError} not a bearer token; the message does not hold it
 */
export function checkToken(token: unknown, where?: string): string {
  if (typeof token !== "string") throw wrong("token", `is ${kindOf(token)}; give a string`, where);
  if (token === "") throw wrong("token", "is empty; give the access token", where);
  if (!/^[!-~]+$/.test(token)) {
    throw wrong(
      "token",
      "holds a space, a control or a non-ASCII character; give the bare access token",
      where,
    );
  }
  return token;
}

function checkBaseUrl(baseUrl: unknown, allowInsecure: boolean): string {
  if (typeof baseUrl !== "string" || !/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw wrong("baseUrl", "is not an absolute http(s) URL");
  }
  const url = new URL(baseUrl);
  if (url.username || url.password) throw wrong("baseUrl", "holds credentials; remove them");
  if (/[?#]/.test(baseUrl)) throw wrong("baseUrl", "holds a query or a fragment; remove it");
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname) && !allowInsecure) {
    throw wrong("baseUrl", "is plain http, which shows the token; use https or set allowInsecure");
  }
  return url.href.replace(/\/+$/, "");
}

function checkNumber(
  name: string,
  value: unknown,
  least: number,
  most: number,
  where?: string,
): number {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw wrong(name, `is not a whole number from ${least} to ${most}`, where);
  }
  return value as number;
}

/**
 * Headers by their names in lower case.
 * @throws {TypeError} not headers, or one that cannot be sent; the message holds names but never values
 */
export function checkHeaders(headers: unknown, where?: string): Record<string, string> {
  const checked = new Headers();
  if (!(headers instanceof Headers) && !isPlainObject(headers)) {
    throw wrong(
      "headers",
      `are ${kindOf(headers)}; give a plain object of names and strings`,
      where,
    );
  }
  for (const [name, value] of headers instanceof Headers ? headers : Object.entries(headers)) {
    if (value === undefined) continue;
    try {
      if (typeof value !== "string" || OF_FETCH.test(name)) throw new TypeError(name);
      checked.append(name, value);
    } catch {
      throw wrong("headers", `holds ${JSON.stringify(name)}, which cannot be sent`, where);
    }
  }
  return Object.fromEntries(checked);
}

function backoff(retry: number): number {
  return Math.min(500 * 2 ** retry, 8000) * (1 - Math.random() / 2);
}

function wrong(option: string, problem: string, where = "createCatalogue"): TypeError {
  return new TypeError(`${where}: ${option} ${problem}`);
}
