import { step } from "./pointer.js";
import type { Description, Json } from "./types.js";

/** Changes to a JSON value: `[value]` replaces it, `[]` removes it, and an object patches its members by key. */
export type Patch = [Json] | [] | { [key: string]: Patch };

/** A copy of a value with a patch applied; unchanged parts are shared. */
export function patched(value: Json | undefined, patch: Patch): Json {
  if (Array.isArray(patch)) return patch[0] as Json;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as {
    [key: string]: Json;
  };
  for (const [key, each] of Object.entries(patch)) {
    if (Array.isArray(each) && each.length === 0) Reflect.deleteProperty(copy, key);
    else copy[key] = patched(copy[key], each);
  }
  return copy as Json;
}

/** The pointers of all values of a document, from the outside in. */
export function* pointersIn(value: Json, pointer = ""): Generator<string> {
  yield pointer;
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) yield* pointersIn(each, pointer + step(key));
}

/** Decodes positions: for each value in {@link pointersIn} order, lines since the previous one (or 1), and column. */
export function readPositions(document: Json, text: string): Description["positions"] {
  const positions: Record<string, [number, number]> = {};
  const entries = text.split(/\s/);
  let [line, index] = [0, 0];
  for (const pointer of pointersIn(document)) {
    const [column = 0, lines = 1] = entries[index++]!.split(":").map(Number);
    positions[pointer] = [(line += lines), column];
  }
  return positions;
}
