import { link, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, write } from "../../cli/write.js";

/** A file that is not whole yet; no folder of an operation has one. */
const TEMPORARY = ".recording-";

const temporaryIn = (out: string) => join(out, `${TEMPORARY}${process.pid}`);

/**
 * Makes the folder of the recordings ready, and removes what an interrupted run left in it.
 * @throws {CommandError} it cannot be written
 */
export async function openFolder(out: string): Promise<void> {
  await write(temporaryIn(out), "", `--out ${out}`);
  for (const name of await readdir(out)) {
    const isLeft = name.startsWith(TEMPORARY) && !isOfOther(Number(name.slice(TEMPORARY.length)));
    if (isLeft) await rm(join(out, name), { force: true });
  }
}

/** Whether a process is another one that is still running, and writing. */
function isOfOther(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    // It is there, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === "EPERM";
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
  const temporary = temporaryIn(out);
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
