/** `npm run release:check [-- OPTION...]`: says whether this is ready to be released, or why not and what to do. */
import { fileURLToPath } from "node:url";
import { runMain } from "./command-line.js";
import { check } from "./release/check.js";
import { listing, readOptions, USAGE } from "./release/options.js";
import { ReleaseError } from "./release/step.js";

const project = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

await runMain("npm run release:check", USAGE, async (args) => {
  const options = readOptions(args);
  try {
    if (options !== "list") return await check(project, options);
    console.log(listing());
    return 0;
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    console.error(`release:check: ${error.message}`);
    return 1;
  }
});
