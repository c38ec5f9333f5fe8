import { isUtf8 } from "node:buffer";
import { brotliDecompressSync, unzipSync } from "node:zlib";
import { at } from "../engine/pointer.js";
import { isJson } from "../engine/route.js";
import type { Exchange, Json } from "../engine/types.js";
import { fileSource, InputError, locator, stringSource, type Source } from "./json.js";
import { contentOf, headersAt, integerAt, objectAt, sentContentOf } from "./recording.js";
import { statusAt, textAt, type Content } from "./recording.js";

/** Why an exchange is skipped. It is counted, but is neither a finding nor a failure. */
export type SkipReason =
  | "other host"
  | "other path"
  | "no response"
  | "not called"
  | "CORS preflight"
  | "not modified"
  | "redirect"
  | "body not kept";

/** The HAR that contains an entry. */
export interface Har {
  /** Its name in reports. */
  file: string;
  /** Where the service is called: the origins, and the path before `/3/`. */
  origins: ReadonlySet<string>;
  prefix: string;
  /** Whether the origins are those of all paths below `/3/`, because the user gave none. */
  isGuessed: boolean;
  /** Reads a file that contains a body. @throws {InputError} */
  attachment: (name: string) => Buffer;
}

/** Some proxies write only the path. */
const BASE = "http://host.invalid";
const TEXT = "/response/content/text";
const FILE = "/response/content/_file";
/** Browsers follow redirects, and record each target as a separate entry. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Prevents a small compressed body from exhausting the memory. */
const LIMITS = { maxOutputLength: 64 * 2 ** 20 };

/** Where the service is called. @param baseUrl if not given, every host with a path below `/3/` */
export function hostsOf(
  entries: readonly Json[],
  baseUrl: URL | undefined,
): Pick<Har, "origins" | "prefix" | "isGuessed"> {
  if (baseUrl) {
    const prefix = baseUrl.pathname.replace(/\/+$/, "");
    return { origins: new Set([baseUrl.origin]), prefix, isGuessed: false };
  }
  const urls = entries.flatMap((each) => urlOf(at(each, "/request/url")) ?? []);
  const isOurs = ({ protocol, pathname }: URL) =>
    /^https?:$/.test(protocol) && pathname.startsWith("/3/");
  const origins = new Set(urls.filter(isOurs).map(({ origin }) => origin));
  return { origins, prefix: "", isGuessed: true };
}

function urlOf(value: unknown): URL | undefined {
  return typeof value === "string" && URL.canParse(value, BASE) ? new URL(value, BASE) : undefined;
}

/** Converts a HAR 1.2 entry to an exchange, or returns why it is skipped. @throws {InputError} it is not an entry */
export function readEntry(
  name: string,
  source: Source,
  entry: Json,
  har: Har,
): Exchange | SkipReason {
  for (const pointer of ["", "/request"]) objectAt(entry, pointer);
  const url = urlOf(textAt(entry, "/request/url"));
  if (!url) throw new InputError("must be a URL", "/request/url");
  if (!har.origins.has(url.origin)) return "other host";
  const { headers, places } = headersAt(entry, "/response/headers");
  const type = at(entry, "/response/content/mimeType");
  const path = pathOf(url, har);
  if (!/^\/\d+\//.test(path) && !isApi(headers["content-type"] ?? type, har)) return "other path";
  const method = textAt(entry, "/request/method").toUpperCase();
  objectAt(entry, "/response");
  if (method === "OPTIONS") return "CORS preflight";
  // Browsers write 0 if the request was blocked or aborted; some proxies write -1.
  if (integerAt(entry, "/response/status") <= 0) return "no response";
  const status = statusAt(entry, "/response/status");
  if (status === 304) return "not modified";
  if (REDIRECTS.has(status)) return "redirect";
  const sent = sentBody(entry);
  // Exporters that drop the headers still record the media type.
  if (Object.keys(places).length === 0 && typeof type === "string" && type !== "")
    headers["content-type"] = type;
  const content = bodyOf(entry, headers, source, har);
  // DevTools marks a response as aborted, but its body may still be complete.
  const isAborted = at(entry, "/response/_error") && content?.kept.body === undefined;
  if (sent === undefined || !content || isAborted) return "body not kept";
  const { kept, repeated = [] } = content;
  const body = at(entry, FILE) === undefined ? TEXT : FILE;
  const query = Object.fromEntries(url.searchParams);
  return {
    name,
    request: { method, path, query, ...sentContentOf(sent, "/request/postData/text") },
    response: { status, headers, ...kept, repeated },
    locate: locator(source, { path: "/request/url", body, ...places }, content.source),
  };
}

/** The path from `/3`; for a URL outside the base URL, its origin too, so that it matches no operation. */
function pathOf({ origin, pathname }: URL, { prefix }: Har): string {
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : origin + pathname;
}

/** Pages and their resources: web apps may share the host of the service. */
const PAGE = /^[^;]*(?:html|css|javascript|manifest|image|font|audio|video)/i;

/** Whether a response on the host of the service belongs to an API, according to its media type. */
function isApi(type: unknown, { isGuessed }: Har): boolean {
  const name = String(type ?? "");
  return !PAGE.test(name) && (!isGuessed || isJson({ name }));
}

/** The request body; some browsers keep only form fields. Undefined if the HAR does not contain it. */
function sentBody(entry: Json): string | undefined {
  const text = at(entry, "/request/postData/text");
  if (typeof text === "string" && text !== "") return text;
  const fields = at(entry, "/request/postData/params");
  if (!Array.isArray(fields)) return Number(at(entry, "/request/bodySize")) > 0 ? undefined : "";
  return fields.map((each) => `${at(each, "/name")}=${at(each, "/value")}`).join("&");
}

/** The response body; undefined if the HAR does not contain it. */
function bodyOf(
  entry: Json,
  headers: Readonly<Record<string, string>>,
  source: Source,
  har: Har,
): (Content & { source?: Source }) | undefined {
  const coding = headers["content-encoding"];
  const name = at(entry, FILE);
  if (typeof name === "string" && name !== "") {
    const decoded = decode(har.attachment(name), coding);
    if (decoded === undefined) return undefined;
    const content = contentOf(decoded);
    const file = har.file.replace(/[^/]*$/, name);
    return { ...content, source: fileSource(file, content.json ?? "") };
  }
  const text = at(entry, TEXT);
  if (typeof text === "string" && text !== "") {
    // Characters in base64 do not correspond to characters of the body, so all values share one position.
    if (at(entry, "/response/content/encoding") === "base64") {
      const bytes = fromBase64(text);
      const decoded = bytes && decode(bytes, coding);
      return decoded === undefined ? undefined : contentOf(decoded);
    }
    const content = contentOf(text);
    const { json } = content;
    return json === undefined ? content : { ...content, source: stringSource(source, TEXT, json) };
  }
  // Only `size` shows whether the body is empty; the transferred size includes chunks, codings or even headers.
  const size = at(entry, "/response/content/size");
  // Playwright may omit the sizes; it writes no text if it did not receive the body.
  const isEmpty = size === 0 || (size === -1 && text === "");
  const isExpected = coding === undefined && Number(headers["content-length"]) > 0;
  return isEmpty && !isExpected ? { kept: {} } : undefined;
}

/** Keyed by the registered names of RFC 9110, section 8.4.1; `unzip` also reads zlib, the format of `deflate`. */
const DECODERS = new Map([
  ["gzip", unzipSync],
  ["x-gzip", unzipSync],
  ["deflate", unzipSync],
  ["br", brotliDecompressSync],
]);

/** Decodes base64; undefined if it is truncated, or contains other characters, which Buffer would ignore. */
function fromBase64(text: string): Buffer | undefined {
  const digits = text.replace(/[\s=]/g, "");
  const bytes = Buffer.from(digits, "base64");
  const isValid = digits.length % 4 !== 1 && bytes.length === Math.floor((digits.length * 3) / 4);
  return isValid ? bytes : undefined;
}

/** Decodes a body, which some proxies record compressed; undefined if that is impossible. */
function decode(coded: Buffer, codings = ""): string | undefined {
  let bytes = coded;
  try {
    const names = codings.toLowerCase().match(/[^\s,]+/g) ?? [];
    for (const name of names.filter((each) => each !== "identity").toReversed()) {
      const decoder = DECODERS.get(name);
      if (!decoder) throw new Error("unknown coding");
      bytes = decoder(bytes, LIMITS);
    }
  } catch {
    // Browsers record the decoded body, but keep the `content-encoding` header.
    if (!isUtf8(coded)) return undefined;
    bytes = coded;
  }
  return new TextDecoder().decode(bytes);
}
