import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile as write } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "./command-error.js";
import { fileExists } from "./file-exists.js";

/**
 * Writes a file, creating its folder if needed.
 * @param text the text, or its parts
 * @param name the file's name in error messages
 * @throws {CommandError} if the file cannot be written
 */
export async function writeFile(
  file: string,
  text: string | Iterable<string>,
  name = file,
): Promise<void> {
  await attempt(name, async () => {
    await mkdir(dirname(file), { recursive: true });
    await write(file, text);
  });
}

/**
 * Writes a file so that no other process ever sees a partial file. Each call uses its own temporary file, so several
 * processes can write to the same folder.
 * @param folder the folder for the hidden temporary file
 * @param mayReplace whether to replace the file if it exists
 * @returns whether the file was written
 * @throws {CommandError} if the file cannot be written
 */
export async function writeAtomically(
  file: string,
  text: string,
  folder: string,
  mayReplace: boolean,
): Promise<boolean> {
  if (!mayReplace && fileExists(file)) return false;
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  await attempt(file, async () => {
    try {
      await mkdir(dirname(file), { recursive: true });
      await write(temporary, text, { flush: true });
      await rename(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
  });
  return true;
}

/**
 * Creates a folder if needed, and checks that files can be written to the folder.
 * @throws {CommandError} if the folder cannot be created, or if files cannot be written to it
 */
export async function ensureWritableFolder(folder: string, name: string): Promise<void> {
  const probe = join(folder, `.${randomUUID()}.tmp`);
  await writeFile(probe, "", name);
  await rm(probe, { force: true });
}

async function attempt(name: string, call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    throw new CommandError(describeWriteError(name, error as Error));
  }
}

/** Explains that a file cannot be written. */
export function describeWriteError(name: string, { code }: NodeJS.ErrnoException): string {
  return `${name} cannot be written (${code}); choose another path`;
}
