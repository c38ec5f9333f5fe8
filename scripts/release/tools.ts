import { existsSync } from "node:fs";
import { join } from "node:path";
import { runScript } from "../start/prepare.js";
import type { Step } from "./step.js";

/** Of a long output, what is shown: tools say at the end what is wrong. */
const LINES = 30;

/** A step that holds if every one of some scripts of package.json does. */
function scripts(name: string, asks: string, ...commands: string[]): Step {
  return {
    name,
    asks: `${asks}: npm run ${commands.join(", npm run ")}`,
    async run() {
      const problems: string[] = [];
      for (const command of commands) {
        const output = await runScript(...command.split(" "));
        if (output === undefined) continue;
        problems.push(`npm run ${command} failed; mend what it says:\n${endOf(output)}`);
      }
      const held = commands.length - problems.length;
      return { summary: `${held} of ${commands.length} commands passed`, problems };
    },
  };
}

export const generated = scripts("generated", "src/generated is fresh", "generate -- --check");
export const lint = scripts("lint", "linted, formatted, typed, nothing unused", "check");
export const contract = scripts(
  "contract",
  "the recordings are as described, and planted faults are found",
  "contract",
  "contract -- --mutate",
);
export const docs = scripts("docs", "the documentation is built", "docs");
export const tests = scripts("tests", "every test passes", "test");
export const consumers = scripts("consumers", "apps can use the package", "test:consumers");
export const publish = scripts("publish", "a registry takes the package", "test:publish");

const packageTests = scripts("package", "what is packed is right", "test -- test/package");

export const packed: Step = {
  ...packageTests,
  async run(context) {
    // With no test of that name, vitest would run none and say so in its own words.
    if (existsSync(join(context.project, "test/package"))) return packageTests.run(context);
    const problem = "test/package is not there; git restore it";
    return { summary: "no test of the package", problems: [problem] };
  },
};

function endOf(output: string): string {
  const lines = output.split("\n");
  const cut = lines.length - LINES;
  return [...(cut > 0 ? [`… ${cut} lines before`] : []), ...lines.slice(-LINES)].join("\n");
}
