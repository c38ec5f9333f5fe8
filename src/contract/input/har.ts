import { isUtf8 } from "node:buffer";
import { brotliDecompressSync, unzipSync } from "node:zlib";
import type { UnvalidatedReason } from "../engine/check.js";
import { getAtPointer } from "../../openapi/pointer.js";
import { commonPrefix, findPrefix, hasLiteral, isJson, matchPath } from "../../openapi/route.js";
import type { Json, Operation } from "../../openapi/description.js";
import type { Exchange } from "../engine/types.js";
import { createLocator, InputError, type Source } from "./json.js";
import { headersAt, objectAt, parseContent, readQuery, statusAt, stringAt } from "./recording.js";
import type { Content } from "./recording.js";
import { parseUrl } from "../../client/text.js";

/** The reason why a HAR entry is skipped, or why `--live` does not call an operation. */
export type SkipReason =
  "other host" | "other path" | "CORS preflight" | "changes data" | "needs a value";

/** The path template of an operation and, if it is known, the method. */
export type DocumentedPath = Pick<Operation, "path"> & Partial<Pick<Operation, "method">>;

/** The result of reading a HAR 1.2 entry. */
export type Entry =
  { exchange: Exchange } | { unvalidated: UnvalidatedReason } | { skipped: SkipReason };

/** The base URL for HAR entries whose URL is only a path, which some proxies write. */
const BASE = "http://host.invalid";
const TEXT = "/response/content/text";
const REQUEST_TEXT = "/request/postData/text";
/** Limits that prevent a small compressed body from using too much memory. */
const LIMITS = { maxOutputLength: 64 * 2 ** 20 };

/**
 * Returns the base URLs of the API: `baseUrl` or, if it is undefined, the part of each HAR URL that precedes a
 * documented path.
 */
export function findBaseUrls(
  entries: readonly Json[],
  operations: readonly DocumentedPath[],
  baseUrl: URL | undefined,
): Set<string> {
  if (baseUrl) return new Set([baseUrl.origin + baseUrl.pathname.replace(/\/+$/, "")]);
  const found = new Set<string>();
  // A path such as `/` or `/{id}` matches on any host.
  const identifying = operations.filter(hasLiteral);
  for (const entry of entries) {
    const given = getAtPointer(entry, "/request/url");
    const url = typeof given === "string" ? parseUrl(given, BASE) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) continue;
    const prefix = findPrefix(url.pathname, identifying);
    if (prefix !== undefined) found.add(url.origin + prefix);
  }
  return found;
}

/**
 * Reads a HAR 1.2 entry.
 * @throws {InputError} if the value is not a HAR entry, or if its body is in a different file
 */
export function readEntry(
  name: string,
  source: Source,
  entry: Json,
  baseUrls: ReadonlySet<string>,
  operations: readonly DocumentedPath[],
): Entry {
  for (const pointer of ["", "/request"]) objectAt(entry, pointer);
  const url = parseUrl(stringAt(entry, "/request/url"), BASE);
  if (!url) throw new InputError("must be a URL", "/request/url");
  const sameOrigin = [...baseUrls].filter((each) => new URL(each).origin === url.origin);
  if (sameOrigin.length === 0) return { skipped: "other host" };
  const enclosing = sameOrigin.filter((each) =>
    `${url.origin}${url.pathname}`.startsWith(`${each}/`),
  );
  const [base] = enclosing.toSorted((a, b) => b.length - a.length);
  const { headers, locations } = headersAt(entry, "/response/headers");
  const mimeType = getAtPointer(entry, "/response/content/mimeType");
  const type = headers["content-type"] ?? (typeof mimeType === "string" ? mimeType : "");
  const path = `${url.origin}${url.pathname}`.slice(base?.length);
  const documented = matchPath(path, operations);
  // Web pages can share the host, and even the path prefix, with the API. An undocumented path counts as part of the
  // API if it starts like all documented paths, or if the response is JSON.
  const prefix = commonPrefix(operations);
  const isApi =
    documented.length > 0 ||
    (prefix !== "" && path.startsWith(`${prefix}/`)) ||
    isJson({ name: type });
  if (base === undefined || !isApi) return { skipped: "other path" };
  const method = stringAt(entry, "/request/method").toUpperCase();
  objectAt(entry, "/response");
  const isDocumented = documented.some((each) => each.method === method);
  if (method === "OPTIONS" && (!isDocumented || isPreflight(entry)))
    return { skipped: "CORS preflight" };
  // If the request was blocked or aborted, browsers write the status 0, and some proxies write -1.
  const status = getAtPointer(entry, "/response/status");
  if (status === 0 || status === -1) return { unvalidated: "no response" };
  if (status === 304) return { unvalidated: "not modified" };
  // Some exporters drop all headers, but keep the media type of the body.
  if (Object.keys(locations).length === 0 && typeof type === "string" && type !== "")
    headers["content-type"] = type;
  const content = method === "HEAD" ? {} : (readBody(entry, headers) ?? { isBodyUnrecorded: true });
  const exchange = {
    name,
    request: { method, path, query: readQuery(url.searchParams), ...readRequest(entry) },
    response: { status: statusAt(entry, "/response/status"), headers, ...content },
    locate: createLocator(source, {
      path: "/request/url",
      body: TEXT,
      "request body": REQUEST_TEXT,
      ...locations,
    }),
  };
  return { exchange };
}

function isPreflight(entry: Json): boolean {
  return "access-control-request-method" in headersAt(entry, "/request/headers").headers;
}

/** Returns a size in bytes, or NaN if the HAR does not contain this size. */
function sizeAt(entry: Json, pointer: string): number {
  const size = getAtPointer(entry, pointer);
  return typeof size === "number" ? size : Number.NaN;
}

/** Reads the request body and the access token. */
function readRequest(entry: Json): Partial<Exchange["request"]> {
  const { headers } = headersAt(entry, "/request/headers");
  const mimeType = getAtPointer(entry, "/request/postData/mimeType");
  const { authorization = "", "content-type": contentType = mimeType } = headers;
  const token = authorization.replace(/^Bearer +/i, "");
  const text = getAtPointer(entry, REQUEST_TEXT);
  const isKept = typeof text === "string" && text !== "";
  const isBodyUnrecorded = !isKept && sizeAt(entry, "/request/bodySize") > 0;
  return {
    ...(token !== "" && { token }),
    ...(typeof contentType === "string" && contentType !== "" && { contentType }),
    ...(isKept && parseContent(text, String(contentType ?? ""))),
    ...(isBodyUnrecorded && { isBodyUnrecorded }),
  };
}

/** Reads the response body. Returns undefined if the HAR does not contain the whole body. */
function readBody(entry: Json, headers: Readonly<Record<string, string>>): Content | undefined {
  const file = "/response/content/_file";
  if (getAtPointer(entry, file) !== undefined)
    throw new InputError("is not supported; export the HAR with embedded bodies", file);
  const text = getAtPointer(entry, TEXT);
  // Chrome DevTools sets `_error` to null if the request succeeded, and to an error message otherwise.
  const error = getAtPointer(entry, "/response/_error");
  const isAborted = typeof error === "string" && error !== "";
  const size = sizeAt(entry, "/response/content/size");
  const coding = headers["content-encoding"];
  if (typeof text !== "string" || text === "") {
    // Only `content.size` shows whether the body is empty: `bodySize` can include chunk lengths or even headers.
    // In a HAR from Playwright, `size` can be -1. Empty text then means an empty body. If `text` is missing, Playwright
    // did not receive the body.
    const isEmpty = size === 0 || (size === -1 && text === "");
    const isExpected = coding === undefined && Number(headers["content-length"]) > 0;
    return isEmpty && !isExpected && !isAborted ? {} : undefined;
  }
  const decoded =
    getAtPointer(entry, "/response/content/encoding") === "base64" ? decode(text, coding) : text;
  if (decoded === undefined) return undefined;
  const content = parseContent(decoded, headers["content-type"]);
  // DevTools can mark a complete response as aborted, and Firefox cuts off long text, so such a body is kept only if it
  // is valid JSON.
  const isCut = isAborted || size > Buffer.byteLength(decoded);
  return isCut && content.body === undefined ? undefined : content;
}

/**
 * Decoders by content coding (RFC 9110, section 8.4.1). `unzipSync` also reads the zlib format, which `deflate` uses.
 */
const DECODERS = new Map([
  ["gzip", unzipSync],
  ["x-gzip", unzipSync],
  ["deflate", unzipSync],
  ["br", brotliDecompressSync],
]);

/** Decodes a base64 body, which can also be compressed. Returns undefined if the body cannot be decoded to text. */
function decode(text: string, codings = ""): string | undefined {
  const coded = Buffer.from(text, "base64");
  const names = codings.toLowerCase().match(/[^\s,]+/g) ?? [];
  let bytes = coded;
  try {
    for (const name of names.toReversed()) bytes = DECODERS.get(name)!(bytes, LIMITS);
  } catch {
    // The coding is unknown, or a browser has already decompressed the body but kept the `content-encoding` header.
    return isUtf8(coded) ? new TextDecoder().decode(coded) : undefined;
  }
  return new TextDecoder().decode(bytes);
}
