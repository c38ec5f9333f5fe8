import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError } from "./command-error.js";

/** Makes a folder and its parents. Node's recursive `mkdir` never returns below /proc. */
export async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder).catch((error: Error) => {
    // Another process may have created it first.
    if (!existsSync(folder)) throw error;
  });
}

/**
 * Writes a file, creating its folder if needed.
 * @param named the name of the file in error messages
 * @throws {CommandError} the file cannot be written
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
