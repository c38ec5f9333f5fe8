import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { readConfig } from "./contract/compile.js";
import { descriptionModule } from "./contract/description-module.js";
import { validatorsModule } from "./contract/validators-module.js";
import type { Yaml } from "./contract/yaml.js";
import { DescriptionError, readDescription, type Description } from "./description.js";
import { modelsModule } from "./models.js";
import { operationsModule } from "./operations.js";
import { header, readmeOfGenerated } from "./readme.js";
import { recordingsModule } from "./recordings.js";
import { schemaModule } from "./schema.js";

/** A file of src/generated that is not as the description says; without text it has no place there. */
interface Stale {
  file: string;
  text?: string;
}

/**
 * The files of src/generated that are stale, relative to the project, each with the text that it should have. Nothing
 * is written, so that a refusal touches no file.
 * @throws {DescriptionError} the description, or a recording, cannot be generated from
 */
export async function findStale(project: string): Promise<Stale[]> {
  const file = join(project, "openapi/catalogue.yaml");
  const description = await readDescription(file);
  const yaml = description as unknown as Yaml;
  const modules: Record<string, string> = {
    "README.md": readmeOfGenerated,
    "description.ts": descriptionModule(yaml, await readConfig(project), header),
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
  const present = await readdir(folder).catch(() => []);
  const orphans = present.filter((name) => !(name in modules)).toSorted();
  return [...stale, ...orphans.map((name) => ({ file: named(name) }))];
}

/** Writes what `findStale` has found. */
export async function refresh(project: string, stale: readonly Stale[]): Promise<void> {
  await mkdir(join(project, "src/generated"), { recursive: true });
  for (const { file, text } of stale) {
    if (text === undefined) await rm(join(project, file), { recursive: true });
    else await writeFile(join(project, file), text);
  }
}

async function typesOf(file: string, description: Description): Promise<string> {
  try {
    return await schemaModule(description);
  } catch (cause) {
    const { message } = cause as Error;
    throw new DescriptionError(`${file}: no types can be made of it: ${message}; run npm run lint`);
  }
}
