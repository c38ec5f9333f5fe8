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
  process.exitCode = await main(["contract", ...args], {
    own: ["test/recordings"],
    usage: "npm run contract -- --help",
  });
  if (args.includes("--help") || args.includes("-h")) {
    console.log(`
In this repository, npm run contract judges test/recordings where no PATH is given, with --coverage. Besides:

  --mutate-spec         weakens the description in every way, to prove that some recording notices
  --second-opinion      asks other validators about the same recordings and mutants`);
  }
}
