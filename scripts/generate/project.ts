import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import type { ContractConfig, Json } from "../../src/contract/engine/types.js";
import { readConfig } from "./contract/compile.js";
import { descriptionModule } from "./contract/description-module.js";
import { strayPointers } from "./contract/stray-pointers.js";
import { validatorsModule } from "./contract/validators-module.js";
import { readYaml, type Yaml } from "./contract/yaml.js";
import { DescriptionError, readDescription, type Description } from "./description.js";
import { modelsModule } from "./models.js";
import { observedFiles } from "./observed.js";
import { operationsModule } from "./operations.js";
import { header, readmeOfGenerated } from "./readme.js";
import { recordingsModule } from "./recordings.js";
import { schemaModule } from "./schema.js";

/** A generated file that is out of date; without text it should not exist. */
interface Stale {
  file: string;
  text?: string;
}

/**
 * The generated files that are stale, relative to the project, each with the text that it should have. Nothing is
 * written, so that a refusal touches no file.
 * @throws {DescriptionError} the description, its overlay, its configuration or a recording is wrong
 */
export async function findStale(project: string): Promise<Stale[]> {
  const file = join(project, "openapi/catalogue.yaml");
  const description = await readDescription(file);
  const yaml = description as unknown as Yaml;
  // Before the types: openapi-typescript changes the document that it reads.
  const observed = await observedFiles(project, yaml.document);
  const modules: Record<string, string> = {
    "README.md": readmeOfGenerated,
    "description.ts": descriptionModule(yaml, await configOf(project, yaml.document), header),
    "models.ts": modelsModule(description),
    "operations.ts": operationsModule(description),
    "recordings.ts": await recordingsModule(join(project, "test/recordings")),
    "schema.ts": await typesOf(file, description),
    "validators.js": await validatorsModule(yaml.document, header),
  };
  const folder = join(project, "src/generated");
  const style = await resolveConfig(fileURLToPath(import.meta.url));
  const named = (name: string) => relative(project, join(folder, name));

  const stale: Stale[] = [];
  for (const [name, source] of Object.entries(modules)) {
    const text = await format(source, { ...style, filepath: name });
    const current = await readFile(join(folder, name), "utf8").catch(() => undefined);
    if (current !== text) stale.push({ file: named(name), text });
  }
  for (const { file: name, text } of observed) {
    const current = await readFile(join(project, name), "utf8").catch(() => undefined);
    if (current !== text) stale.push({ file: name, text });
  }
  const present = await readdir(folder).catch(() => []);
  const orphans = present.filter((name) => !(name in modules)).toSorted();
  return [...stale, ...orphans.map((name) => ({ file: named(name) }))];
}

/** Writes what `findStale` has found. */
export async function refresh(project: string, stale: readonly Stale[]): Promise<void> {
  for (const { file, text } of stale) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    if (text === undefined) await rm(join(project, file), { recursive: true });
    else await writeFile(join(project, file), text);
  }
}

/** @throws {DescriptionError} the configuration is no JSON, or names what the description does not have */
async function configOf(project: string, document: Json): Promise<ContractConfig> {
  const file = join(project, "contract.config.json");
  const config = await readConfig(project).catch(({ message }: Error) => {
    throw new DescriptionError(`${file}: ${message}; correct the JSON`);
  });
  const stray = strayPointers(document, config);
  if (stray.length === 0) return config;
  // JSON is YAML, whose reader knows where each value stands.
  const { positions } = await readYaml(file);
  const lines = stray.map(({ pointer, place }) => {
    const [line, column] = positions[place] ?? [1, 1];
    return `${file}:${line}:${column}: ${pointer} is not in the description; correct or remove it`;
  });
  throw new DescriptionError(lines.join("\n"));
}

async function typesOf(file: string, description: Description): Promise<string> {
  try {
    return await schemaModule(description);
  } catch (cause) {
    const { message } = cause as Error;
    throw new DescriptionError(`${file}: no types can be made of it: ${message}; run npm run lint`);
  }
}
