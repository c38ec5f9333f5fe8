import type { UnvalidatedReason } from "../engine/check-response.js";
import { getAtPointer } from "../../openapi/pointer.js";
import { commonPrefix, findPrefix, isJson, matchPath } from "../../openapi/route.js";
import type { Json, Operation } from "../../openapi/description.js";
import type { Exchange } from "../../types/exchange.js";
import { embedBodies } from "./attachments.js";
import { createLocator, InputError, type Source } from "./json.js";
import { readHarBody } from "./har-body.js";
import { headersAt, objectAt, readQuery, statusAt, stringAt } from "./recording.js";
import { parseUrl } from "../../client/text.js";

/** The reason why a HAR entry is skipped, or why `--live` does not call an operation. */
export type SkipReason =
  "other host" | "other path" | "CORS preflight" | "changes data" | "needs a value";

/** An exchange whose path is already matched. */
export interface RoutedExchange {
  exchange: Exchange;
  /** The operations whose path template matches the path of the exchange, most specific first. */
  matching: readonly Operation[];
}

/** The result of reading a HAR 1.2 entry. */
export type Entry =
  | RoutedExchange
  | { unvalidated: UnvalidatedReason }
  | { skipped: SkipReason }
  /** The pointer to the name of another file, which should contain the body, but is missing. */
  | { attached: string };

/** Request headers that ask for a response only if the resource has changed. */
const CONDITIONS = ["if-none-match", "if-modified-since"];
/** The base URL for HAR entries whose URL is only a path, which some proxies write. */
const BASE = "http://host.invalid";
const TEXT = "/response/content/text";
const FILE = "/response/content/_file";
const REQUEST_TEXT = "/request/postData/text";
/** The names of the versions with which a request cannot have a body without `content-length` or chunks. */
const UNFRAMED = /^http\/1/i;

/** Returns the base URL of a request: the part of its URL before a documented path. */
export function findBaseUrl(
  given: unknown,
  paths: readonly Pick<Operation, "path">[],
): string | undefined {
  const url = typeof given === "string" ? parseUrl(given, BASE) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const prefix = findPrefix(url.pathname, paths);
  return prefix === undefined ? undefined : url.origin + prefix;
}

/**
 * Finds the path of a request below the base URLs of the API, and the operations that the path matches. Returns a reason
 * if the request was sent elsewhere.
 */
function routeRequest(
  { origin, pathname }: URL,
  baseUrls: ReadonlySet<string>,
  operations: readonly Operation[],
): { path: string; matching: readonly Operation[] } | { skipped: SkipReason } {
  const sameOrigin = [...baseUrls].filter((each) => new URL(each).origin === origin);
  if (sameOrigin.length === 0) return { skipped: "other host" };
  const paths = sameOrigin
    .filter((base) => `${origin}${pathname}`.startsWith(`${base}/`))
    .toSorted((a, b) => b.length - a.length)
    .map((base) => `${origin}${pathname}`.slice(base.length));
  // A mistyped request, such as `/3/3/movie/7`, suggests the base URL `/3`, which also encloses the correct requests.
  for (const path of paths) {
    const matching = matchPath(path, operations);
    if (matching.length > 0) return { path, matching };
  }
  const prefix = `${commonPrefix(operations)}/`;
  const path = paths.find((each) => each.startsWith(prefix)) ?? paths[0];
  return path === undefined ? { skipped: "other path" } : { path, matching: [] };
}

/**
 * Reads a HAR 1.2 entry.
 * @param har the path to the HAR, whose folder can contain bodies
 * @throws {InputError} if the value is not a HAR entry
 */
export function readEntry(
  name: string,
  source: Source,
  entry: Json,
  baseUrls: ReadonlySet<string>,
  operations: readonly Operation[],
  har: string,
): Entry {
  for (const pointer of ["", "/request"]) objectAt(entry, pointer);
  const url = parseUrl(stringAt(entry, "/request/url"), BASE);
  if (!url) throw new InputError("must be a URL", "/request/url");
  const route = routeRequest(url, baseUrls, operations);
  if ("skipped" in route) return route;
  const { path, matching } = route;
  const { headers, locations } = headersAt(entry, "/response/headers");
  const type = headers["content-type"] ?? mimeTypeAt(entry, "/response/content");
  // Web pages can share the host, and even the path prefix, with the API. An undocumented path counts as part of the
  // API if it starts like all documented paths, or if the response is JSON.
  const prefix = commonPrefix(operations);
  const isApi =
    matching.length > 0 ||
    (prefix !== "" && path.startsWith(`${prefix}/`)) ||
    isJson({ name: type });
  if (!isApi) return { skipped: "other path" };
  const method = stringAt(entry, "/request/method").toUpperCase();
  objectAt(entry, "/response");
  const called = matching.find((each) => each.method === method);
  if (method === "OPTIONS" && (!called || isPreflight(entry))) return { skipped: "CORS preflight" };
  // If the request was blocked or aborted, browsers write the status 0, and some proxies write -1.
  const status = getAtPointer(entry, "/response/status");
  if (status === 0 || status === -1) return { unvalidated: "no response" };
  // Chrome writes this header into a response that it made itself, such as a redirect to HTTPS.
  if ("non-authoritative-reason" in headers) return { unvalidated: "no response" };
  if (status === 304) return { unvalidated: "not modified" };
  embedBodies(entry, har);
  if (getAtPointer(entry, FILE) !== undefined) return { attached: FILE };
  const sent = headersAt(entry, "/request/headers").headers;
  const exchange = {
    name,
    request: {
      method,
      path,
      query: readQuery(url.searchParams),
      ...readRequest(entry, sent, called?.requestContent),
    },
    response: {
      status: statusAt(entry, "/response/status"),
      ...completeHeaders(headers, type, sent),
      ...(method !== "HEAD" && readResponseBody(entry, headers, type)),
    },
    locate: createLocator(source, {
      path: "/request/url",
      body: TEXT,
      "request body": REQUEST_TEXT,
      ...locations,
    }),
  };
  return { exchange, matching };
}

function isPreflight(entry: Json): boolean {
  return "access-control-request-method" in headersAt(entry, "/request/headers").headers;
}

/** Returns a size in bytes, or NaN if the HAR does not contain this size. */
function sizeAt(entry: Json, pointer: string): number {
  const size = getAtPointer(entry, pointer);
  return typeof size === "number" ? size : Number.NaN;
}

/** Returns the media type of a body, or an empty string if the HAR does not contain the media type. */
function mimeTypeAt(entry: Json, pointer: string): string {
  const type = getAtPointer(entry, `${pointer}/mimeType`);
  return typeof type === "string" && !type.endsWith("x-unknown") ? type : "";
}

/** Reads the headers and the body of the request. @param content the documented media types of the request body */
function readRequest(
  entry: Json,
  headers: Readonly<Record<string, string>>,
  content: Operation["requestContent"] = [],
): Partial<Exchange["request"]> {
  const contentType = headers["content-type"] ?? mimeTypeAt(entry, "/request/postData");
  // Over HTTP/2 and HTTP/3, Chromium writes the size 0 if it does not know the size of a body, and sends
  // `content-length: 0` if there is no body.
  const version = getAtPointer(entry, "/request/httpVersion");
  const isFramed = typeof version !== "string" || !UNFRAMED.test(version);
  const stated = sizeAt(entry, "/request/bodySize");
  const size = isFramed && stated === 0 ? Number.NaN : stated;
  const at = (name: string) => getAtPointer(entry, `/request/postData/${name}`);
  const text = at("text");
  const isElsewhere = (at("params/0") ?? at("_file")) !== undefined;
  const body = readHarBody({
    // A request without a body usually has no `postData`, so that its size alone says that there is no body.
    text: text === undefined ? "" : text,
    encoding: at("encoding") ?? at("_encoding"),
    headers,
    mediaType: contentType,
    size,
    wireSize: Number.NaN,
    isElsewhere,
  });
  const isSent =
    size > 0 ||
    isElsewhere ||
    Number(headers["content-length"]) > 0 ||
    headers["transfer-encoding"] !== undefined;
  // If nothing suggests that there was a body, a missing body matters only to an operation with a request body.
  const isBodyUnrecorded = !body && (isSent || content.length > 0);
  return {
    headers: { ...headers, ...(contentType !== "" && { "content-type": contentType }) },
    ...body,
    ...(isBodyUnrecorded && { isBodyUnrecorded }),
  };
}

/**
 * Returns the headers of a response. If a browser revalidated its copy of the response, the HAR contains the headers of
 * the 304 response, which need not repeat the media type. Some exporters drop all headers, but can keep the media type.
 */
function completeHeaders(
  headers: Readonly<Record<string, string>>,
  type: string,
  sent: Readonly<Record<string, string>>,
): Pick<Exchange["response"], "headers" | "areHeadersUnrecorded"> {
  const isRevalidated = CONDITIONS.some((name) => sent[name] !== undefined);
  const isDropped = Object.keys(headers).length === 0;
  if (headers["content-type"] !== undefined || !(isRevalidated || isDropped)) return { headers };
  const mediaType = type === "" ? {} : { "content-type": type };
  return { headers: { ...headers, ...mediaType }, areHeadersUnrecorded: true };
}

/** Reads the response body. */
function readResponseBody(
  entry: Json,
  headers: Readonly<Record<string, string>>,
  mediaType: string,
): Partial<Exchange["response"]> {
  const at = (name: string) => getAtPointer(entry, `/response/content/${name}`);
  // Chrome DevTools sets `_error` to null if the request succeeded, and to an error message otherwise.
  const error = getAtPointer(entry, "/response/_error");
  const text = at("text");
  const size = sizeAt(entry, "/response/content/size");
  const body = readHarBody({
    text,
    encoding: at("encoding") ?? at("_encoding"),
    headers,
    mediaType,
    // Playwright can write a size of -1. Empty text then means an empty body. If `text` is missing, Playwright did not
    // receive the body.
    size: size === -1 && text === "" ? 0 : size,
    wireSize: sizeAt(entry, "/response/bodySize"),
    headersSize: sizeAt(entry, "/response/headersSize"),
    // Chrome writes the size 0 if it did not read the body from its cache.
    isElsewhere: getAtPointer(entry, "/_fromCache") !== undefined,
    isAborted: typeof error === "string" && error !== "",
  });
  const hasNoBody = [204, 205].includes(Number(getAtPointer(entry, "/response/status")));
  return body ?? (hasNoBody ? {} : { isBodyUnrecorded: true });
}
