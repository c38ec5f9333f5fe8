import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Origin } from "../types.js";
import type { Asked } from "./body.js";
import { readText, type Item } from "./file.js";
import { FormError } from "./form.js";
import type { Target } from "./target.js";
import { listFiles, problemOf } from "./walk.js";

/** What to read, and as what. */
export interface Inputs {
  /** Files, folders, and `-` for the standard input. */
  paths: readonly string[];
  /** What relative paths are relative to, in arguments and reports. */
  cwd: string;
  stdin: AsyncIterable<Uint8Array>;
  target: Omit<Target, "origin">;
  /** Which answer every file is the bare body of. */
  asked?: Asked | undefined;
  /** Undefined: `repository` below test/recordings, else `foreign`. */
  origin?: Origin | undefined;
}

/** Recordings of this folder are the project's own. */
const OWN = "test/recordings/";

/** Longer files are refused, so that no file fills the memory. */
const MEGABYTES = 64;

/** Reads exchanges file by file, each file once: none is kept. Nothing that is wrong throws. */
export async function* readInputs(inputs: Inputs): AsyncGenerator<Item> {
  const seen = new Set<string>();
  for await (const found of listFiles(inputs.paths, inputs.cwd)) {
    if ("unreadable" in found) yield found;
    else {
      const { file, isStdin = false } = found;
      const key = isStdin ? "-" : resolve(inputs.cwd, file);
      if (!seen.has(key)) yield* readFile(file, isStdin, inputs);
      seen.add(key);
    }
  }
}

async function* readFile(file: string, isStdin: boolean, inputs: Inputs): AsyncGenerator<Item> {
  const { cwd, stdin, target, asked } = inputs;
  const origin = inputs.origin ?? (file.startsWith(OWN) ? "repository" : "foreign");
  let text: string;
  try {
    text = await decode(isStdin ? stdin : createReadStream(resolve(cwd, file)));
  } catch (error) {
    const problem = error instanceof FormError ? error.message : problemOf(error as Error);
    yield { unreadable: { file, problem } };
    return;
  }
  yield* readText(file, text, { ...target, origin }, asked);
}

/** @throws {FormError} it is too long, or no text */
async function decode(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MEGABYTES * 2 ** 20) {
      throw new FormError(
        `is longer than ${MEGABYTES} MB; keep only the requests to the service, or split it`,
      );
    }
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw new FormError("is no text in UTF-8 (binary, or another encoding); save it as UTF-8");
  }
  // It leaves out a byte order mark.
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") throw new FormError("is empty");
  return text;
}
