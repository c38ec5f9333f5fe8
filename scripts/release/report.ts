import type { Outcome, Step } from "./step.js";
import { steps } from "./steps.js";

/** A step and what it found. */
export interface Result extends Outcome {
  step: Pick<Step, "name">;
}

/** Whether nothing stands against a release, and of which version. Some steps alone cannot say it of the whole. */
export function verdict(version: string, results: readonly Result[]): string {
  if (results.some(({ problems }) => problems.length > 0)) return `not ready to release ${version}`;
  const isWhole = steps.every(({ name }) => results.some(({ step }) => step.name === name));
  return isWhole
    ? `ready to release ${version}`
    : `ready to release ${version}, as far as these steps see`;
}

/** The results as data. Times are left out: the same state gives the same bytes. */
export function jsonReport(version: string, results: readonly Result[]): string {
  const found = results.map(({ step, problems, ...others }) => ({
    name: step.name,
    passed: problems.length === 0,
    problems,
    ...others,
  }));
  return JSON.stringify(
    { version, verdict: verdict(version, results), steps: found },
    undefined,
    2,
  );
}

/** The results for a pull request. */
export function markdownReport(version: string, results: readonly Result[]): string {
  const sections = results.flatMap(({ step, problems }) =>
    problems.length === 0 ? [] : [`### ${step.name}`, ...problems.map(item)],
  );
  const changes = results.flatMap((each) => each.changes ?? []);
  return [
    `## Release check: ${verdict(version, results)}`,
    table(
      ["step", "", "found"],
      results.map(({ step, problems, summary }) => [
        step.name,
        problems.length === 0 ? "passed" : "**failed**",
        text(summary),
      ]),
    ),
    ...sections,
    ...(changes.length === 0
      ? []
      : [
          "### Changes of the description",
          table(
            ["asks for", "change", "place", "why"],
            changes.map(({ impact, what, at, pointer, why }) => [
              impact,
              text(what),
              `${text(at)} ${code(pointer)}`.trim(),
              text(why),
            ]),
          ),
        ]),
  ].join("\n\n");
}

function item(problem: string): string {
  const [first = "", ...others] = problem.split("\n");
  const rest =
    others.length === 0 ? "" : `\n\n${["```text", ...others, "```"].map(indent).join("\n")}`;
  return `- ${text(first)}${rest}`;
}

function indent(line: string): string {
  return `  ${line}`;
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Text that Markdown leaves as it is: what a description says is not to become a mention, a link or a tag. */
function text(value: string): string {
  return value.replaceAll(/[\\`*_{}[\]<>#|~@]/g, String.raw`\$&`).replaceAll("\n", " ");
}

function code(value: string): string {
  return value === "" ? "" : `\`${value.replaceAll("`", "'").replaceAll("|", String.raw`\|`)}\``;
}
