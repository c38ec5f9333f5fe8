import { readFile } from "node:fs/promises";
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type ErrorCode,
  type Node,
} from "yaml";
import { closestAncestor, toReferenceToken } from "../../src/openapi/pointer.js";
import type { Description, Json } from "../../src/openapi/description.js";
import { DescriptionError } from "../shared/description-error.js";

/** A parsed YAML file. */
export interface Yaml {
  document: Json;
  /** The line and column of each value, by JSON pointer. */
  positions: Description["positions"];
}

/** Returns the line and column of a value, or of the closest value around a pointer without a value. */
export function positionOf({ positions }: Yaml, pointer: string): readonly [number, number] {
  const known = closestAncestor(pointer, { has: (each) => Object.hasOwn(positions, each) });
  return positions[known ?? ""] ?? [1, 1];
}

/** What to do about common syntax errors. */
const FIXES: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: "indent the line as its neighbors",
  BLOCK_AS_IMPLICIT_KEY: "put quotes around text that contains a colon",
  TAB_AS_INDENT: "replace the tab with spaces",
};

/** Reads a YAML file. @throws {DescriptionError} if the YAML is not supported */
export async function readYaml(file: string): Promise<Yaml> {
  return parseYaml(await readFile(file, "utf8"), file);
}

/**
 * Parses YAML. The position of a property is the position of its key.
 * @param file the file's name in error messages
 * @throws {DescriptionError} if the source is not valid YAML, or if JSON cannot represent its keys and aliases
 */
export function parseYaml(source: string, file: string): Yaml {
  const lines = new LineCounter();
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false };
  const tree = parseDocument(source, options);
  const positionAt = (offset = 0): [number, number] => {
    const { line, col } = lines.linePos(offset);
    return [line, col];
  };
  const errorAt = ([line, column]: readonly [number, number], problem: string) =>
    new DescriptionError(`${file}:${line}:${column}: ${problem}`);
  const [error] = tree.errors;
  if (error) {
    const isConflict = /^[<>]{7} /m.test(source);
    const other = isConflict ? "resolve the merge conflict" : "correct the YAML";
    const { [error.code]: fix = other } = FIXES;
    throw errorAt(positionAt(error.pos[0]), `${error.message}; ${fix}`);
  }
  if (!isMap(tree.contents))
    throw errorAt([1, 1], "the file does not contain an object; write one property a line");
  const positions: Record<string, [number, number]> = {};
  const visit = (value: unknown, pointer: string, outer: readonly unknown[], location = value) => {
    const node = isAlias(value) ? value.resolve(tree) : value;
    const position = positionAt((location as Node | null)?.range?.[0]);
    positions[pointer] = position;
    const problem = problemWith(value, node, outer);
    if (problem !== undefined) throw errorAt(position, problem);
    const inner = [...outer, node];
    if (isMap(node)) {
      const names = new Set<string>();
      for (const { key, value: each } of node.items) {
        const name = nameOf(key, pointer);
        const isRepeated = typeof name === "string" && names.has(name);
        const here = positionAt((key as Node | null)?.range?.[0]);
        if (isRepeated) throw errorAt(here, `the key ${name} occurs twice; rename or remove one`);
        if (typeof name !== "string") throw errorAt(here, name.problem);
        names.add(name);
        visit(each, pointer + toReferenceToken(name), inner, key);
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries())
        visit(item, pointer + toReferenceToken(index), inner);
    }
  };
  visit(tree.contents, "", []);
  return { document: tree.toJS({ maxAliasCount: -1 }) as Json, positions };
}

const STANDARD_TAG = "tag:yaml.org,2002:";
/** Matches the tags of values that JSON can represent. */
const CORE_TAGS = /^!!(map|seq|str|null|bool|int|float)$/;

/** Returns why JSON cannot represent a value, or undefined if it can. */
function problemWith(value: unknown, node: unknown, outer: readonly unknown[]): string | undefined {
  if (isAlias(value) && node === undefined)
    return `the alias *${value.source} has no anchor before it; correct the name, or use $ref`;
  if (isAlias(value) && outer.includes(node))
    return `the alias *${value.source} contains itself; replace it with a $ref`;
  const { tag = "" } = Object(node) as { tag?: string };
  const shown = tag.replace(STANDARD_TAG, "!!");
  if (tag !== "" && !CORE_TAGS.test(shown))
    return `JSON has no values with the tag ${shown}; remove the tag`;
  const scalar: unknown = isScalar(node) ? node.value : null;
  const isPlain =
    scalar === null || ["string", "boolean"].includes(typeof scalar) || Number.isFinite(scalar);
  return isPlain ? undefined : "JSON has no such value; write a string or a finite number";
}

/** Returns the name of a property, or the problem with its key. A status does not need quotes. */
function nameOf(key: unknown, pointer: string): string | { problem: string } {
  const { value, source, type } = Object(isScalar(key) ? key : undefined) as Record<
    string,
    unknown
  >;
  if (value === "<<" && type === "PLAIN")
    return { problem: "YAML merge keys are not supported; repeat the properties, or use $ref" };
  if (typeof value === "string") return value;
  if (pointer.endsWith("/responses") && /^[1-5]\d\d$/.test(String(source))) return String(source);
  const shown = typeof source === "string" && source !== "" ? source : "of this property";
  return { problem: `the key ${shown} is not a string; put quotes around the key` };
}
