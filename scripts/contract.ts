/**
 * `npm run contract [-- OPTION...]`: `media-catalogue contract` over test/example-responses, or over the given paths.
 * Without arguments, it also lists the statements of the description that no example response exercises.
 */
import { main } from "../src/cli/main.js";

const args = process.argv.slice(2);
process.exitCode = await main(["contract", ...args], {
  defaultPaths: ["test/example-responses"],
  usage: "npm run contract -- --help",
});
if (args.length === 0 && process.exitCode === 0) {
  const { proveCoverage } = await import("./prove/coverage.js");
  const { reasons } = await import("./prove/project.js");
  const { exampleExchanges, readFullDescription } = await import("./prove/example-exchanges.js");
  const { problems } = proveCoverage(exampleExchanges, await readFullDescription(), reasons);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
