import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json, Operation } from "../../src/openapi/description.js";
import { listOperations } from "../../src/openapi/document.js";
import { describeRule, ruleOf } from "../../src/openapi/parameter-rule.js";
import { getAtPointer, parentPointer } from "../../src/openapi/pointer.js";
import { isObject } from "../../src/openapi/schema.js";
import { DescriptionError } from "../shared/description-error.js";
import { checkOperations } from "./checks.js";
import { analyze, findSchemaProblems } from "./compile.js";
import { LAST_PHASE, lintDescriptions, type Finding } from "./lint.js";
import { parseYaml, positionOf, type Yaml } from "./yaml.js";
import { NO_SCHEMA } from "./find-unsupported.js";
import { nameModels } from "./models.js";
import { readOperations, type MethodModel } from "./read-operations.js";

/** A description that has passed all of the generator's checks. */
export interface CheckedDescription extends Yaml {
  operations: MethodModel[];
  /** The type names of schemas, by pointer. */
  names: ReadonlyMap<string, string>;
  /** Pointers to the schemas that need a validator. */
  schemasToCompile: string[];
}

/** Reads a description that has passed all checks, and its operations. */
export async function readDescription(file: string): Promise<CheckedDescription> {
  return parseDescription(await readFile(file, "utf8"), file);
}

/**
 * Reads the descriptions of a project, and checks them with Redocly and with our own checks.
 * @param names the paths of the descriptions in the project
 * @param options.compare lists what descriptions lack that are valid, or have only unused components
 * @param options.skipped the names of the Redocly rules that do not apply
 * @throws {DescriptionError} if a description is invalid; the message has one line for each problem
 */
export async function checkDescriptions(
  project: string,
  names: readonly string[],
  {
    compare = () => [],
    skipped = [],
  }: {
    compare?: (checked: readonly CheckedDescription[]) => string[];
    skipped?: readonly string[];
  } = {},
): Promise<CheckedDescription[]> {
  const texts = await Promise.all(names.map((name) => readFile(join(project, name), "utf8")));
  // Redocly resolves merge keys, and does not end if an alias contains itself.
  const yamls = names.map((name, index) => parseYaml(texts[index]!, name));
  const problems: Finding[] = [];
  const unexpected: unknown[] = [];
  for (const [index, yaml] of yamls.entries()) {
    try {
      problems.push(...findProblems(yaml, names[index]!));
    } catch (error) {
      unexpected.push(error);
    }
  }
  const linted = await lintDescriptions(project, names, skipped).catch((error: Error) => {
    // Redocly stops without a location at what it cannot read. Our own checks found the location.
    if (problems.length > 0) return [];
    throw error;
  });
  problems.push(...linted);
  // Our own checks can fail with an unexpected error only if Redocly rejects the description.
  const isLastPhase = problems.every(({ phase }) => phase === LAST_PHASE);
  if (isLastPhase && unexpected.length > 0) throw unexpected[0];
  const checked = isLastPhase ? yamls.map(readYaml) : [];
  const missing = isLastPhase ? compare(checked) : [];
  const fileOf = ({ line }: Finding) => line.split(":", 1)[0];
  const found = [...new Set(problems.map(fileOf))].flatMap((file) =>
    firstOf(problems.filter((each) => fileOf(each) === file)),
  );
  throwIfAny(missing.length > 0 ? missing : found);
  return checked;
}

/**
 * Returns the problems of the first phase: one for each location, and none that another problem names better, or from
 * which it can follow.
 */
function firstOf(problems: readonly Finding[]): string[] {
  const first = Math.min(...problems.map(({ phase }) => phase));
  const all = problems.filter(({ phase }) => phase === first);
  const lineOf = ({ line }: Finding) => /^.*?:\d+:/.exec(line)?.[0];
  const isClearer = (other: Finding, each: Finding) =>
    !other.isVague && other.rank <= each.rank && lineOf(other) === lineOf(each);
  const clear = all.filter((each) => !each.isVague || !all.some((other) => isClearer(other, each)));
  const kept = clear.filter(
    (each) => !clear.some((other) => other.rank < each.rank && areRelated(other, each)),
  );
  const locationOf = ({ line }: Finding) => /^.*?:\d+:\d+:/.exec(line)?.[0] ?? line;
  const byLocation = new Map(kept.toReversed().map((each) => [locationOf(each), each.line]));
  return [...byLocation.values()].toReversed();
}

/** Returns whether a problem is in the object with the cause, or about an object around the cause. */
function areRelated(cause: Finding, { pointer }: Finding): boolean {
  return (
    pointer.startsWith(`${parentPointer(cause.pointer)}/`) ||
    `${cause.pointer}/`.startsWith(`${pointer}/`)
  );
}

function throwIfAny(lines: readonly string[]): void {
  if (lines.length > 0) throw new DescriptionError(lines.join("\n"));
}

/**
 * Parses a description and its operations, and checks what Redocly's rules cannot say.
 * @throws {DescriptionError} if the description is invalid; the message has one line for each problem
 */
export function parseDescription(source: string, file: string): CheckedDescription {
  const yaml = parseYaml(source, file);
  throwIfAny(firstOf(findProblems(yaml, file)));
  return readYaml(yaml);
}

/** Finds what Redocly's rules cannot say. */
function findProblems(yaml: Yaml, file: string): Finding[] {
  const { document } = yaml;
  const findings: Finding[] = [];
  const report = (rank: number, pointer: string, text: string) => {
    const line = `${[file, ...positionOf(yaml, pointer)].join(":")}: ${text}`;
    findings.push({ line, pointer, phase: text === NO_SCHEMA ? -1 : 2, rank });
  };
  for (const { pointer, text } of findSchemaProblems(document)) report(0, pointer, text);
  checkOperations(document, listOperations(document), (pointer, text) => report(2, pointer, text));
  return findings;
}

/** Reads the operations of a description that has passed all checks. */
function readYaml(yaml: Yaml): CheckedDescription {
  const { document } = yaml;
  const { operations, schemasToCompile } = analyze(document);
  addRuleText(document, operations);
  const names = nameModels(document, operations);
  const methods = readOperations(document, operations, names);
  return { ...yaml, operations: methods, names, schemasToCompile };
}

/** Adds the text of each rule to the description of its parameter, which editors and the docs show. */
function addRuleText(document: Json, operations: readonly Operation[]): void {
  const parameters = operations.flatMap((each) => each.parameters);
  const byPointer = new Map(parameters.map((each) => [each.pointer, each]));
  for (const each of byPointer.values()) {
    const rule = ruleOf(document, each);
    const parameter = getAtPointer(document, each.pointer) as { description?: string };
    // Redocly rejects an invalid rule.
    if (isObject(rule))
      parameter.description = `${parameter.description?.trim() ?? ""} ${describeRule(rule)}`.trim();
  }
}
