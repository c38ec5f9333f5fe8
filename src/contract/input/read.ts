import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { readText, type Item, type Reading } from "./file.js";
import { listFiles, problemOf } from "./walk.js";

/** What to read, and as what. */
export interface Inputs extends Reading {
  /** Files, folders, and `-` for the standard input. */
  paths: readonly string[];
  /** What relative paths are relative to, in arguments and reports. */
  cwd: string;
  stdin: AsyncIterable<Uint8Array>;
}

/** Longer files are refused, so that no file fills the memory. */
const MEGABYTES = 64;

/** Reads exchanges file by file, each file once: none is kept. Nothing that is wrong throws. */
export async function* readInputs(inputs: Inputs): AsyncGenerator<Item> {
  const seen = new Set<string | undefined>();
  for await (const found of listFiles(inputs.paths, inputs.cwd)) {
    if ("unreadable" in found) yield found;
    if ("unreadable" in found || seen.has(found.path)) continue;
    const { file, path } = found;
    seen.add(path);
    const read = await decode(path === undefined ? inputs.stdin : createReadStream(path));
    if ("text" in read) yield* readText(file, read.text, inputs);
    else yield { unreadable: { file, ...read } };
  }
}

async function decode(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ text: string } | { problem: string }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= MEGABYTES * 2 ** 20) continue;
      const advice = "keep only the requests to the service, or split it";
      return { problem: `is longer than ${MEGABYTES} MB; ${advice}` };
    }
  } catch (error) {
    return { problem: problemOf(error as Error) };
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes) || bytes.includes(0)) {
    return { problem: "is no text in UTF-8 (binary, or another encoding); save it as UTF-8" };
  }
  // It leaves out a byte order mark.
  const text = new TextDecoder().decode(bytes);
  return text.trim() === "" ? { problem: "is empty" } : { text };
}
