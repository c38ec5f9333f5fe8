import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import type { Json } from "../engine/types.js";
import { FormError } from "./form.js";
import { DepthError, JsonError, parseJson } from "./json.js";

/** What a text carries. */
export interface Content {
  /** Parsed, or as text where it is no JSON; neither where it is empty. */
  judged: { body?: Json; text?: string };
  /** The text that was parsed. */
  inner?: string;
}

/** More than any JSON body has; it keeps a small compressed body from filling the memory. */
const LIMITS = { maxOutputLength: 64 * 2 ** 20 };

/** By the names of RFC 9110, 8.4.1, and of its registry. */
const DECODERS = new Map<string, (coded: Buffer, limits: typeof LIMITS) => Buffer>([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflate],
  ["br", brotliDecompressSync],
]);

/** Some servers leave out the header of zlib. What begins as JSON does is decoded already. */
function inflate(coded: Buffer, limits: typeof LIMITS): Buffer {
  const [first = 0] = coded;
  const isBare = (first & 15) !== 8 && !/[\s{[]/.test(String.fromCharCode(first));
  return (isBare ? inflateRawSync : inflateSync)(coded, limits);
}

/** Parses a body. @throws {FormError} it nests too deeply to be judged */
export function contentOf(text: string): Content {
  if (text === "") return { judged: {} };
  // As `Response.json()` does; a space keeps every offset.
  const inner = text.replace(/^\uFEFF/, " ");
  try {
    return { judged: { body: parseJson(inner) }, inner };
  } catch (error) {
    if (error instanceof DepthError) throw new FormError(`holds a body that ${error.message}`);
    if (error instanceof JsonError) return { judged: { text } };
    throw error;
  }
}

/** The text of a base64 body. Some proxies keep it compressed, as `content-encoding` then says. */
export function decodeBase64(base64: string, codings = ""): string {
  let bytes: Buffer = Buffer.from(base64, "base64");
  try {
    const names = codings.toLowerCase().split(/[\s,]+/);
    bytes = names.reduceRight((coded, each) => DECODERS.get(each)?.(coded, LIMITS) ?? coded, bytes);
  } catch {
    // Browsers keep the decoded body beside the header of the coded one.
  }
  return new TextDecoder().decode(bytes);
}
