import { link, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, write } from "../../cli/write.js";

/** A file that is not whole yet; no folder of an operation has one. */
const TEMPORARY = ".recording-";

/**
 * Makes the folder of the recordings ready, and removes what an interrupted run left in it.
 * @throws {CommandError} it cannot be written
 */
export async function openFolder(out: string): Promise<void> {
  await write(join(out, TEMPORARY), "", `--out ${out}`);
  for (const name of await readdir(out)) {
    if (name.startsWith(TEMPORARY)) await rm(join(out, name));
  }
}

/**
 * Writes a file whole or not at all: under another name first, which is then changed.
 * @param replace an existing file is replaced; else it is kept, also one that appeared in the meantime
 * @returns whether it was written
 */
export async function save(
  out: string,
  file: string,
  text: string,
  replace: boolean,
): Promise<boolean> {
  const temporary = join(out, `${TEMPORARY}${process.pid}`);
  await makeFolder(dirname(file));
  try {
    await writeFile(temporary, text, { flush: true });
    // Unlike a rename, a link never replaces what is there.
    await (replace ? rename(temporary, file) : link(temporary, file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await rm(temporary, { force: true });
  }
}
