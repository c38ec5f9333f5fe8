/**
 * `npm run contract [-- OPTION...]`: runs `media-catalogue contract` on the example responses and the examples in the
 * description, or on the given paths.
 */
import { main } from "../src/cli/main.js";

process.exitCode = await main(["contract", ...process.argv.slice(2)], {
  loadDefaultExchanges: async (displayPath) => {
    const { exampleExchanges, listInlineExchanges } = await import("./prove/example-exchanges.js");
    return [...exampleExchanges, ...listInlineExchanges(displayPath)];
  },
  usage: "npm run contract -- --help",
});
