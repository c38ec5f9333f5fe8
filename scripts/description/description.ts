import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json, Operation } from "../../src/openapi/description.js";
import { describeRule, ruleOf } from "../../src/openapi/parameter-rule.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { isObject } from "../../src/openapi/schema.js";
import { DescriptionError } from "../shared/description-error.js";
import { checkOperations } from "./checks.js";
import { analyze } from "./compile.js";
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
  const checked = yamls.flatMap((yaml, index) => {
    try {
      return checkYaml(yaml, names[index]!);
    } catch (error) {
      if (!(error instanceof DescriptionError)) unexpected.push(error);
      else
        for (const line of error.message.split("\n"))
          problems.push({ line, phase: line.includes(NO_SCHEMA) ? -1 : 1 });
      return [];
    }
  });
  const linted = await lintDescriptions(project, names, skipped).catch((error: Error) => {
    // Redocly stops without a location at what it cannot read. Our own checks found the location.
    if (problems.length > 0) return [];
    throw error;
  });
  problems.push(...linted);
  // Our own checks can fail with an unexpected error only if Redocly rejects the description.
  const isLastPhase = problems.every(({ phase }) => phase === LAST_PHASE);
  if (isLastPhase && unexpected.length > 0) throw unexpected[0];
  const lines = isLastPhase ? compare(checked) : [];
  const fileOf = ({ line }: Finding) => line.split(":", 1)[0];
  if (lines.length === 0)
    for (const file of new Set(problems.map(fileOf)))
      lines.push(...firstOf(problems.filter((each) => fileOf(each) === file)));
  if (lines.length > 0) throw new DescriptionError(lines.join("\n"));
  return checked;
}

/** Returns the problems of the first phase: one for each location, and none that another problem names better. */
function firstOf(problems: readonly Finding[]): string[] {
  const first = Math.min(...problems.map(({ phase }) => phase));
  const kept = problems.filter(({ phase }) => phase === first);
  const lineOf = ({ line }: Finding) => /^.*?:\d+:/.exec(line)?.[0];
  const clear = new Set(kept.flatMap((each) => (each.isVague ? [] : lineOf(each))));
  const others = kept.filter((each) => !each.isVague || !clear.has(lineOf(each)));
  const locationOf = ({ line }: Finding) => /^.*?:\d+:\d+:/.exec(line)?.[0] ?? line;
  const byLocation = new Map(others.toReversed().map((each) => [locationOf(each), each.line]));
  return [...byLocation.values()].toReversed();
}

/**
 * Parses a description and its operations, and checks what Redocly's rules cannot say.
 * @throws {DescriptionError} if the description is invalid; the message has one line for each problem
 */
export function parseDescription(source: string, file: string): CheckedDescription {
  return checkYaml(parseYaml(source, file), file);
}

function checkYaml(yaml: Yaml, file: string): CheckedDescription {
  const { document } = yaml;
  // Several operations can refer to the same parameter, so a problem can be reported more than once.
  const problems = new Set<string>();
  const report = (pointer: string, text: string) =>
    problems.add(`${[file, ...positionOf(yaml, pointer)].join(":")}: ${text}`);
  const { operations, schemasToCompile, problems: unsupported } = analyze(document);
  checkOperations(document, operations, report);
  for (const { pointer, text } of unsupported) report(pointer, text);
  if (problems.size > 0) throw new DescriptionError([...problems].join("\n"));
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
