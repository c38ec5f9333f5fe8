/**
 * `npm run contract [-- OPTION...]`: `media-catalogue contract` over test/recordings, which have to cover the
 * description; and two proofs of the gate itself, which need the development dependencies.
 */
import { fileURLToPath } from "node:url";
import { main } from "../src/cli/main.js";
import { help } from "../src/contract/cli/contract.js";
import { parsed, runMain } from "./command-line.js";

const COMMAND = "npm run contract";
const OWN = ["test/recordings"];
const project = fileURLToPath(new URL("..", import.meta.url));

const USAGE = `Usage: npm run contract [-- [PATH...] [OPTION...]]
       npm run contract -- [--mutate-spec] [--second-opinion]

Judges test/recordings, with --coverage, or what else is given, as media-catalogue contract does. Or proves the gate:

  --mutate-spec         weakens the description in every way: something has to notice
  --second-opinion      asks other validators about the same recordings and mutants, and compares

${help}`;

await runMain(COMMAND, USAGE, async (args) => {
  if (args.includes("--mutate-spec") || args.includes("--second-opinion")) return prove(args);
  const code = await main(["contract", ...args], { own: OWN, usage: `${COMMAND} -- --help` });
  suggest(code);
  return code;
});

/** @returns the exit code */
async function prove(args: string[]): Promise<number> {
  const asked = parsed(args, {
    "mutate-spec": { type: "boolean" },
    "second-opinion": { type: "boolean" },
  });
  let code = 0;
  if (asked["mutate-spec"]) {
    const { mutateSpec } = await import("./contract/mutate-spec.js");
    code = await mutateSpec(project);
  }
  if (asked["second-opinion"]) {
    const { secondOpinion } = await import("./contract/second-opinion.js");
    code = Math.max(code, await secondOpinion(project));
  }
  return code;
}

/** On the standard error, so that a report on the standard output stays whole. */
function suggest(code: number): void {
  if (code === 1) console.error("\nNext: docs/findings.md says what to do about each finding.");
}
