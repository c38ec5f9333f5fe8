import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { analyze } from "./contract/compile.js";
import { descriptionModule } from "./contract/description-module.js";
import { responseValidatorsModule, validatorsModule } from "./contract/validators-module.js";
import type { Yaml } from "./contract/yaml.js";
import { DescriptionError, readDescription } from "./description.js";
import { operationsModule } from "./operations.js";
import { readRecordings, recordingsModule } from "./recordings.js";
import { header } from "./text.js";
import { typeModules } from "./types.js";

/** A file of src/generated that differs from what the description says; without text it must go. */
interface Stale {
  file: string;
  text?: string;
}

/**
 * The stale files of src/generated, relative to the project, each with the text that it should have. Nothing is written,
 * so a refused description leaves every file as it is.
 * @throws {DescriptionError} the description or a recording is invalid
 */
export async function findStale(project: string): Promise<Stale[]> {
  const file = join(project, "openapi/catalogue.yaml");
  try {
    return await compare(project, "src/generated", await modulesOf(project, file));
  } catch (error) {
    if (error instanceof DescriptionError) throw error;
    const { message } = error as Error;
    throw new DescriptionError(
      `${file}: it cannot be generated from: ${message}; run npm run lint`,
    );
  }
}

/** Every generated module by its name, from one reading of the description. */
async function modulesOf(project: string, file: string): Promise<Record<string, string>> {
  const description = await readDescription(file);
  const recordings = await readRecordings(join(project, "test/recordings"));
  const yaml = description as unknown as Yaml;
  checkSchemas(file, yaml);
  return {
    "description.ts": descriptionModule(yaml, header),
    "operations.ts": operationsModule(description, recordings),
    "recordings.ts": recordingsModule(recordings),
    "response-validators.js": await responseValidatorsModule(yaml.document, header),
    "validators.js": await validatorsModule(yaml.document, header),
    ...(await typeModules(description)),
  };
}

/** Compares a folder with the modules that it should hold, once they are formatted. */
async function compare(project: string, folder: string, modules: Record<string, string>) {
  const style = await resolveConfig(fileURLToPath(import.meta.url));
  const path = (name: string) => join(project, folder, name);
  const stale: Stale[] = [];
  for (const [name, source] of Object.entries(modules)) {
    const text = await format(source, { ...style, filepath: name });
    const current = await readFile(path(name), "utf8").catch(() => undefined);
    if (current !== text) stale.push({ file: relative(project, path(name)), text });
  }
  const present = await readdir(path("")).catch(() => []);
  const orphans = present.filter((name) => !(name in modules)).toSorted();
  return [...stale, ...orphans.map((name) => ({ file: relative(project, path(name)) }))];
}

/** @throws {DescriptionError} a schema has a keyword or a union that the gate does not support */
function checkSchemas(file: string, { document, positions }: Yaml): void {
  const lines = analyze(document).problems.map(({ pointer, text }) => {
    const [line, column] = positions[pointer] ?? [1, 1];
    return `${file}:${line}:${column}: ${text}`;
  });
  if (lines.length > 0) throw new DescriptionError(lines.join("\n"));
}
