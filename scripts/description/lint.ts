import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { closestName } from "../../src/contract/engine/suggest.js";
import { DescriptionError } from "../shared/description-error.js";
import { redocly, type Output } from "../shared/redocly.js";

/** What the generator requires of every description. */
const RULES = fileURLToPath(new URL("../redocly.yaml", import.meta.url));

/** A line with the location, the problem, and a fix. */
export interface Finding {
  line: string;
  pointer: string;
  /** The phase of the rule. Problems of a later phase often follow from those of an earlier phase. */
  phase: number;
  /** Problems with a higher rank often follow from those with a lower rank in the same object. */
  rank: number;
  /** Whether another problem in the same line names the fix more precisely. */
  isVague?: boolean;
}

/** The rules of the phases. */
const PHASES = [
  // Redocly would apply the rules for a target to the object with the reference.
  /^(rule\/(.*versions?|misplaced-.*)|spec-strict-refs)$/,
  // A typo in the name of a section, such as `components`, breaks all references to it.
  /^typo-in-section$/,
  /^(?!rule\/success|no-illogical-composition-keywords|no-unused-components|.*-examples$)/,
  /^(rule\/success|no-illogical-composition-keywords)$/,
  /-examples$/,
  /^no-unused-components$/,
];
/** The phase of unused components: the reason can be a missing operation. */
export const LAST_PHASE = PHASES.length - 1;

/** The sections of a description. */
const SECTION = /^#\/(components\/)?[^/]+$/;

/** The rules about the structure of single objects. */
const STRUCTURE = /^(struct|no-unresolved-refs|rule\/(schema-of-.*|status))$/;

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
    return problems.map((each) => {
      const { ruleId, location } = each;
      const { pointer } = location[0];
      // What is misspelled is missing, too.
      const isTypo = ruleId === "struct" && nameMeant(each) !== undefined;
      const rule = isTypo && SECTION.test(pointer) ? "typo-in-section" : ruleId;
      return {
        line: problemLine(each),
        pointer: pointer.slice(1),
        phase: PHASES.findIndex((rules) => rules.test(rule)),
        rank: isTypo ? 0 : STRUCTURE.test(ruleId) ? 1 : 2,
        isVague: /^(struct|no-unresolved-refs)$/.test(ruleId),
      };
    });
  }
}

interface Report {
  problems: Problem[];
}

interface Problem {
  ruleId: string;
  message: string;
  severity: "error" | "warn";
  location: [Location];
  suggest: string[];
}

interface Location {
  source: { ref: string };
  pointer: string;
  start?: { line: number; col: number };
}

const isError = ({ severity }: Problem) => severity === "error";

/** Returns the name that was probably meant. Redocly also suggests short names that are unlike the given name. */
function nameMeant({ message, suggest }: Problem): string | undefined {
  const [, name] = /^Property `(.*?)` is not expected/.exec(message) ?? [];
  return name === undefined ? suggest[0] : closestName(name, suggest);
}

function problemLine(problem: Problem): string {
  const { message, location } = problem;
  const [{ source, start }] = location;
  const { line, col } = start ?? { line: 1, col: 1 };
  const meant = nameMeant(problem);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return `${source.ref}:${line}:${col}: ${message}${hint}`;
}
