/** `npm run release:version [-- --record]`: the version and CHANGELOG.md of the next release, or what was released. */
import { fileURLToPath } from "node:url";
import { parsed, runMain } from "./command-line.js";
import { ReleaseError } from "./release/step.js";

const USAGE = `Usage: npm run release:version [-- --record]

Raises the version in package.json and writes CHANGELOG.md, from the changesets that npx changeset made. Refuses, and
changes nothing, where they ask for less than the changes of the description do.

  --record    after a version was tagged and published, keep it in released/, against which the next one is compared
  -h, --help  print this

Exits with 0 if it is done, 1 if it is refused, 2 if the arguments are wrong.`;

const project = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

await runMain("npm run release:version", USAGE, async (args) => {
  const options = parsed(args, { record: { type: "boolean" } });
  try {
    if (options.record) {
      const { record } = await import("./release/record.js");
      console.log(`released/ holds ${await record(project)}; commit it`);
    } else {
      const { raiseVersion } = await import("./release/raise.js");
      console.log(await raiseVersion(project));
    }
    return 0;
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    console.error(`release:version: ${error.message}`);
    return 1;
  }
});
