import { readFile } from "node:fs/promises";
import { DescriptionError } from "../shared/description-error.js";
import { redocly, type Output } from "../shared/redocly.js";
import { checkOperations } from "./checks.js";
import { analyze } from "./compile.js";
import { findNewerKeywords } from "./openapi-3-2.js";
import { addRuleText, checkRules } from "./parameter-rules.js";
import { parseYaml, positionOf, type Yaml } from "./yaml.js";
import { readOperations, type MethodModel } from "./read-operations.js";

/** A description that has passed all of the generator's checks. */
export interface CheckedDescription extends Yaml {
  operations: MethodModel[];
  /** Pointers to the schemas that need a validator. */
  schemasToCompile: string[];
}

/** Reads a description and its operations. @throws {DescriptionError} if the description is invalid */
export async function readDescription(file: string): Promise<CheckedDescription> {
  return parseDescription(await readFile(file, "utf8"), file);
}

/**
 * Reads a description, and lets Redocly check its syntax, references, and path parameters.
 * @throws {DescriptionError} if the description is invalid; the message has one line for each problem
 */
export async function checkDescription(file: string): Promise<CheckedDescription> {
  // Redocly resolves merge keys, and does not end if an alias contains itself.
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text !== undefined) parseYaml(text, file);
  const found = await lintDescription(file).catch((error: unknown) => {
    // Redocly stops without a location at what it cannot read, such as a reference to itself.
    if (text !== undefined) parseDescription(text, file);
    throw error;
  });
  if (found.length === 0) return parseDescription(text!, file);
  const own = problemsIn(text ?? "", file);
  // The problems from our own checks come first, because our messages name the fix. If Redocly rejects the description,
  // our checks can fail with an unexpected error. Such an error is ignored.
  const lines = [...own.split("\n").filter(Boolean), ...found];
  const placeOf = (line: string) => /^.*?:\d+:\d+:/.exec(line)?.[0] ?? line;
  const isFirst = (line: string, index: number) =>
    lines.findIndex((each) => placeOf(each) === placeOf(line)) === index;
  throw new DescriptionError(lines.filter(isFirst).join("\n"));
}

function problemsIn(text: string, file: string): string {
  try {
    parseDescription(text, file);
    return "";
  } catch (error) {
    return error instanceof DescriptionError ? error.message : "";
  }
}

/** Fixes for problems that Redocly reports without a fix. */
const FIXES: Readonly<Record<string, RegExp>> = {
  // Our Redocly plugin rejects a boolean schema only if a reference leads to the schema.
  "write {} instead of true, or { not: {} } instead of false":
    /`Schema` \(object\) but got `boolean`/,
  "put the target into this file, and write its path, such as #/components/schemas/NAME":
    /Can't resolve \$ref/,
};

async function lintDescription(file: string): Promise<string[]> {
  const options = ["--config", "scripts/redocly.yaml", "--format", "json", "--max-problems", "999"];
  try {
    await redocly("lint", file, ...options);
    return [];
  } catch (error) {
    const { stdout, stderr } = error as Output;
    if (!stdout.startsWith("{")) throw new DescriptionError(stdout.trim() || stderr.trim());
    const { problems } = JSON.parse(stdout) as { problems: Problem[] };
    return problems.map(({ message, location: [position], suggest }) => {
      const { line, col } = position.start ?? { line: 1, col: 1 };
      const fix = Object.keys(FIXES).find((each) => FIXES[each]!.test(message)) ?? "";
      const hint = suggest[0] === undefined ? fix && `; ${fix}` : ` Did you mean ${suggest[0]}?`;
      return `${file}:${line}:${col}: ${message}${hint}`;
    });
  }
}

/** A problem in Redocly's JSON report. */
interface Problem {
  message: string;
  location: [{ pointer?: string; start?: { line: number; col: number } }];
  suggest: string[];
}

/**
 * Parses a description and its operations.
 * @throws {DescriptionError} if the description is invalid; the message has one line for each problem
 */
export function parseDescription(source: string, file: string): CheckedDescription {
  const yaml = parseYaml(source, file);
  const { document } = yaml;
  // Several operations can refer to the same parameter, so a problem can be reported more than once.
  const problems = new Set<string>();
  const report = (pointer: string, text: string) =>
    problems.add(`${[file, ...positionOf(yaml, pointer)].join(":")}: ${text}`);
  for (const { pointer, text } of findNewerKeywords(yaml)) report(pointer, text);
  // Without these keywords, other rules would report what the description seems to omit.
  if (problems.size > 0) throw new DescriptionError([...problems].join("\n"));
  const { operations: described, schemasToCompile, problems: unsupported } = analyze(document);
  const operations = readOperations(document, described);
  checkOperations(document, operations, report);
  for (const each of described) checkRules(document, each, report);
  for (const { pointer, text } of unsupported) report(pointer, text);
  if (problems.size > 0) throw new DescriptionError([...problems].join("\n"));
  addRuleText(document, described);
  return { ...yaml, operations, schemasToCompile };
}
