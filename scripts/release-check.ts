/** `npm run release:check [-- OPTION...]`: says whether this is ready to be released, or why not and what to do. */
import { fileURLToPath } from "node:url";
import { check } from "./release/check.js";
import { listing, readOptions, USAGE } from "./release/options.js";
import { ReleaseError } from "./release/step.js";
import { UsageError } from "./usage-error.js";

const project = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

try {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") console.log(USAGE);
  else if (options === "list") console.log(listing());
  else process.exitCode = await check(project, options);
} catch (error) {
  if (error instanceof UsageError) {
    console.error(
      `release:check: ${error.message}\nnpm run release:check -- --help lists the options.`,
    );
    process.exitCode = 2;
  } else if (error instanceof ReleaseError) {
    console.error(`release:check: ${error.message}`);
    process.exitCode = 1;
  } else throw error;
}
