import { spawn, type ChildProcess } from "node:child_process";

/** What a program printed, and how it ended. */
export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** How a program is started. */
export interface Running {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** Is given the process as soon as there is one. */
  onStart?(child: ChildProcess): void;
}

/** Runs a program to its end, without what a package manager that runs us has put into the environment. */
export function run(program: string, args: string[], running: Running): Promise<Ran> {
  const { cwd, env, onStart } = running;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...withoutSettings(process.env), NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...output }));
    onStart?.(child);
  });
}

/** Runs a program that has to succeed. @returns what it printed */
export async function succeed(program: string, args: string[], running: Running): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, running);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")}: ${code}\n${stdout}${stderr}`);
  return stdout;
}

/** Settings of npm and of proxies, for the tests bring a registry of their own on loopback, and of colours. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = /^(npm_|init_cwd$|vitest|force_color$|(https?_|all_|no_)?proxy$)/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.test(name)));
}
