import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { Json } from "../types.js";
import { JsonError, placesOf, type Place } from "./places.js";
import { FormError } from "./problem.js";

/** What an answer carries. */
export interface Content {
  /** Parsed, or as text where it is no JSON; neither where it is empty. */
  judged: { body: Json } | { text: string } | Record<never, never>;
  /** Where the parsed values stand in the text that they were parsed from. */
  places?: Place;
}

/** More than any JSON body has; it keeps a small compressed body from filling the memory. */
const LONGEST_BODY = 64 * 2 ** 20;

/**
 * Parses a body.
 * @param pointer names the body in the error
 * @throws {FormError} it is nested too deeply to be judged
 */
export function contentOf(text: string, pointer: string): Content {
  if (text === "") return { judged: {} };
  // As `Response.json()` does; a space keeps every offset.
  const json = text.replace(/^\uFEFF/, " ");
  try {
    const places = placesOf(json);
    return { judged: { body: JSON.parse(json) as Json }, places };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (/deeper/.test(error.message)) throw new FormError(`the body ${error.message}`, pointer);
    return { judged: { text } };
  }
}

/** The text of a base64 body. Some proxies keep it compressed, as `content-encoding` then says. */
export function decodeBase64(base64: string, encoding: string | undefined): string {
  const bytes = Buffer.from(base64, "base64");
  return new TextDecoder().decode(decompress(bytes, encoding));
}

function decompress(bytes: Buffer, encoding = ""): Buffer {
  const options = { maxOutputLength: LONGEST_BODY };
  try {
    switch (encoding.toLowerCase()) {
      case "gzip":
        return gunzipSync(bytes, options);
      case "br":
        return brotliDecompressSync(bytes, options);
      case "deflate":
        return inflateSync(bytes, options);
      default:
        return bytes;
    }
  } catch {
    // Browsers keep the decoded body beside the header of the coded one.
    return bytes;
  }
}
