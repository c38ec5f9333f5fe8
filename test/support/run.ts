import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { vi } from "vitest";
import { root } from "./paths.js";

/** The exit code and the output of a program. */
export interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The working directory (by default the project's folder) and additional environment variables of a program. */
interface ProgramOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** Environment variables that a program does not inherit: settings for npm, Vitest, proxies, and colored output. */
const SETTINGS = /^(npm_|init_cwd$|vitest|force_color$|(https?_|all_|no_)?proxy$)/i;

/** Runs a program until it exits, and accepts any exit code. */
export function execute(
  program: string,
  args: readonly string[],
  { cwd = root, env }: ProgramOptions = {},
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

/** Runs a program. @returns the standard output @throws {Error} if the exit code is not 0 */
export async function succeed(
  program: string,
  args: readonly string[],
  options?: ProgramOptions,
): Promise<string> {
  const { code, stdout, stderr } = await execute(program, args, options);
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
  options?: ProgramOptions,
): Promise<RunResult> {
  return execute(process.execPath, ["--import", "tsx", file, ...args], options);
}

/** Runs a script in this process, which is faster than `runScript` because modules are loaded only once. */
export async function runHere(file: string, args: string[]): Promise<RunResult> {
  const output = { stdout: "", stderr: "" };
  const collect = (name: "stdout" | "stderr", end: string) => (text: unknown) => {
    output[name] += `${String(text)}${end}`;
    return true;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation(collect("stdout", "\n")),
    vi.spyOn(console, "error").mockImplementation(collect("stderr", "\n")),
    vi.spyOn(process.stdout, "write").mockImplementation(collect("stdout", "")),
    vi.spyOn(process.stderr, "write").mockImplementation(collect("stderr", "")),
    vi.spyOn(process.stdout, "on").mockReturnThis(),
  ];
  const { argv, exitCode } = process;
  process.argv = [process.execPath, join(root, file), ...args];
  process.exitCode = 0;
  try {
    // A new query string makes Node run the script again, but not the modules that the script imports.
    await import(`${join(root, file)}?run=${crypto.randomUUID()}`);
    return { code: process.exitCode, ...output };
  } finally {
    Object.assign(process, { argv, exitCode });
    for (const spy of spies) spy.mockRestore();
  }
}

/** Interrupts a detached program and its child processes, as a terminal does. */
export function pressCtrlC({ pid, exitCode, signalCode }: ChildProcess): void {
  if (exitCode === null && signalCode === null) process.kill(-pid!, "SIGINT");
}
