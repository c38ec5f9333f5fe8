import { isMap, isScalar, isSeq, type Document, type LineCounter, type Node } from "yaml";
import { step } from "../../../src/contract/engine/pointer.js";

/** Whether a key holds examples, which are no part of what is described; a property may have that name too. */
export function isExample(key: string, pointer: string): boolean {
  return /^examples?$/.test(key) && !pointer.endsWith("/properties");
}

/** Where each value of a YAML document begins, or its key where it has one, by JSON pointer. */
export function positionsOf(tree: Document, lines: LineCounter): Record<string, [number, number]> {
  const positions: Record<string, [number, number]> = {};
  const note = (pointer: string, node: unknown) => {
    const { line, col } = lines.linePos((node as Node | null)?.range?.[0] ?? 0);
    positions[pointer] = [line, col];
  };
  const visit = (node: unknown, pointer: string) => {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : String(key);
        if (isExample(name, pointer)) continue;
        note(pointer + step(name), key);
        visit(value, pointer + step(name));
      }
    } else if (isSeq(node)) {
      node.items.forEach((item, index) => {
        note(pointer + step(index), item);
        visit(item, pointer + step(index));
      });
    }
  };
  note("", tree.contents);
  visit(tree.contents, "");
  return positions;
}
