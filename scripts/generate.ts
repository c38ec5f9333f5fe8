/** `npm run generate [-- --check]`: writes all generated files, or checks that they are up to date. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArguments, runMain, UsageError } from "./shared/command-line.js";
import { DescriptionError } from "./shared/description-error.js";
import { checkDescriptions } from "./description/description.js";
import { addMissing } from "./generate/add-missing.js";
import { findStaleFiles, formatted, type Stale } from "./generate/generate-files.js";
import { CATALOGUE, FULL } from "./shared/paths.js";

const USAGE = `Usage: npm run generate [-- [--check | --add-missing] [--root DIR]]

Writes src/generated, docs/methods.md, docs/evidence.md, and llms.txt from the descriptions, the example responses, and
the evidence.

  --check        write nothing; if files are out of date, list them and exit with 1
  --add-missing  first copy the operations that openapi/full.yaml lacks from openapi/catalogue.yaml, with their schemas
  --root DIR     the project's folder (default: this repository)
  -h, --help     print this help

Exit codes: 0 if the files are up to date or were written, 1 if a file is out of date or cannot be generated, 2 for
invalid arguments.`;

await runMain("npm run generate", USAGE, async (args) => {
  const { values } = parseArguments(args, {
    check: { type: "boolean", default: false },
    "add-missing": { type: "boolean", default: false },
    root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
  });
  if (values.check && values["add-missing"])
    throw new UsageError("--check writes nothing; leave out --check or --add-missing");
  try {
    const find = values["add-missing"] ? addMissingOperations : findStaleFiles;
    return await generate(values.root, values.check, await find(values.root));
  } catch (error) {
    if (!(error instanceof DescriptionError)) throw error;
    console.error(`${error.message}\nNo file was generated.`);
    return 1;
  }
});

/**
 * Adds the operations that the full description lacks to its file, and finds the outdated generated files.
 * @throws {DescriptionError} if the result is invalid; the file then stays as it was
 */
async function addMissingOperations(project: string): Promise<Stale[]> {
  // Lines in messages about what is invalid before the change are lines of the file.
  const skipped = ["no-unused-components"];
  const [specified] = await checkDescriptions(project, [CATALOGUE, FULL], { skipped });
  const file = join(project, FULL);
  const before = await readFile(file, "utf8");
  const { text, messages } = addMissing(specified!.document, before);
  if (messages.length === 0) return findStaleFiles(project);
  await writeFile(file, await formatted(FULL, text));
  try {
    const stale = await findStaleFiles(project);
    for (const message of messages) console.log(message);
    return stale;
  } catch (error) {
    await writeFile(file, before);
    if (!(error instanceof DescriptionError)) throw error;
    const note = `Nothing was added to ${FULL}; its lines above include what would have been added.`;
    throw new DescriptionError(`${error.message}\n${note}`);
  }
}

async function generate(project: string, check: boolean, stale: readonly Stale[]): Promise<number> {
  if (stale.length === 0) console.log("all generated files are up to date");
  for (const { file, text } of stale) {
    const path = join(project, file);
    if (check) {
      console.error(`${file} is out of date; run npm run generate and commit the result`);
    } else if (text === undefined) {
      await rm(path, { recursive: true });
      console.log(`removed ${file}`);
    } else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      console.log(`wrote ${file}`);
    }
  }
  return check && stale.length > 0 ? 1 : 0;
}
