import { isUtf8 } from "node:buffer";
import { brotliDecompressSync, inflateRawSync, unzipSync } from "node:zlib";
import { isJson } from "../../openapi/route.js";
import { parseContent, type Content } from "./recording.js";

/** What a HAR entry says about a body. */
export interface HarBody {
  /** The `text` property. */
  text: unknown;
  /** The `encoding` property, which is missing if `text` is the body itself. */
  encoding: unknown;
  headers: Readonly<Record<string, string>>;
  mediaType: string;
  /** The size of the decoded body in bytes; NaN or negative if the HAR does not state it. */
  size: number;
  /** The number of bytes on the wire; NaN or negative if the HAR does not state it. */
  wireSize: number;
  /** The number of bytes of the headers, which Firefox includes in `wireSize`. */
  headersSize?: number;
  /** Whether the body is somewhere else, such as in a list of form fields, or in the cache of the browser. */
  isElsewhere?: boolean;
  /** Whether the transfer failed before its end. */
  isAborted?: boolean;
}

/**
 * Reads a body. An empty body has no content. Returns undefined if the HAR does not contain the body: a recorder can
 * drop it, cut it off, or encode it in an unknown way, so a body is empty only if the HAR says so.
 */
export function readHarBody(body: HarBody): Content | undefined {
  const { text, mediaType, isAborted = false } = body;
  if ((text ?? "") === "") return isStatedEmpty(body) && !isAborted ? {} : undefined;
  const decoded = typeof text === "string" ? decode(text, body) : undefined;
  if (decoded === undefined) return undefined;
  const content = parseContent(decoded, mediaType);
  // DevTools can mark a complete response as aborted, recorders cut off long text, and a proxy can change a body, so such
  // a body is kept only if it is valid JSON.
  const length = Buffer.byteLength(decoded);
  const isCut = isAborted || listSizes(body).some((each) => each > length);
  return isCut && content.body === undefined ? undefined : content;
}

/** Lists the sizes of the decoded body that a HAR states. A size is NaN or negative if the HAR does not state it. */
function listSizes({ headers, size, wireSize, headersSize = 0 }: HarBody): number[] {
  if (isTransferCoded(headers)) return [size];
  return [size, Number(headers["content-length"]), wireSize - (headersSize > 0 ? headersSize : 0)];
}

/** Checks whether a body was compressed or sent in chunks, so that its size on the wire differs. */
function isTransferCoded(headers: HarBody["headers"]): boolean {
  return (headers["content-encoding"] ?? headers["transfer-encoding"]) !== undefined;
}

/** How many bytes a compressed empty body can have. */
const EMPTY_SIZES = new Map([
  ["gzip", 20],
  ["x-gzip", 20],
  ["deflate", 8],
  ["br", 1],
]);

/** The maximum size of an empty body in bytes on the wire, which includes compression and chunk lengths. */
const MAX_EMPTY_WIRE_SIZE = 31;

/**
 * Checks whether a HAR says that a body without text is empty. The size 0 alone does not say so, because it is also the
 * size that Safari, Playwright, and HTTP Toolkit write for a body that they do not have.
 */
function isStatedEmpty({ text, headers, size, wireSize, isElsewhere }: HarBody): boolean {
  const { "content-length": length, "content-encoding": coding } = headers;
  // Without headers, a size of 0 is only a default.
  if (size > 0 || isElsewhere || Object.keys(headers).length === 0) return false;
  if (length === "0") return true;
  // mitmproxy writes null in place of a body that it did not keep.
  if (size !== 0 || text === null) return false;
  if (length !== undefined) return Number(length) <= (EMPTY_SIZES.get(coding!) ?? 0);
  return isTransferCoded(headers) ? wireSize > 0 && wireSize <= MAX_EMPTY_WIRE_SIZE : text === "";
}

/** Names of encodings whose text is the body itself. */
const PLAIN = new Set(["", "utf-8", "utf8", "us-ascii", "ascii", "text", "plain"]);

/** The encodings of bytes as text, with the text that they produce. */
const ENCODINGS = new Map([
  ["hex", /^(?:[\da-f]{2})+$/i],
  ["base64", /^[\w+/-]+={0,2}$/],
] as const);
type Encoding = typeof ENCODINGS extends Map<infer Name, unknown> ? Name : never;

/** Limits that prevent a small compressed body from using too much memory. */
const LIMITS = { maxOutputLength: 64 * 2 ** 20 };

/** Decoders by content coding (RFC 9110, section 8.4.1). Some servers send `deflate` without the zlib header. */
const DECODERS = new Map<string, (bytes: Buffer) => Buffer>([
  ["gzip", (bytes) => unzipSync(bytes, LIMITS)],
  ["x-gzip", (bytes) => unzipSync(bytes, LIMITS)],
  [
    "deflate",
    (bytes) => (bytes[0] === 0x78 ? unzipSync(bytes, LIMITS) : inflateRawSync(bytes, LIMITS)),
  ],
  ["br", (bytes) => brotliDecompressSync(bytes, LIMITS)],
  ["identity", (bytes) => bytes],
]);

/** Decodes the text of a body. Returns undefined if the encoding is unknown, or if the text is encoded differently. */
function decode(text: string, { encoding, headers, mediaType }: HarBody): string | undefined {
  const { "content-encoding": codings = "" } = headers;
  const given = encoding ?? "";
  if (typeof given !== "string") return undefined;
  const name = given.toLowerCase();
  if (PLAIN.has(name)) return decodeUnmarked(text, codings, mediaType);
  // Some exporters write the content coding in place of the encoding.
  if (DECODERS.has(name)) return decodeUnmarked(text, name, mediaType);
  const bytes = toBytes(text, name);
  // A browser decompresses the body, but keeps the `content-encoding` header.
  return bytes && toText(decompress(bytes, codings) ?? bytes);
}

/** A data URL, or a body with the lengths of its chunks. */
const WRAPPED = /^(?:data:[\w/+.;=-]*,|[\da-f]+\r\n[^]*\r\n0\r\n\r\n$)/i;

/**
 * Decodes text that has no mark. The text is usually the body itself, but some recorders write a compressed body, or the
 * hexadecimal or base64 form of a body, without a mark.
 */
function decodeUnmarked(text: string, codings: string, mediaType: string): string | undefined {
  const isList = /^\s*\[\s*"/.test(text);
  // Returns early, because this function runs for every body.
  if (/^\s*[[{<]/.test(text) && !isList) return text;
  if (isJsonText(text) && !isList) return text;
  const encoded = [...ENCODINGS.keys()].flatMap((each) => toBytes(text, each) ?? []);
  for (const bytes of [...encoded, Buffer.from(text, "latin1")])
    for (const read of [decompress(bytes, codings), bytes]) {
      const decoded = (read && toText(read)) ?? "";
      if (decoded !== text && /^\s*[[{]/.test(decoded) && isJsonText(decoded)) return decoded;
    }
  const isBinary = WRAPPED.test(text) || /[^\P{Cc}\s]|\uFFFD/u.test(text);
  const isCompressed = encoded.some(isGzip) || (codings !== "" && encoded.length > 0 && !isList);
  return isBinary || (isCompressed && isJson({ name: mediaType })) ? undefined : text;
}

/** Reads text as bytes. Polly writes a list of chunks, as JSON. Returns undefined if the text has a different form. */
function toBytes(text: string, encoding: string): Buffer | undefined {
  const form = ENCODINGS.get(encoding as Encoding);
  if (!form) return undefined;
  const chunks = (/^\s*\[/.test(text) ? listChunks(text) : [text]).map((each) =>
    each.replace(/\s+/g, ""),
  );
  if (chunks.length === 0 || !chunks.every((each) => form.test(each))) return undefined;
  return Buffer.concat(chunks.map((each) => Buffer.from(each, encoding as Encoding)));
}

function listChunks(text: string): string[] {
  const list = (isJsonText(text) ? JSON.parse(text) : []) as unknown[];
  return list.every((each) => typeof each === "string") ? list : [];
}

/** Decompresses bytes. Returns undefined if a content coding is unknown, or if the bytes have no content coding. */
function decompress(bytes: Buffer, codings: string): Buffer | undefined {
  const names = codings.toLowerCase().match(/[^\s,]+/g) ?? (isGzip(bytes) ? ["gzip"] : []);
  if (names.length === 0) return undefined;
  try {
    return names.toReversed().reduce((read, name) => DECODERS.get(name)!(read), bytes);
  } catch {
    return undefined;
  }
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function toText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
