import { styleText } from "node:util";
import type { Options } from "./options.js";
import { jsonReport, markdownReport, verdict, type Result } from "./report.js";
import { versionIn } from "./released.js";
import { ReleaseError, type Context, type Outcome, type Step } from "./step.js";

/** Runs every step, says what each found, and at the end whether it is ready. @returns the exit code */
export async function check(project: string, { steps, format }: Options): Promise<number> {
  const version = await versionIn(project, "package.json");
  const width = Math.max(...steps.map(({ name }) => name.length));
  const results: Result[] = [];
  for (const step of steps) {
    progress(`${step.name}: ${step.asks} ...`);
    const started = performance.now();
    const result = await resultOf(step, { project, version });
    progress("");
    if (format === "pretty") console.log(row(result, performance.now() - started, width));
    results.push(result);
  }
  const report = { pretty: conclusion, markdown: markdownReport, json: jsonReport }[format];
  console.log(report(version, results));
  return results.every(passed) ? 0 : 1;
}

/** What a step finds, or why it could not look: the steps after it run all the same. */
export async function resultOf(step: Step, context: Context): Promise<Result> {
  try {
    return { step, ...(await step.run(context)) };
  } catch (error) {
    const { message, stack } = error as Error;
    const problem = error instanceof ReleaseError ? message : (stack ?? message);
    return { step, summary: "could not be looked at", problems: [problem] };
  }
}

function passed({ problems }: Outcome): boolean {
  return problems.length === 0;
}

/** On a terminal the line goes when the step is done; a log keeps it, so that a long step is seen to run. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text !== "") process.stderr.write(`${text}\n`);
}

function row(result: Result, ms: number, width: number): string {
  const mark = passed(result) ? paint("green", "passed") : paint("red", "failed");
  const time = `${(ms / 1000).toFixed(1)} s`;
  return `${result.step.name.padEnd(width)}  ${mark}  ${time.padStart(7)}  ${result.summary}`;
}

/** Every reason why not, and the verdict. */
export function conclusion(version: string, results: readonly Result[]): string {
  const reasons = results.flatMap(({ step, problems }) =>
    problems.map((problem) => `${paint("red", step.name)}: ${problem.replaceAll("\n", "\n    ")}`),
  );
  const colour = results.every(passed) ? "green" : "red";
  return [
    "",
    ...reasons,
    ...(reasons.length > 0 ? [""] : []),
    paint(colour, verdict(version, results)),
  ].join("\n");
}

function paint(colour: "green" | "red", text: string): string {
  return styleText(colour, text, { stream: process.stdout });
}
