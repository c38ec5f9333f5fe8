/** `npm run generate [-- --check]`: writes src/generated from openapi/catalogue.yaml and the recordings. */
import { fileURLToPath } from "node:url";
import { parsed, runMain } from "./command-line.js";
import { DescriptionError } from "./generate/description.js";
import { findStale, refresh } from "./generate/project.js";

const USAGE = `Usage: npm run generate [-- [--check] [--root DIR]]

Writes src/generated from openapi/catalogue.yaml, contract.config.json and test/recordings.

  --check     write nothing; exit 1 and name each file that is stale
  --root DIR  the project to work on (default: this one)
  -h, --help  print this

Exits with 0 if it is fresh, 1 if it is stale or cannot be generated, 2 if the arguments are wrong.`;

await runMain("npm run generate", USAGE, async (args) => {
  const { check, root } = parsed(args, {
    check: { type: "boolean", default: false },
    root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
  });
  try {
    return await generate(root, check);
  } catch (error) {
    if (!(error instanceof DescriptionError)) throw error;
    console.error(`${error.message}\nNothing was written.`);
    return 1;
  }
});

async function generate(project: string, check: boolean): Promise<number> {
  const stale = await findStale(project);
  const names = stale.map(({ file }) => file);
  if (names.length === 0) {
    console.log("src/generated is fresh");
    return 0;
  }
  if (check) {
    for (const name of names) console.error(`${name} is stale: run npm run generate and commit it`);
    return 1;
  }
  await refresh(project, stale);
  console.log(`wrote ${names.join(", ")}`);
  return 0;
}
