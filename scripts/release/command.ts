import { spawn } from "node:child_process";
import { join } from "node:path";
import { ReleaseError } from "./step.js";

/** What a program printed, and its exit code. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program in a folder. @throws {ReleaseError} there is no such program */
export async function run(cwd: string, command: string, ...args: string[]): Promise<Ran> {
  const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ran = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (ran.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (ran.stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve).once("error", ({ message }) => {
      reject(new ReleaseError(`${command} does not start (${message}); install it`));
    });
  });
  return { code, ...ran };
}

/** Runs a script of node_modules, such as `@redocly/cli/bin/cli.js`. */
export function runTool(project: string, script: string, ...args: string[]): Promise<Ran> {
  return run(project, process.execPath, join(project, "node_modules", script), ...args);
}
