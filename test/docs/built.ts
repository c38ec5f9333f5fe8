import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { buildDocs } from "../../scripts/docs/build.js";
import { root } from "../support/paths.js";

/** Builds the docs once for the tests of a file. */
export function useDocs(): { folder: string } {
  const docs = { folder: "" };
  beforeAll(async () => {
    await mkdir(join(root, ".tmp"), { recursive: true });
    docs.folder = await mkdtemp(join(root, ".tmp/docs-"));
    await buildDocs(root, docs.folder);
  });
  afterAll(() => rm(docs.folder, { recursive: true, force: true }));
  return docs;
}

/** Every file below a folder, by its path from there. */
export async function filesOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  return new Map(
    await Promise.all(
      names.toSorted().map(async (name) => {
        return [name.slice(folder.length + 1), await readFile(name, "utf8")] as const;
      }),
    ),
  );
}
