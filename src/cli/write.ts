import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError } from "./command-error.js";

/** Makes a folder and its parents. Node's own recursion never ends below /proc, where `mkdir` finds no parent. */
export async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder).catch((error: Error) => {
    // Another run may have been faster.
    if (!existsSync(folder)) throw error;
  });
}

/**
 * Writes a file, and makes its folder if there is none.
 * @param named the file as the error names it
 * @throws {CommandError} it cannot be written
 */
export async function write(file: string, text: string, named = file): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await writeFile(file, text);
  } catch (error) {
    throw unwritable(named, error as Error);
  }
}

/** The error for a file or folder that cannot be written. */
export function unwritable(named: string, { code }: NodeJS.ErrnoException): CommandError {
  return new CommandError(`${named} cannot be written (${code}); choose another path.`);
}
