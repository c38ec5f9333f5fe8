import { run } from "./command.js";
import { ReleaseError, type Step } from "./step.js";

/** What is released is what is committed: anybody can make the same package again. */
export const clean: Step = {
  name: "clean",
  asks: "nothing is uncommitted",
  async run({ project }) {
    const changed = await uncommitted(project);
    return {
      summary: changed.length === 0 ? "nothing is uncommitted" : `${changed.length} uncommitted`,
      problems: changed.map((file) => `${file} is not committed; commit or remove it`),
    };
  },
};

/** The files that git would commit. @throws {ReleaseError} git cannot tell */
export async function uncommitted(project: string): Promise<string[]> {
  const { code, stdout, stderr } = await run(project, "git", "status", "--porcelain");
  if (code !== 0) {
    throw new ReleaseError(`git status failed (${stderr.trim()}); release from a clone`);
  }
  const lines = stdout.split("\n").filter(Boolean);
  return lines.map((line) => line.slice(3));
}
