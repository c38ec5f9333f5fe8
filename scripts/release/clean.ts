import { run } from "./command.js";
import { ReleaseError, type Step } from "./step.js";

/** What is released is what is committed: anybody can make the same package again. */
export const clean: Step = {
  name: "clean",
  asks: "nothing is uncommitted",
  async run({ project }) {
    const { code, stdout, stderr } = await run(project, "git", "status", "--porcelain");
    if (code !== 0) {
      throw new ReleaseError(`git status failed (${stderr.trim()}); release from a clone`);
    }
    const changed = stdout.split("\n").filter(Boolean);
    return {
      summary: changed.length === 0 ? "nothing is uncommitted" : `${changed.length} uncommitted`,
      problems: changed.map((line) => `${line.slice(3)} is not committed; commit or remove it`),
    };
  },
};
