/**
 * `npm run contract [-- OPTION...]`: runs `media-catalogue contract` on the example responses and the examples in the
 * description, or on the given paths.
 */
import { main } from "../src/cli/main.js";

process.exitCode = await main(["contract", ...process.argv.slice(2)], {
  loadDefaultExchanges: async () => (await import("./prove/example-exchanges.js")).exampleExchanges,
  usage: "npm run contract -- --help",
});
