import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError } from "./command-error.js";

/** Makes a folder, and those above it. Node's own recursion never ends below /proc, where `mkdir` finds no parent. */
export async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder).catch((error: Error) => {
    // Another run may have been faster.
    if (!existsSync(folder)) throw error;
  });
}

/**
 * Writes a file, in a folder that may have to be made.
 * @param named what was asked for, as an error names it
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

/** Says that what was asked for cannot be written, and why. */
export function unwritable(named: string, { code }: NodeJS.ErrnoException): CommandError {
  return new CommandError(`${named} cannot be written (${code}); give a place that can.`);
}
