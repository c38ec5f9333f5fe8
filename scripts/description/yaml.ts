import { readFile } from "node:fs/promises";
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from "yaml";
import { toReferenceToken } from "../../src/openapi/pointer.js";
import type { Description, Json } from "../../src/openapi/description.js";

/** A parsed YAML file. */
export interface Yaml {
  document: Json;
  /** The line and column of each value, by JSON pointer. */
  positions: Description["positions"];
}

/** Reads a YAML file. @throws {Error} if the file is not valid YAML */
export async function readYaml(file: string): Promise<Yaml> {
  return parseYaml(await readFile(file, "utf8"));
}

/**
 * Parses YAML. The position of a property is the position of its key.
 * @throws {Error} if the source is not valid YAML
 */
export function parseYaml(source: string): Yaml {
  const lines = new LineCounter();
  const tree = parseDocument(source, { lineCounter: lines });
  if (tree.errors[0]) throw tree.errors[0];
  const positions: Record<string, [number, number]> = {};
  const visit = (value: unknown, pointer: string, location = value) => {
    const node = isAlias(value) ? value.resolve(tree) : value;
    const { line, col } = lines.linePos((location as Node | null)?.range?.[0] ?? 0);
    positions[pointer] = [line, col];
    if (isMap(node)) {
      for (const { key, value: each } of node.items) {
        const name = isScalar(key) ? String(key.value) : String(key);
        visit(each, pointer + toReferenceToken(name), key);
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries())
        visit(item, pointer + toReferenceToken(index));
    }
  };
  visit(tree.contents, "");
  return { document: tree.toJS() as Json, positions };
}
