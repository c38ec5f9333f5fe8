/**
 * `npm run contract [-- OPTION...]`: runs `media-catalogue contract` on the example responses and the examples in the
 * description, or on the given paths. Without arguments, the script also lists the statements in the description that
 * no example response exercises.
 */
import { main } from "../src/cli/main.js";

const args = process.argv.slice(2);
const load = () => import("./prove/example-exchanges.js");
process.exitCode = await main(["contract", ...args], {
  loadDefaultExchanges: async (displayPath) => {
    const { exampleExchanges, listInlineExchanges } = await load();
    return [...exampleExchanges, ...listInlineExchanges(displayPath)];
  },
  usage: "npm run contract -- --help",
});
if (args.length === 0 && process.exitCode === 0) {
  const { proveCoverage } = await import("./prove/coverage.js");
  const { reasons } = await import("./prove/project.js");
  const { listInlineExchanges, exampleExchanges, fullDescription } = await load();
  const { problems } = proveCoverage(
    exampleExchanges,
    fullDescription,
    reasons,
    listInlineExchanges(),
  );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
