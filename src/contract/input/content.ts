import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { Json } from "../types.js";
import { FormError } from "./form.js";
import { DepthError, JsonError, parseJson } from "./json.js";

/** What a text carries. */
export interface Content {
  /** Parsed, or as text where it is no JSON; neither where it is empty. */
  judged: { body: Json } | { text: string } | Record<never, never>;
  /** The text that was parsed, without a byte order mark. */
  inner?: string;
}

/** More than any JSON body has; it keeps a small compressed body from filling the memory. */
const LONGEST_BODY = 64 * 2 ** 20;

const DECODERS = new Map([
  ["gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
]);

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
export function decodeBase64(base64: string, encoding = ""): string {
  let bytes = Buffer.from(base64, "base64");
  try {
    bytes =
      DECODERS.get(encoding.toLowerCase())?.(bytes, { maxOutputLength: LONGEST_BODY }) ?? bytes;
  } catch {
    // Browsers keep the decoded body beside the header of the coded one.
  }
  return new TextDecoder().decode(bytes);
}
