/** `npm run release:check`: compares the project with its last release. */
import { fileURLToPath } from "node:url";
import { parseArguments, runMain } from "./shared/command-line.js";
import { checkRelease, ReleaseError } from "./release/check.js";

const USAGE = `Usage: npm run release:check

Compares the description and the published files with the last git tag vX.Y.Z, and says in Markdown whether the version
in package.json is ready to be released. The description has its own version, info.version, which
must change if and only if the description changes. Without a tag, there is nothing to compare. Incompatible types appear in the reports in
test/types/api, which pull requests show.

  -h, --help  print this help

Exit codes: 0 if the version is ready, 1 if the version is not ready, 2 if the arguments are invalid or the last release
cannot be read.`;

await runMain("npm run release:check", USAGE, async (args) => {
  parseArguments(args, {});
  try {
    const { text, isReady } = await checkRelease(fileURLToPath(new URL("..", import.meta.url)));
    console.log(text);
    return isReady ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    console.error(`release:check: ${error.message}`);
    return 2;
  }
});
