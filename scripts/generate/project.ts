import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { analyze } from "./contract/compile.js";
import { descriptionModule } from "./contract/description-module.js";
import { responseValidatorsModule, validatorsModule } from "./contract/validators-module.js";
import type { Yaml } from "./contract/yaml.js";
import { DescriptionError, readDescription } from "./description.js";
import { observedFiles } from "./observed.js";
import { operationsModule } from "./operations.js";
import { readRecordings, recordingsModule } from "./recordings.js";
import { header } from "./text.js";
import { typeModules } from "./types.js";

const GENERATED = "src/generated";

/** A generated file that differs from what the description says; without text it must go. */
interface Stale {
  file: string;
  text?: string;
}

/**
 * The stale generated files, relative to the project, each with the text that it should have. Nothing is written,
 * so a refused description leaves every file as it is.
 * @throws {DescriptionError} the description or a recording is invalid
 */
export async function findStale(project: string): Promise<Stale[]> {
  const file = join(project, "openapi/catalogue.yaml");
  try {
    return await compare(project, await filesOf(project, file));
  } catch (error) {
    if (error instanceof DescriptionError) throw error;
    const { message } = error as Error;
    throw new DescriptionError(
      `${file}: it cannot be generated from: ${message}; run npm run lint`,
    );
  }
}

/** Every generated file by its path in the project, from one reading of the description. */
async function filesOf(project: string, file: string): Promise<Record<string, string>> {
  const description = await readDescription(file);
  const recordings = await readRecordings(join(project, "test/recordings"));
  const yaml = description as unknown as Yaml;
  checkSchemas(file, yaml);
  // Before the types: openapi-typescript changes the document that it reads.
  const observed = await observedFiles(project, yaml.document);
  const modules = {
    "description.ts": descriptionModule(yaml, header),
    "operations.ts": operationsModule(description, recordings),
    "recordings.ts": recordingsModule(recordings),
    "response-validators.js": await responseValidatorsModule(yaml.document, header),
    "validators.js": await validatorsModule(yaml.document, header),
    ...(await typeModules(description)),
  };
  const paths = Object.entries(modules).map(([name, source]) => [`${GENERATED}/${name}`, source]);
  return { ...Object.fromEntries(paths), ...observed };
}

/** Compares the files of a project with what they should hold, once it is formatted. */
async function compare(project: string, files: Record<string, string>): Promise<Stale[]> {
  const style = await resolveConfig(fileURLToPath(import.meta.url));
  const stale: Stale[] = [];
  for (const [file, source] of Object.entries(files)) {
    const text = await format(source, { ...style, filepath: file });
    const current = await readFile(join(project, file), "utf8").catch(() => undefined);
    if (current !== text) stale.push({ file, text });
  }
  const present = await readdir(join(project, GENERATED)).catch(() => []);
  const paths = present.map((name) => `${GENERATED}/${name}`).toSorted();
  return [...stale, ...paths.filter((path) => !(path in files)).map((file) => ({ file }))];
}

/** @throws {DescriptionError} a schema has a keyword or a union that the gate does not support */
function checkSchemas(file: string, { document, positions }: Yaml): void {
  const lines = analyze(document).problems.map(({ pointer, text }) => {
    const [line, column] = positions[pointer] ?? [1, 1];
    return `${file}:${line}:${column}: ${text}`;
  });
  if (lines.length > 0) throw new DescriptionError(lines.join("\n"));
}
