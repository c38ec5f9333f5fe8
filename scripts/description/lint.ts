import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DescriptionError } from "../shared/description-error.js";
import { redocly, type Output } from "../shared/redocly.js";

/** What the generator requires of every description. */
const RULES = fileURLToPath(new URL("../redocly.yaml", import.meta.url));

/** A line with the location, the problem, and a fix. */
export interface Finding {
  line: string;
  /** The phase of the rule. Problems of a later phase often follow from those of an earlier phase. */
  phase: number;
  /** Whether another problem in the same line names the fix more precisely. */
  isVague?: boolean;
}

/** The rules of the phases. */
const PHASES = [
  // Redocly would apply the rules for a target to the object with the reference.
  /^(rule\/.*versions?|spec-strict-refs)$/,
  /^(?!rule\/success|no-illogical-composition-keywords|no-unused-components|.*-examples$)/,
  /^(rule\/success|no-illogical-composition-keywords)$/,
  /-examples$/,
  /^no-unused-components$/,
];
/** The phase of unused components: the reason can be a missing operation. */
export const LAST_PHASE = PHASES.length - 1;

/**
 * Checks descriptions with the rules in the project's `redocly.yaml`. A project without this file has only the rules
 * for every description.
 * @param names the paths of the descriptions in the project
 * @param skipped the rules that do not apply
 * @throws {DescriptionError} if Redocly cannot read a description, such as one with a reference to itself
 */
export async function lintDescriptions(
  project: string,
  names: readonly string[],
  skipped: readonly string[],
): Promise<Finding[]> {
  const own = join(project, "redocly.yaml");
  const config = existsSync(own) ? own : RULES;
  const options = ["--config", config, "--format", "json", "--max-problems", "9999"];
  const skip = skipped.flatMap((rule) => ["--skip-rule", rule]);
  try {
    await redocly(["lint", ...names, ...options, ...skip], project);
    return [];
  } catch (error) {
    const { stdout, stderr } = error as Output;
    if (!stdout.startsWith("{")) throw new DescriptionError(stdout.trim() || stderr.trim());
    // Redocly writes one JSON object for each description, without a separator.
    const reports = JSON.parse(`[${stdout.replaceAll(/^\}\{$/gm, "},{")}]`) as Report[];
    const problems = reports.flatMap((each) => each.problems).filter(isError);
    // A misspelled field is missing, too.
    const meant = problems.flatMap(
      ({ suggest: [name] }) => `The field \`${name}\` must be present`,
    );
    const others = problems.filter(
      ({ message }) => !meant.some((each) => message.startsWith(each)),
    );
    return others.map((each) => ({
      line: problemLine(each),
      phase: PHASES.findIndex((rules) => rules.test(each.ruleId)),
      isVague: /^(struct|no-unresolved-refs)$/.test(each.ruleId),
    }));
  }
}

interface Report {
  problems: Problem[];
}

interface Problem {
  ruleId: string;
  message: string;
  severity: "error" | "warn";
  location: [{ source: { ref: string }; start?: { line: number; col: number } }];
  suggest: string[];
}

const isError = ({ severity }: Problem) => severity === "error";

function problemLine({ message, location: [{ source, start }], suggest }: Problem): string {
  const { line, col } = start ?? { line: 1, col: 1 };
  const hint = suggest[0] === undefined ? "" : ` Did you mean ${suggest[0]}?`;
  return `${source.ref}:${line}:${col}: ${message}${hint}`;
}
