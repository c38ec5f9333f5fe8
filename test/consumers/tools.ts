import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";

/** A file in the node_modules of this folder. */
export function tools(path: string): string {
  return join(import.meta.dirname, "node_modules", path);
}

/** Describes tests that need the tools of this folder. Without them the tests are skipped, except in CI. */
export function describeInstalled(name: string, define: () => void): void {
  const isInstalled = existsSync(tools(".package-lock.json")) || process.env["CI"] !== undefined;
  const hint = isInstalled ? "" : " (skipped: npm ci --prefix test/consumers)";
  describe.skipIf(!isInstalled)(`${name}${hint}`, define);
}

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program in a folder to its end, whatever its exit code. */
export function runIn(folder: string, program: string, ...args: string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: folder }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}
