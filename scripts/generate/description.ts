import { readFile } from "node:fs/promises";
import { visit } from "yaml";
import { closestAncestor } from "../../src/contract/engine/pointer.js";
import type { Json } from "../../src/contract/engine/types.js";
import { checkOperations, checkReferences, checkShape, type Report } from "./checks.js";
import { analyze, type Analysis } from "./contract/compile.js";
import { parseTree, convertTree, type Yaml } from "./contract/yaml.js";
import { readOperations, type Operation } from "./read-operations.js";

/** A description that passed every check of the generator. */
export interface Description extends Yaml, Pick<Analysis, "unions" | "validated"> {
  operations: Operation[];
}

/** The description is invalid for the generator. Each line has the file, the line, the problem and the fix. */
export class DescriptionError extends Error {}

/**
 * Reads a description and its operations.
 * @throws {DescriptionError} with every problem found, one per line
 */
export async function readDescription(file: string): Promise<Description> {
  const source = await readFile(file, "utf8").catch((cause: Error) => {
    throw new DescriptionError(`${file}: ${cause.message}; write the description there`);
  });
  return parseDescription(source, file);
}

/** @throws {DescriptionError} with every problem found, one per line */
export function parseDescription(source: string, file: string): Description {
  const parsed = parseTree(source);
  const problems: string[] = [];
  const reportAt = (line: number, column: number, text: string) =>
    problems.push(`${file}:${line}:${column}: ${text}`);
  // Each check relies on the ones before it.
  const refuse = () => {
    if (problems.length > 0) throw new DescriptionError(problems.join("\n"));
  };
  const reportOffset = (offset: number, text: string) => {
    const { line, col } = parsed.lines.linePos(offset);
    reportAt(line, col, text);
  };
  for (const { pos, message } of parsed.tree.errors) {
    const [text] = message.split(/ at line \d+|\n/);
    reportOffset(pos[0], `${text}; fix the YAML`);
  }
  visit(parsed.tree, {
    Alias(_, node) {
      const isKnown = node.resolve(parsed.tree) !== undefined;
      if (isKnown) return;
      reportOffset(node.range?.[0] ?? 0, `alias *${node.source} has no anchor; add it`);
    },
  });
  refuse();

  const { document: read, positions } = convertTree(parsed);
  const document: Json = read ?? {};
  const report: Report = (pointer, text) => {
    const here = closestAncestor(pointer, { has: (each) => Object.hasOwn(positions, each) });
    const [line, column] = positions[here ?? ""] ?? [1, 1];
    reportAt(line, column, text);
  };
  for (const check of [checkReferences, checkShape]) {
    check(document, report);
    refuse();
  }
  const { operations: described, unions, validated, problems: unsupported } = analyze(document);
  const operations = readOperations(document, described);
  checkOperations(document, operations, report);
  refuse();
  for (const { pointer, text } of unsupported) report(pointer, text);
  refuse();
  return { document, positions, operations, unions, validated };
}
