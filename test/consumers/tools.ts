import { execFile } from "node:child_process";
import { join } from "node:path";

/** A file in the node_modules of this folder. */
export function tools(path: string): string {
  return join(import.meta.dirname, "node_modules", path);
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
