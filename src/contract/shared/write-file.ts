import { randomUUID } from "node:crypto";
import { link, mkdir, rename, rm, writeFile as write } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "./command-error.js";

/**
 * Writes a file, creating its folder if needed.
 * @param name the file's name in error messages
 * @throws {CommandError} if the file cannot be written
 */
export async function writeFile(file: string, text: string, name = file): Promise<void> {
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
  let isKept = false;
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  await attempt(file, async () => {
    try {
      await mkdir(dirname(file), { recursive: true });
      await write(temporary, text, { flush: true });
      await (mayReplace ? rename : moveNew)(temporary, file);
    } catch (error) {
      isKept = !mayReplace && (error as NodeJS.ErrnoException).code === "EEXIST";
      if (!isKept) throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  });
  return !isKept;
}

/** Moves a file. Fails if the target exists, even if another process has only just created the target. */
async function moveNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    // On a file system without hard links, such as exFAT, an empty file reserves the name.
    await write(to, "", { flag: "wx" });
    await rename(from, to);
  }
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
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`${name} cannot be written (${code}); choose another path`);
  }
}
