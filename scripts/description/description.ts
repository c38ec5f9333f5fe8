import { readFile } from "node:fs/promises";
import { closestAncestor } from "../../src/openapi/pointer.js";
import { DescriptionError } from "./description-error.js";
import { redocly } from "../shared/redocly.js";
import { checkOperations } from "./checks.js";
import { analyze, type Analysis } from "./compile.js";
import { parseYaml, type Yaml } from "./yaml.js";
import { readOperations, type MethodModel } from "./read-operations.js";

/** A description that passed every check of the generator. */
export interface CheckedDescription extends Yaml, Pick<Analysis, "validated"> {
  operations: MethodModel[];
}

/**
 * Checks a description with Redocly, which covers syntax, references, and path parameters, and reads its operations.
 * @throws {DescriptionError} if the description is invalid; the message lists every problem
 */
export async function readDescription(file: string): Promise<CheckedDescription> {
  await redocly("lint", file, "--config", "scripts/redocly.yaml").catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new DescriptionError(stdout.trim() || stderr.trim());
    },
  );
  return parseDescription(await readFile(file, "utf8"), file);
}

/** @throws {DescriptionError} if the description is invalid; the message has one line for each problem */
export function parseDescription(source: string, file: string): CheckedDescription {
  const { document, positions } = parseYaml(source);
  const problems: string[] = [];
  const report = (pointer: string, text: string) => {
    const here = closestAncestor(pointer, { has: (each) => Object.hasOwn(positions, each) });
    problems.push(`${[file, ...(positions[here ?? ""] ?? [1, 1])].join(":")}: ${text}`);
  };
  const { operations: described, validated, problems: unsupported } = analyze(document);
  const operations = readOperations(document, described);
  checkOperations(document, operations, report);
  for (const { pointer, text } of unsupported) report(pointer, text);
  if (problems.length > 0) throw new DescriptionError(problems.join("\n"));
  return { document, positions, operations, validated };
}
