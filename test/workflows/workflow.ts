import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { execute, type RunResult } from "../support/run.js";
import { root } from "../support/paths.js";

/** The parts of a step that the tests read. */
interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

/** The parts of a job that the tests read. */
export interface Job {
  permissions?: Record<string, string>;
  "timeout-minutes"?: number;
  steps?: Step[];
}

/** The parts of a workflow that the tests read. */
export interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const folder = join(root, ".github/workflows");

/** The text of each workflow, by file name. */
export const workflows = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
);

/** The folders and environment variables of a step. */
interface Runner {
  cwd: string;
  /** The value of `runner.temp`. */
  temp: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs the script of a step as GitHub does. @returns the exit code, the printed text, and the step's outputs */
export async function runStep(
  workflow: string,
  job: string,
  name: string,
  { cwd, temp, env }: Runner,
): Promise<RunResult & { outputs: string }> {
  const { jobs } = parse(workflows.get(workflow)!) as Workflow;
  const script = jobs[job]?.steps?.find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`${workflow} has no step "${name}" in ${job}`);
  const outputs = join(temp, "outputs");
  await writeFile(outputs, "");
  const ran = await execute("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd,
    env: { RUNNER_TEMP: temp, GITHUB_OUTPUT: outputs, ...env },
  });
  return { ...ran, outputs: readFileSync(outputs, "utf8") };
}
