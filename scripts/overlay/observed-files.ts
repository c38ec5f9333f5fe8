import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Schema } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import { DescriptionError } from "../shared/description-error.js";

/** The operations of a group, and the schemas that only they use, as an OpenAPI document. */
export interface ObservedFile {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, ObservedOperation>>;
  components: { schemas: Record<string, Schema> };
}

/** An operation that evidence adds to the specification. */
export interface ObservedOperation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Record<string, Json>[];
  requestBody?: Json;
  responses?: Record<string, Json>;
  "x-observed"?: Record<string, Json>;
}

/** The project's folder for the files of observed operations. */
export const OBSERVED_FOLDER = "openapi/observed";

/** The files of observed operations, by name. */
export function readObservedFiles(project: string): [name: string, file: ObservedFile][] {
  const folder = join(project, OBSERVED_FOLDER);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return names.toSorted().map((name) => {
    const {
      paths = {},
      components,
      ...rest
    } = parse(readFileSync(join(folder, name), "utf8")) as Partial<ObservedFile>;
    return [
      name,
      { ...rest, paths, components: { schemas: components?.schemas ?? {} } } as ObservedFile,
    ];
  });
}

/**
 * A description with the operations and schemas of some files.
 * @throws {DescriptionError} if two files state the same operation or schema
 */
export function addObservedFiles(
  description: Json,
  files: readonly (readonly [name: string, file: Pick<ObservedFile, "paths" | "components">])[],
): Json {
  const document = structuredClone(description) as unknown as ObservedFile;
  const add = (
    into: Record<string, unknown>,
    key: string,
    value: unknown,
    what: string,
    file: string,
  ) => {
    if (Object.hasOwn(into, key)) {
      const advice =
        "openapi/catalogue.yaml or another file declares it, too; remove it from one of them";
      throw new DescriptionError(
        `${OBSERVED_FOLDER}/${file}: ${what} is declared twice; ${advice}`,
      );
    }
    into[key] = value;
  };
  for (const [name, { paths, components }] of files) {
    for (const [path, item] of Object.entries(paths)) {
      const own = (document.paths[path] ??= {});
      for (const [method, operation] of Object.entries(item))
        add(own, method, operation, `${method.toUpperCase()} ${path}`, name);
    }
    for (const [key, schema] of Object.entries(components.schemas))
      add(document.components.schemas, key, schema, `the schema ${key}`, name);
  }
  return document as unknown as Json;
}
