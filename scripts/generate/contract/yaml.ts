import { readFile } from "node:fs/promises";
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from "yaml";
import { toReferenceToken } from "../../../src/contract/engine/pointer.js";
import type { Description, Json } from "../../../src/contract/engine/types.js";

/** A YAML file, parsed. */
export interface Yaml {
  document: Json;
  /** Line and column of each value, by JSON pointer. */
  positions: Description["positions"];
}

/** The syntax tree of a YAML file, which may have errors. */
export interface Tree {
  tree: Document;
  lines: LineCounter;
}

/** Reads a YAML file. @throws {Error} if it is not YAML */
export async function readYaml(file: string): Promise<Yaml> {
  return parseYaml(await readFile(file, "utf8"));
}

/** Parses YAML and keeps its positions. @throws {Error} if it is not YAML */
export function parseYaml(source: string): Yaml {
  const parsed = parseTree(source);
  if (parsed.tree.errors[0]) throw parsed.tree.errors[0];
  return convertTree(parsed);
}

export function parseTree(source: string): Tree {
  const lines = new LineCounter();
  return { tree: parseDocument(source, { lineCounter: lines }), lines };
}

/** The values of an error-free tree, with the position of each value's key or, without a key, of the value. */
export function convertTree({ tree, lines }: Tree): Yaml {
  const positions: Record<string, [number, number]> = {};
  const visit = (node: unknown, pointer: string, place = node) => {
    const { line, col } = lines.linePos((place as Node | null)?.range?.[0] ?? 0);
    positions[pointer] = [line, col];
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : String(key);
        if (!isForReaders(name, pointer)) visit(value, pointer + toReferenceToken(name), key);
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries())
        visit(item, pointer + toReferenceToken(index));
    }
  };
  visit(tree.contents, "");
  return { document: tree.toJS() as Json, positions };
}

/**
 * Whether a key contains examples of bodies or prose, which no validation uses. A property may have the same name, and
 * the built-in plan uses the examples of parameters.
 */
export function isForReaders(key: string, pointer: string): boolean {
  if (key === "example") return !/\/(properties|parameters\/[^/]+)$/.test(pointer);
  return /^(examples|description|summary)$/.test(key) && !pointer.endsWith("/properties");
}
