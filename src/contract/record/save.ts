import { randomUUID } from "node:crypto";
import { link, lstat, mkdir, open, readdir, rename, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

const TEMPORARY = /^\..+\.recording$/;

/**
 * Writes a file whole or not at all: under another name in the same folder first, which is then changed.
 * @param replace an existing file is replaced; else it is kept, also one that appeared in the meantime
 * @throws {Error} with code EEXIST where a file is kept
 */
export async function save(file: string, text: string, replace: boolean): Promise<void> {
  const temporary = join(dirname(file), `.${randomUUID()}.recording`);
  try {
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link never replaces what is there.
    await (replace ? rename(temporary, file) : link(temporary, file));
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Removes what an interrupted run left in the folders of recordings. */
export async function sweep(out: string): Promise<void> {
  const folders = await readdir(out, { withFileTypes: true }).catch(() => []);
  for (const folder of folders.filter((each) => each.isDirectory())) {
    for (const name of await readdir(join(out, folder.name))) {
      if (TEMPORARY.test(name)) await unlink(join(out, folder.name, name));
    }
  }
}

/**
 * Makes the folder of an operation.
 * @throws {TypeError} it is a link or a file: what is written there would be elsewhere
 */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  if (!(await lstat(folder)).isDirectory()) {
    throw new TypeError(`${folder} is not a folder of its own; remove it, or give another folder`);
  }
}

/** Whether something has this name, be it a link that leads nowhere. */
export async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
