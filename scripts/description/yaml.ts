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
  type YAMLParseError,
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

/** What is wrong, and what to do, if the parser's own message would mislead. */
const SYNTAX: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE:
    "a backslash in double quotes starts an escape sequence; use single quotes instead",
  BAD_INDENT:
    "the line is not aligned with the lines before it; indent it as its neighbors, or start a list item with `- `",
  BAD_SCALAR_START: "text cannot start with this character; put quotes around the text",
  BLOCK_IN_FLOW:
    "an entry between brackets contains another property; add a comma, or put quotes around text that contains a colon",
  MULTILINE_IMPLICIT_KEY:
    "the line is neither a property nor a list item; write `NAME: VALUE`, or indent text more than its property",
  MULTIPLE_DOCS: "the file contains more than one document; remove the line ---",
  TAB_AS_INDENT: "the line is indented with a tab; replace the tab with spaces",
  UNEXPECTED_TOKEN:
    "these characters do not belong to the value before; remove them, or put quotes around the whole text",
};

/** Describes a syntax error. The parser reports some mistakes one line early, or one line late. */
function describeSyntaxError(source: string, { code, message, pos: [offset] }: YAMLParseError) {
  const conflict = source.search(/^[<>]{7} /m);
  if (conflict >= 0) return { at: conflict, text: "the file has a merge conflict; resolve it" };
  const startOf = (at: number) => {
    const line = source.lastIndexOf("\n", at - 1) + 1;
    return line + source.slice(line).search(/\S|$/);
  };
  const start = startOf(offset);
  const bracket = unclosedBracket(source, offset, message);
  if (bracket !== undefined)
    return {
      at: bracket,
      text: `the ${source[bracket]} is not closed; close it, and indent the lines before its end`,
    };
  if (code !== "BLOCK_AS_IMPLICIT_KEY")
    return {
      at: code === "BAD_INDENT" ? start : offset,
      text: SYNTAX[code] ?? `${message}; correct the YAML`,
    };
  if (source.startsWith("-", start)) {
    const text = "the line is not part of the list after it; start the line with `- `";
    return { at: startOf(endOfParent(source, start) + 1), text };
  }
  const colon = startOf(offset + source.slice(offset).search(/:\s/));
  if (colon === start)
    return { at: offset, text: "text that contains a colon needs quotes; put quotes around it" };
  const text =
    "the line before already has a value; indent this line as its neighbors, or put quotes around text that contains a colon";
  return { at: colon, text };
}

/** Returns the location of a bracket that is not closed in the lines before an error. */
function unclosedBracket(source: string, offset: number, message: string): number | undefined {
  // Brackets inside can be closed.
  const before = source
    .slice(0, offset)
    .replaceAll(/\[[^[\]]*\]|{[^{}]*}/g, (closed) => " ".repeat(closed.length));
  const [, end] = /end with a (.)/.exec(message) ?? [];
  if (end !== undefined) return before.lastIndexOf(end === "]" ? "[" : "{");
  const atEnd = before.search(/(?<=[:-] )[[{]\s*$/m);
  return atEnd >= 0 && message.startsWith("Nested mappings") ? atEnd : undefined;
}

/** Returns the end of the last line before a list item that is indented less, or that names the list. */
function endOfParent(source: string, item: number): number {
  const column = item - source.lastIndexOf("\n", item) - 1;
  const parent = new RegExp(`^(?! {${column + 1}}| {${column}}(?!.*:$)) *\\S.*$`, "gm");
  const lines = [...source.slice(0, item).trimEnd().matchAll(parent)];
  const last = lines.at(-1);
  return last === undefined ? -1 : last.index + last[0].length;
}

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
    const { at, text } = describeSyntaxError(source, error);
    throw errorAt(positionAt(at), text);
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
        const next = isSeq(outer.at(-1)) ? ", or start the next list item with `- `" : "";
        if (isRepeated)
          throw errorAt(here, `the key ${name} occurs twice; rename or remove one${next}`);
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
