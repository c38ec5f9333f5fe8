import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { METHODS } from "../../src/openapi/document.js";
import type { Json } from "../../src/openapi/description.js";
import { parseYaml, type Yaml } from "../description/yaml.js";
import { DescriptionError } from "../shared/description-error.js";
import type { Location } from "./overlay.js";

/** The project's folder for the operations that the specification omits. */
const FULL_FOLDER = "openapi/full";

/**
 * A file with the operations of one group and their schemas, or with components that several groups use. The file is an
 * OpenAPI document.
 */
type FullFile = readonly [name: string, yaml: Pick<Yaml, "document">];

/** The parts of a document: operations by path and method, and components by section and name. */
interface Parts {
  paths?: Record<string, Record<string, Json>>;
  components?: Record<string, Record<string, Json>>;
}

/** Reads the files of the operations that the specification omits. @throws {DescriptionError} if a file is not valid YAML */
export function readFullFiles(project: string): [name: string, yaml: Yaml][] {
  const folder = join(project, FULL_FOLDER);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return names.toSorted().map((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return [name, parseYaml(text, `${FULL_FOLDER}/${name}`)];
  });
}

/** Lists the locations of the operations and schemas in the files, and of everything inside them, by pointer. */
export function locateFullFiles(
  files: readonly (readonly [name: string, yaml: Yaml])[],
): Map<string, Location> {
  const locations = new Map<string, Location>();
  for (const [name, { positions }] of files)
    for (const [pointer, position] of Object.entries(positions))
      // The pointer to an operation or a schema has three keys. A shorter pointer does not identify a file.
      if (parsePointer(pointer).length >= 3)
        locations.set(pointer, [`${FULL_FOLDER}/${name}`, ...position]);
  return locations;
}

/**
 * Adds operations and components to a description, except for operations that the description already has.
 * @throws {DescriptionError} if two files state the same operation or component
 */
export function addFullFiles(description: Json, files: readonly FullFile[]): Json {
  const document = structuredClone(description) as Required<Parts>;
  const specified = new Set(listSpecified(description).map(templateOf));
  const add = (into: Record<string, Json>, key: string, value: Json, what: string) => {
    if (Object.hasOwn(into, key))
      throw new DescriptionError(
        `${FULL_FOLDER}/${what} is also declared elsewhere; remove one declaration`,
      );
    into[key] = value;
  };
  for (const [name, yaml] of files) {
    const { paths = {}, components = {} } = yaml.document as Parts;
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item))
        if (!specified.has(templateOf({ method, path })))
          add((document.paths[path] ??= {}), method, operation, `${name}: ${method} ${path}`);
    }
    for (const [section, own] of Object.entries(components)) {
      const into = (document.components[section] ??= {});
      for (const [key, value] of Object.entries(own))
        add(into, key, value, `${name}: ${key} in components.${section}`);
    }
  }
  return document as Json;
}

/** Lists the operations of a description whose parameters can refer to components that the files declare. */
export function listSpecified(description: Json) {
  const { paths } = description as Required<Parts>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => METHODS.has(method))
      .map((method) => ({ method, path, pointer: `/paths${toReferenceToken(path)}/${method}` })),
  );
}

/** Returns the method and path of an operation, without the names of path parameters. */
export function templateOf({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`;
}
