import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ReleaseError } from "./step.js";
import { greatest, type Bump } from "./version.js";

/** A changeset that no version holds yet. */
interface Changeset {
  /** Path, relative to the project. */
  file: string;
  bump: Bump;
}

/** The changesets that wait, in the order of their names. @throws {ReleaseError} one says no bump */
export async function pendingChangesets(project: string): Promise<Changeset[]> {
  const names = await readdir(join(project, ".changeset")).catch(() => []);
  const pending = names.filter((name) => name.endsWith(".md") && name !== "README.md");
  return Promise.all(
    pending.toSorted().map(async (name) => {
      const file = `.changeset/${name}`;
      const text = await readFile(join(project, file), "utf8");
      const [, head] = /^---\n([^]*?)\n?---$/m.exec(text) ?? [];
      if (head === undefined) {
        throw new ReleaseError(`${file} does not begin with a bump; make it with npx changeset`);
      }
      const bumps = head.match(/(?<=:\s*["']?)(patch|minor|major)/g) as Bump[] | null;
      return { file, bump: greatest(bumps ?? []) };
    }),
  );
}
