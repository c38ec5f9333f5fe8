import { spawn } from "node:child_process";

/** What a command printed, and how it ended. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of a shell, as a reader who copies it does, to its end. */
export function execute(command: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // Whoever forces colour upon the tests means their report, not what they compare.
    const { FORCE_COLOR: _, ...plain } = process.env;
    const child = spawn("sh", ["-ec", command], { cwd, env: { ...plain, ...env } });
    const ran: Ran = { code: null, stdout: "", stderr: "" };
    child.stdin.end();
    child.stdout.setEncoding("utf8").on("data", (text: string) => (ran.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (ran.stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...ran, code }));
  });
}
