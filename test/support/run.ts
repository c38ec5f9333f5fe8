import { spawn, type ChildProcess } from "node:child_process";
import { root } from "./paths.js";

/** The exit code and the output of a program. */
export interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The working directory and the environment of a program. The default `cwd` is the project's folder. */
interface Running {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** Environment variables for npm, Vitest, proxies, and colored output. */
const SETTINGS = /^(npm_|init_cwd$|vitest|force_color$|(https?_|all_|no_)?proxy$)/i;

/** Runs a program until it exits, with any exit code. */
export function execute(
  program: string,
  args: readonly string[],
  { cwd = root, env }: Running = {},
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const inherited = Object.entries(process.env).filter(([name]) => !SETTINGS.test(name));
    const child = spawn(program, args, {
      cwd,
      env: { ...Object.fromEntries(inherited), NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...output }));
  });
}

/** Runs a program that must exit with 0. @returns its standard output */
export async function succeed(
  program: string,
  args: readonly string[],
  running?: Running,
): Promise<string> {
  const { code, stdout, stderr } = await execute(program, args, running);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")}: ${code}\n${stdout}${stderr}`);
  return stdout;
}

/** Runs a script from node_modules, such as `typescript/bin/tsc`, in the project's folder. */
export function run(script: string, args: string[]): Promise<RunResult> {
  return execute(process.execPath, [`node_modules/${script}`, ...args]);
}

/** Runs one of this project's scripts, as `npm run` does. */
export function runScript(
  file: string,
  args: string[] = [],
  running?: Running,
): Promise<RunResult> {
  return execute(process.execPath, ["--import", "tsx", file, ...args], running);
}

/** Interrupts a detached program and everything that it started, as a terminal does. */
export function pressCtrlC({ pid, exitCode, signalCode }: ChildProcess): void {
  if (exitCode === null && signalCode === null) process.kill(-pid!, "SIGINT");
}
