import { checkFetchOptions, checkOptions, checkRequestHeaders } from "./checks.js";
import { checkCredentials, type CredentialOptions, type TokenOptions } from "./credentials.js";
import { invalidArgument, IS_SET } from "./errors.js";
import type { Fetch } from "../types/fetch.js";
import type { Interceptor } from "../types/interceptor.js";
import type { FetchOptions, Query, RequestHeaders } from "../types/method.js";
import { parseUrl } from "./text.js";
import { dayOf, serializeQuery } from "./url.js";

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

/** Options for `createCatalogue`, other than the credentials. */
export interface ClientOptions<DefaultQuery = Query> {
  /**
   * Absolute http(s) URL of a deployment, without the version segment `/3`, which every path starts with. In a browser,
   * the URL can also be a path on the page's own origin. Plain HTTP is rejected, except for loopback hosts and the page's
   * own origin, unless `allowHttp` is set.
   * @example "https://catalogue.example"
   */
  baseUrl: string;
  /**
   * Time limit for a call in milliseconds, including all attempts, the pauses between attempts, and the time to read
   * and to validate the body. A call that exceeds the limit rejects with a TimeoutError. `0` or `Infinity` means no
   * limit.
   * @default 10_000
   */
  timeout?: number | undefined;
  /**
   * Maximum number of retries, from 0 to 10. The client retries a GET, HEAD, or DELETE after a lost connection or a
   * 408, 429, or 503 response, and a GET or HEAD also after a 500, 502, or 504 response. The pause starts at 500 ms and
   * doubles up to 8 s, with up to 50% jitter; a longer `Retry-After` takes precedence. If `Retry-After` exceeds 30 s, or
   * the pause exceeds the remaining time, the call rejects immediately with the error from the last attempt.
   * @default 2
   */
  retries?: number | undefined;
  /**
   * Query parameters for every call that takes them. If a call sets the same parameter, the call's value takes
   * precedence.
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
   * the sandbox, or `ofetch.native`. It must not read the response body.
   * @default the global `fetch` at the time of each attempt
   */
  fetch?: Fetch | undefined;
  /**
   * Function, such as `validateResponse`, that checks the 2xx response bodies of all methods. Responses to calls
   * through `http` are not checked. Unset by default.
   */
  validate?: Validate | undefined;
  /**
   * Functions that run around each call, in order, such as `log`, `dedupe`, `cache`, and `limit` from
   * `media-catalogue/interceptors`.
   * @example [dedupe(), limit(pLimit(10))]
   */
  interceptors?: readonly Interceptor[] | undefined;
  /**
   * Allows plain HTTP to every host. Anyone on the network can then read all requests, including the token.
   * @default false
   */
  allowHttp?: boolean | undefined;
}

/** Options for `createCatalogue`. */
export interface CatalogueOptions extends ClientOptions, TokenOptions {}

/** The checked options, with defaults filled in. */
export type Settings = ReturnType<typeof createSettings>;

const OPTIONS = [
  ...["baseUrl", "token", "timeout", "retries", "query", "headers"],
  ...["fetchOptions", "fetch", "validate", "interceptors", "allowHttp"],
];
export const CALL_OPTIONS = ["query", "headers", "signal", "timeout", "retries", "fetchOptions"];
/** Matches a version at the end of a base URL without trailing slashes. */
export const VERSION = /\/[34]$/;
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Checks the options of a client and fills in the defaults.
 * @param where the function that takes the options, for error messages
 * @param keyName the query parameter that contains an API key, if the description has such a parameter
 * @throws {TypeError} if an option is invalid; the message never contains the token
 */
export function createSettings(
  where: string,
  options: ClientOptions & CredentialOptions,
  keyName?: string,
) {
  const names = keyName === undefined ? OPTIONS : [...OPTIONS, "apiKey"];
  const advice =
    keyName === undefined && Object(options).apiKey !== undefined
      ? "; `media-catalogue/full` takes an `apiKey`"
      : "; query parameters belong in `query`";
  checkOptions(where, options, names, advice);
  const { timeout = 10_000, retries = 2, query = {}, headers, allowHttp } = options;
  const { fetch, fetchOptions, validate, interceptors = [] } = options;
  serializeQuery(where, query);
  const baseUrl = checkBaseUrl(where, options.baseUrl, allowHttp);
  return {
    baseUrl,
    origin: new URL(baseUrl).origin,
    credentials: checkCredentials(where, options, keyName),
    timeout,
    retries,
    query: copyQuery(query),
    headers: { accept: "application/json", ...checkRequestHeaders(where, headers) },
    fetchOptions: checkFetchOptions(where, fetchOptions),
    fetch,
    validate,
    interceptors: [...interceptors],
    /** Whether middleware is installed, which needs a real `Request` and `Response`. */
    hasMiddleware: false,
  };
}

/** Copies a query, so that later changes to the app's arrays and dates do not change the client's requests. */
function copyQuery(query: object): Record<string, unknown> {
  const copy = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(copy) : (dayOf(value) ?? value);
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, copy(value)]));
}

function checkBaseUrl(where: string, baseUrl: unknown, allowHttp?: boolean): string {
  // Browsers and workers have a location, but most servers do not.
  const { origin } = Object(globalThis.location) as { origin?: string };
  const isPath = String(baseUrl).startsWith("/");
  const url =
    typeof baseUrl === "string" ? parseUrl(baseUrl, isPath ? origin : undefined) : undefined;
  // A path such as "//host" or "/\\host" leads to a different origin.
  if (!url || !/^https?:/.test(url.protocol) || (isPath && url.origin !== origin)) {
    const advice = isPath
      ? "a path needs the `location` of a page, and starts with a single slash"
      : adviceFor(baseUrl);
    const problem = "baseUrl must be an absolute http(s) URL";
    throw invalidArgument(where, advice ? `${problem}; ${advice}` : problem);
  }
  const { protocol, hostname, href } = url;
  if (/[?#]|\/\/[^/]*@/.test(href)) {
    throw invalidArgument(where, "baseUrl must not contain credentials, a query, or a fragment");
  }
  if (protocol === "http:" && !LOOPBACK.test(hostname) && !allowHttp && url.origin !== origin) {
    const problem = "baseUrl is plain http, which exposes all requests";
    throw invalidArgument(where, `${problem}; use https or set allowHttp`);
  }
  const trimmed = href.replace(/\/+$/, "");
  const [version] = VERSION.exec(trimmed) ?? [];
  if (version === undefined) return trimmed;
  const problem = `baseUrl must not end in ${version}`;
  throw invalidArgument(where, `${problem}; every path already starts with /3`);
}

/** Returns advice for a base URL that is not an absolute URL. */
export function adviceFor(baseUrl: unknown): string {
  if (baseUrl === undefined || baseUrl === "") return IS_SET;
  if (typeof baseUrl !== "string") return "pass a string";
  if (/\s/.test(baseUrl.trim())) return "remove the spaces";
  if (/^\w+:\/\//.test(baseUrl)) return "";
  const url = parseUrl(`http://${baseUrl}`);
  if (url && LOOPBACK.test(url.hostname)) return "start it with http://";
  // On a page, `api/catalogue` and `./api` are probably meant as paths.
  const isPath = globalThis.location && !/^[^/.]+[.:]/.test(baseUrl);
  return `start it with ${isPath ? "/" : "https://"}`;
}
