import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Origin } from "../types.js";
import type { Asked } from "./body.js";
import { readText, type Item } from "./file.js";
import type { Target } from "./target.js";
import { decodeText, TextError } from "./text.js";
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

/** Reads exchanges one after the other: none is kept, so that memory stays flat. Nothing that is wrong throws. */
export async function* readInputs(inputs: Inputs): AsyncGenerator<Item> {
  for await (const found of listFiles(inputs.paths, inputs.cwd)) {
    if ("unreadable" in found || "skipped" in found) yield found;
    else yield* readFile(found.file, inputs);
  }
}

async function* readFile(path: string, inputs: Inputs): AsyncGenerator<Item> {
  const { cwd, stdin, target, asked } = inputs;
  const isStdin = path === "-";
  const file = isStdin ? "stdin" : path;
  const origin = inputs.origin ?? (path.startsWith(OWN) ? "repository" : "foreign");
  const bytes = isStdin ? stdin : createReadStream(resolve(cwd, path), { highWaterMark: 2 ** 18 });
  try {
    yield* readText(file, decodeText(bytes), { origin, target: { ...target, origin }, asked });
  } catch (error) {
    if (error instanceof TextError) yield { unreadable: { file, problem: error.message } };
    else if (isSystemError(error)) yield { unreadable: { file, problem: problemOf(error) } };
    else throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
