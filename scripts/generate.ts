/** `npm run generate [-- --check]`: writes src/generated from openapi/catalogue.yaml and the recordings. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DescriptionError } from "./generate/description.js";
import { findStale, refresh } from "./generate/project.js";

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) {
  console.log(`Usage: npm run generate [-- --check] [-- --root DIR]

Writes src/generated from openapi/catalogue.yaml and test/recordings.

  --check     write nothing; exit 1 and name each file that is stale
  --root DIR  the project to work on (default: this one)`);
  process.exit(0);
}

try {
  process.exitCode = await generate(values.root, values.check);
} catch (error) {
  if (!(error instanceof DescriptionError)) throw error;
  console.error(`${error.message}\nNothing was written.`);
  process.exitCode = 1;
}

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
