import { randomUUID } from "node:crypto";
// Under the permission model of Node.js 20 and 22, `link`, `rename`, and `stat` of `node:fs/promises` reject a second
// promise, which ends the process.
import { linkSync, renameSync } from "node:fs";
import { mkdir, rm, writeFile as write } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "./command-error.js";
import { isFolder } from "./file-exists.js";

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
    await createFolder(dirname(file));
    await write(file, text);
  });
}

/**
 * Creates a folder and the folders above it. The `recursive` option of `mkdir` never returns if a virtual file system
 * such as `/proc` reports that an existing folder does not exist.
 */
async function createFolder(folder: string): Promise<void> {
  const create = (path: string) =>
    mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (!isFolder(path)) throw error;
    });
  await create(folder).catch(async (error: NodeJS.ErrnoException) => {
    const parent = dirname(folder);
    if (error.code !== "ENOENT" || parent === folder) throw error;
    await createFolder(parent);
    await create(folder);
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
      await createFolder(dirname(file));
      await write(temporary, text, { flush: true });
      if (mayReplace) renameSync(temporary, file);
      else await moveNew(temporary, file);
    } catch (error) {
      isKept = !mayReplace && (error as NodeJS.ErrnoException).code === "EEXIST";
      if (!isKept) throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  });
  return !isKept;
}

/** Moves a file. Fails if the target exists, even if another process has only just created it. */
async function moveNew(from: string, to: string): Promise<void> {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    // On a file system without hard links, such as exFAT, an empty file reserves the name.
    await write(to, "", { flag: "wx" });
    renameSync(from, to);
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
    throw new CommandError(describeWriteError(name, error as Error));
  }
}

/** Explains that a file cannot be written. */
export function describeWriteError(name: string, { code }: NodeJS.ErrnoException): string {
  const isInFile = code === "EEXIST" || code === "ENOTDIR";
  const reason = isInFile ? ", because a part of its path is a file" : "";
  return `${name} cannot be written (${code})${reason}; choose another path`;
}
