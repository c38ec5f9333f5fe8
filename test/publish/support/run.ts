import { spawn } from "node:child_process";

/** The output of a program, and how it ended. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** How a program is started. */
export interface Running {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end, without the variables that npm, Vitest, or a proxy put into the environment. */
export function run(program: string, args: string[], { cwd, env }: Running): Promise<Ran> {
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
    child.once("close", (code) => resolve({ code, ...output }));
  });
}

/** Runs a program that must succeed. @returns its standard output */
export async function succeed(program: string, args: string[], running: Running): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, running);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")}: ${code}\n${stdout}${stderr}`);
  return stdout;
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = /^(npm_|init_cwd$|vitest|force_color$|(https?_|all_|no_)?proxy$)/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.test(name)));
}
