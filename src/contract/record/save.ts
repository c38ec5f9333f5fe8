import { link, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, unwritable, write } from "../../cli/write.js";

/** A file that is not whole yet; no folder of an operation has one. */
const TEMPORARY = ".recording-";

/**
 * Makes the folder of the recordings ready, and a function that writes a file whole or not at all, and tells which.
 * @param replace existing files are replaced; else they are kept, also one that appears in the meantime
 * @throws {CommandError} it cannot be written
 */
export async function openFolder(out: string, replace: boolean) {
  const temporary = join(out, `${TEMPORARY}${process.pid}`);
  await write(temporary, "", `--out ${out}`);
  // What an interrupted run left.
  for (const name of await readdir(out)) {
    const isLeft = name.startsWith(TEMPORARY) && !isOfOther(Number(name.slice(TEMPORARY.length)));
    if (isLeft) await rm(join(out, name), { force: true });
  }
  return async (file: string, text: string): Promise<boolean> => {
    await makeFolder(dirname(file));
    try {
      await writeFile(temporary, text, { flush: true });
      // Unlike a rename, a link never replaces what is there.
      await (replace ? rename(temporary, file) : link(temporary, file));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw unwritable(file, error as Error);
    } finally {
      await rm(temporary, { force: true });
    }
  };
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
