import { readFile } from "node:fs/promises";
import { LineCounter, parseDocument } from "yaml";
import type { Json } from "../../../src/contract/engine/types.js";
import { positionsOf } from "./positions.js";

/** A YAML file, parsed, with the places of its values. */
export interface Yaml {
  document: Json;
  positions: Record<string, [number, number]>;
}

/** Reads a YAML file. @throws {Error} it is no YAML */
export async function readYaml(file: string): Promise<Yaml> {
  return parseYaml(await readFile(file, "utf8"));
}

/** Parses YAML, and keeps its places. @throws {Error} it is no YAML */
export function parseYaml(source: string): Yaml {
  const lines = new LineCounter();
  const tree = parseDocument(source, { lineCounter: lines });
  if (tree.errors[0]) throw tree.errors[0];
  return { document: tree.toJS() as Json, positions: positionsOf(tree, lines) };
}
