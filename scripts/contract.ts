/**
 * `npm run contract [-- OPTION...]`: `media-catalogue contract` over test/recordings, which have to cover the
 * description; and two proofs of the gate itself, which need the development dependencies.
 */
import { fileURLToPath } from "node:url";
import { main } from "../src/cli/main.js";

const args = process.argv.slice(2);

if (args.includes("--mutate-spec")) {
  const { mutateSpec } = await import("./contract/mutate-spec.js");
  process.exitCode = await mutateSpec(fileURLToPath(new URL("..", import.meta.url)));
} else if (args.includes("--second-opinion")) {
  await import("./contract/second-opinion.js");
} else {
  const code = await main(["contract", ...args], {
    own: ["test/recordings"],
    usage: "npm run contract -- --help",
  });
  process.exitCode = code;
  if (args.includes("--help") || args.includes("-h")) {
    console.log(`
In this repository, npm run contract judges test/recordings where no PATH is given, with --coverage. Besides:

  --mutate-spec         weakens the description in every way, to prove that some recording notices
  --second-opinion      asks other validators about the same recordings and mutants`);
  } else if (!args.includes("--version") && !args.includes("-v")) {
    suggest(code);
  }
}

/** On the standard error, so that a report on the standard output stays whole. */
function suggest(code: number): void {
  if (code === 0 && !args.includes("--mutate")) {
    console.error(
      "\nNext: npm run contract -- --mutate proves that damage to the recordings is found.",
    );
  }
  if (code === 1) console.error("\nNext: docs/findings.md says what to do about each finding.");
}
