import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run, type Ran } from "../publish/support/run.js";
import { readWorkflow } from "./workflow.js";

/** Where a step runs, and with what in its environment. */
interface Runner {
  cwd: string;
  /** Stands for `runner.temp`. */
  temp: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs the script of a step as GitHub does. @returns what it printed, how it ended, and its outputs */
export async function runStep(
  workflow: string,
  job: string,
  name: string,
  { cwd, temp, env }: Runner,
): Promise<Ran & { outputs: string }> {
  const script = readWorkflow(workflow).jobs[job]?.steps?.find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`${workflow} has no step "${name}" in ${job}`);
  const outputs = join(temp, "outputs");
  await writeFile(outputs, "");
  const ran = await run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd,
    env: { RUNNER_TEMP: temp, GITHUB_OUTPUT: outputs, ...env },
  });
  return { ...ran, outputs: await readFile(outputs, "utf8") };
}
