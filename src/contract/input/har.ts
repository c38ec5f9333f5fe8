import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { at } from "../engine/pointer.js";
import type { Exchange, Json } from "../engine/types.js";
import { locator, PARTS, type Source } from "./json.js";
import {
  contentOf,
  FormError,
  headersAt,
  integerAt,
  objectAt,
  statusAt,
  textAt,
} from "./recording.js";
import type { Content } from "./recording.js";

/** Why an exchange is left out: it is counted, and neither a finding nor a reason to fail. */
export type SkipReason =
  | "other host"
  | "other path"
  | "no response"
  | "not called"
  | "CORS preflight"
  | "not modified"
  | "redirect"
  | "body not kept";

/** Some proxies write the path only. */
const BASE = "http://host.invalid";
const BODY = "/response/content/text";
const FILE = "/response/content/_file";
/** Browsers follow them, and record the target as an entry of its own. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** No HAR holds larger bodies; the limit keeps a small compressed body from filling the memory. */
const LIMITS = { maxOutputLength: 64 * 2 ** 20 };

/** Where the service is called: the origins, and the path before `/3/`. */
export interface Hosts {
  origins: ReadonlySet<string>;
  prefix: string;
}

/**
 * The hosts of the service. Without a base URL, these are all hosts with a path below `/3/`, where the described paths
 * start.
 */
export function hostsOf(entries: readonly Json[], baseUrl: URL | undefined): Hosts {
  if (baseUrl) {
    return { origins: new Set([baseUrl.origin]), prefix: baseUrl.pathname.replace(/\/+$/, "") };
  }
  const urls = entries.flatMap((each) => urlOf(at(each, "/request/url")) ?? []);
  const ours = urls.filter(
    ({ protocol, pathname }) => /^https?:$/.test(protocol) && pathname.startsWith("/3/"),
  );
  return { origins: new Set(ours.map(({ origin }) => origin)), prefix: "" };
}

function urlOf(value: unknown): URL | undefined {
  return typeof value === "string" && URL.canParse(value, BASE) ? new URL(value, BASE) : undefined;
}

/**
 * Makes an exchange from an entry of a HAR 1.2, or returns why it is skipped. @throws {FormError} it is not an entry
 * @param har path of the file, for attached bodies; undefined for standard input
 */
export function readEntry(
  source: Source,
  entry: Json,
  { origins, prefix }: Hosts,
  har: { file: string; path?: string | undefined },
): Exchange | SkipReason {
  for (const pointer of ["", "/request"]) objectAt(entry, pointer);
  const url = urlOf(textAt(entry, "/request/url"));
  if (!url) throw new FormError("must be a URL", "/request/url");
  if (!origins.has(url.origin)) return "other host";
  // A service may have other versions; a page or an image of the same host is not its business.
  const path = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : "";
  if (!/^\/\d+\//.test(path)) return "other path";
  const method = textAt(entry, "/request/method").toUpperCase();
  objectAt(entry, "/response");
  if (method === "OPTIONS") return "CORS preflight";
  // Browsers write 0 if the request was blocked or aborted; some proxies write -1.
  if (integerAt(entry, "/response/status") <= 0) return "no response";
  const status = statusAt(entry, "/response/status");
  if (status === 304) return "not modified";
  if (REDIRECTS.has(status)) return "redirect";
  const sent = sentBody(entry);
  if (sent === undefined) return "body not kept";
  const { headers, places } = headersAt(entry, "/response/headers");
  const type = at(entry, "/response/content/mimeType");
  // An exporter that keeps no headers still names the media type.
  if (places.size === 0 && typeof type === "string" && type !== "") headers["content-type"] = type;
  const content = bodyOf(entry, headers, har);
  // DevTools writes why a response was aborted; what had arrived by then may still be complete.
  const isAborted = at(entry, "/response/_error") && content?.checked.body === undefined;
  if (!content || isAborted) return "body not kept";
  const place = content.file === undefined ? BODY : FILE;
  const parts = new Map([...PARTS, ["path", "/request/url"], ["body", place], ...places]);
  const { checked, repeated = [], inner, file } = content;
  return {
    name: source.file,
    request: {
      method,
      path,
      query: Object.fromEntries(url.searchParams),
      ...contentOf(sent).checked,
    },
    response: { status, headers, ...checked, repeated },
    locate: locator(source, parts, inner === undefined ? undefined : { text: inner, file }),
  };
}

/** The request body, of which some browsers keep only the fields of a form; undefined if the HAR does not hold it. */
function sentBody(entry: Json): string | undefined {
  const text = at(entry, "/request/postData/text");
  if (typeof text === "string" && text !== "") return text;
  const fields = at(entry, "/request/postData/params");
  if (!Array.isArray(fields)) return Number(at(entry, "/request/bodySize")) > 0 ? undefined : "";
  return fields.map((each) => `${at(each, "/name")}=${at(each, "/value")}`).join("&");
}

/** The response body; undefined if the HAR does not hold it. */
function bodyOf(
  entry: Json,
  headers: Record<string, string>,
  har: { file: string; path?: string | undefined },
): (Content & { file?: string }) | undefined {
  const coding = headers["content-encoding"];
  const attached = attachmentOf(entry);
  if (attached !== undefined) {
    const file = har.file.replace(/[^/]*$/, attached);
    return { ...contentOf(decode(attachedBytes(attached, har.path), coding)), file };
  }
  const text = at(entry, BODY);
  if (typeof text === "string" && text !== "") {
    if (at(entry, "/response/content/encoding") !== "base64") return contentOf(text);
    // No character of base64 stands for a single character of the body, so the body has one position.
    const { checked, repeated = [] } = contentOf(decode(Buffer.from(text, "base64"), coding));
    return { checked, repeated };
  }
  // The size says if the body is empty; the transferred size includes chunks, codings or even headers.
  const size = at(entry, "/response/content/size");
  // Playwright may leave out the sizes; it writes no text if it did not get the body.
  const isEmpty = size === 0 || (size === -1 && text === "");
  const isExpected = coding === undefined && Number(headers["content-length"]) > 0;
  return isEmpty && !isExpected ? { checked: {} } : undefined;
}

/** The file beside the HAR that holds the body, as Playwright writes it with `content: "attach"`. */
export function attachmentOf(entry: Json | undefined): string | undefined {
  const name = at(entry, FILE);
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** @throws {FormError} the file cannot be read, or is not below the folder of the HAR */
function attachedBytes(name: string, path: string | undefined): Buffer {
  if (path === undefined) {
    throw new FormError("names a file, so pass the HAR by its path, not on standard input", FILE);
  }
  try {
    const folder = realpathSync(dirname(path));
    const file = realpathSync(resolve(folder, name));
    if (!file.startsWith(folder.replace(/\/*$/, sep))) {
      throw new FormError("names a file outside the folder of the HAR", FILE);
    }
    const kind = statSync(file);
    if (!kind.isFile() || kind.size > LIMITS.maxOutputLength) {
      throw new FormError("must name a regular file of at most 64 MB", FILE);
    }
    return readFileSync(file);
  } catch (error) {
    if (error instanceof FormError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new FormError(`names a file that cannot be read (${code})`, FILE);
  }
}

/** By the names that RFC 9110, 8.4.1 and its registry give them. */
const DECODERS = new Map<string, (coded: Buffer, limits: typeof LIMITS) => Buffer>([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflate],
  ["br", brotliDecompressSync],
]);

/** Some servers omit the zlib header. A text that starts like JSON is decoded already. */
function inflate(coded: Buffer, limits: typeof LIMITS): Buffer {
  const [first = 0] = coded;
  const isBare = (first & 15) !== 8 && !/[\s{[]/.test(String.fromCharCode(first));
  return (isBare ? inflateRawSync : inflateSync)(coded, limits);
}

/** The text of a body. Some proxies keep it compressed, as `content-encoding` says. */
function decode(coded: Buffer, codings = ""): string {
  let bytes = coded;
  try {
    const names = codings.toLowerCase().split(/[\s,]+/);
    bytes = names.reduceRight((each, name) => DECODERS.get(name)?.(each, LIMITS) ?? each, coded);
  } catch {
    // Browsers keep the decoded body beside the header of the encoded one.
  }
  return new TextDecoder().decode(bytes);
}
