/** `npm run generate [-- --check]`: writes src/generated from openapi/catalogue.yaml and the recordings. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { DescriptionError, readDescription } from "./generate/description.js";
import { modelsModule } from "./generate/models.js";
import { operationsModule } from "./generate/operations.js";
import { readmeOfGenerated } from "./generate/readme.js";
import { recordingsModule } from "./generate/recordings.js";
import { schemaModule } from "./generate/schema.js";

const root = fileURLToPath(new URL("..", import.meta.url));

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    root: { type: "string", default: root },
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

/** Every module is made before the first is written, so that a refusal touches no file. */
async function generate(project: string, check: boolean): Promise<number> {
  const description = await readDescription(join(project, "openapi/catalogue.yaml"));
  const modules: Record<string, string> = {
    "README.md": readmeOfGenerated,
    "models.ts": modelsModule(description),
    "operations.ts": operationsModule(description),
    "recordings.ts": await recordingsModule(join(project, "test/recordings")),
    "schema.ts": await schemaModule(description),
  };
  const folder = join(project, "src/generated");
  const style = await resolveConfig(join(root, "package.json"));
  await mkdir(folder, { recursive: true });

  const stale = [];
  for (const [name, source] of Object.entries(modules)) {
    const file = join(folder, name);
    const text = await format(source, { ...style, filepath: file });
    const current = await readFile(file, "utf8").catch(() => undefined);
    if (current !== text) stale.push({ file, text });
  }
  const orphans = (await readdir(folder))
    .filter((name) => !(name in modules))
    .map((name) => join(folder, name));

  const named = [...stale.map(({ file }) => file), ...orphans].map((file) =>
    relative(project, file),
  );
  if (check) {
    for (const file of named) console.error(`${file} is stale: run npm run generate and commit it`);
    if (named.length === 0)
      console.log(`src/generated is fresh (${Object.keys(modules).length} files)`);
    return named.length === 0 ? 0 : 1;
  }
  for (const { file, text } of stale) await writeFile(file, text);
  for (const file of orphans) await rm(file, { recursive: true });
  console.log(named.length === 0 ? "src/generated was fresh" : `wrote ${named.join(", ")}`);
  return 0;
}
