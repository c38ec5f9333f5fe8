import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DescriptionError } from "../shared/description-error.js";
import { redoclyIn, type Output } from "../shared/redocly.js";

/** What the generator requires of every description. */
const RULES = fileURLToPath(new URL("../redocly.yaml", import.meta.url));

/**
 * Checks descriptions with the rules in the project's `redocly.yaml`. A project without this file has only the rules
 * for every description.
 * @param names the paths of the descriptions in the project
 * @returns one line for each problem
 * @throws {DescriptionError} if Redocly cannot read a description, such as one with a reference to itself
 */
export async function lintDescriptions(
  project: string,
  names: readonly string[],
): Promise<string[]> {
  const own = join(project, "redocly.yaml");
  const config = existsSync(own) ? own : RULES;
  const options = ["--config", config, "--format", "json", "--max-problems", "9999"];
  try {
    await redoclyIn(project, "lint", ...names, ...options);
    return [];
  } catch (error) {
    const { stdout, stderr } = error as Output;
    if (!stdout.startsWith("{")) throw new DescriptionError(stdout.trim() || stderr.trim());
    // Redocly writes one JSON object for each description, without a separator.
    const reports = JSON.parse(`[${stdout.replaceAll(/^\}\{$/gm, "},{")}]`) as Report[];
    const problems = reports.flatMap((each) => each.problems).filter(isError);
    // A rule of ours names the fix more precisely than `struct`.
    return problems.toSorted((a, b) => rank(a) - rank(b)).map(problemLine);
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

const rank = ({ ruleId }: Problem) => (ruleId.startsWith("rule/") ? 0 : 1);

function problemLine({ message, location: [{ source, start }], suggest }: Problem): string {
  const { line, col } = start ?? { line: 1, col: 1 };
  const hint = suggest[0] === undefined ? "" : ` Did you mean ${suggest[0]}?`;
  return `${source.ref}:${line}:${col}: ${message}${hint}`;
}
