import { listOperations } from "../../src/openapi/document.js";
import { getAtPointer, refToPointer } from "../../src/openapi/pointer.js";
import { schemaAt } from "../../src/openapi/schema.js";
import type { Json, Operation } from "../../src/openapi/description.js";
import { singular } from "../shared/singular.js";
import type { Shape } from "./shape.js";

const lists = new WeakMap<object, Operation[]>();

/** Returns the operations of a document. Caches the operations, so the document must not change. */
export function operationsOf(document: Json): Operation[] {
  const known = lists.get(document as object) ?? listOperations(document);
  lists.set(document as object, known);
  return known;
}

/** Matches property names that do not describe their values. */
const GENERIC = /^(results|items|data|value|original_value|)$/;

/**
 * Names each shape. Uses the name of the component schema at the shape's locations in a description, if there is one,
 * and otherwise a name based on an operation or a property.
 */
export function nameShapes(
  shapes: readonly Shape[],
  document: Json,
  taken: ReadonlySet<string>,
): Map<Shape, string> {
  const names = new Map<Shape, string>();
  const used = new Set(taken);
  const sorted = shapes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const assign = (shape: Shape, name: string) => {
    used.add(name);
    names.set(shape, name);
  };
  const byLocations = sorted.map(
    (shape) =>
      [
        shape,
        mostCommon(
          shape.locations
            .flatMap((each) => nameAt(document, each) ?? [])
            .filter((each) => !taken.has(each)),
        ),
      ] as const,
  );
  for (const [shape, name] of byLocations)
    if (name !== undefined && !used.has(name)) assign(shape, name);
  for (const shape of sorted) {
    if (names.has(shape)) continue;
    const base = baseName(shape, document, taken);
    let number = 1;
    while (used.has(base + (number === 1 ? "" : String(number)))) number++;
    assign(shape, base + (number === 1 ? "" : String(number)));
  }
  return names;
}

/**
 * Creates an operationId. The operation with the most similar path provides the group, and the given path provides the
 * method name.
 */
export function nameOperation(
  { method, path }: { method: string; path: string },
  document: Json,
): string {
  const segments = path.split("/").slice(2);
  const literal = segments.filter((each) => !each.startsWith("{"));
  const neighbor = operationsOf(document)
    .filter((each) => each.path.split("/")[2] === literal[0])
    .toSorted(
      (a, b) =>
        commonLength(b.path, path) - commonLength(a.path, path) || (a.path < b.path ? -1 : 1),
    )[0];
  const group = neighbor?.id.split(".")[0] ?? toCamelCase(literal[0]!);
  const verb = { POST: "add", PUT: "set", PATCH: "set", DELETE: "delete" }[method] ?? "";
  const rest = literal.slice(1);
  return `${group}.${toCamelCase([verb, ...(rest.length > 0 || verb ? rest : ["details"])].filter(Boolean).join("_"))}`;
}

function commonLength(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  const index = a.findIndex((each, position) => each !== b[position]);
  return index < 0 ? a.length : index;
}

/**
 * Returns the name of the component at a location in a documented response, such as `GET /3/movie/{movie_id}
 * /genres/*`.
 */
function nameAt(document: Json, location: string): string | undefined {
  const [method, path, pointer = ""] = location.split(" ");
  const operation = operationsOf(document).find(
    (each) => each.method === method && each.path === path,
  );
  const response = operation?.responses.find(({ status }) => status.startsWith("2"));
  let here = response?.content[0] && `${response.content[0].pointer}/schema`;
  for (const step of pointer.split(/[/#]/).slice(1)) {
    if (here === undefined) return undefined;
    here = stepInto(document, here, step);
  }
  return here === undefined ? undefined : componentAt(document, here);
}

function stepInto(document: Json, from: string, step: string): string | undefined {
  const here = followed(document, from);
  const schema = schemaAt(document, here);
  if (schema.oneOf) {
    const branch = schema.oneOf.findIndex((each) =>
      JSON.stringify(each).includes(`"const":"${step}"`),
    );
    return branch < 0 ? undefined : `${here}/oneOf/${branch}/allOf/0`;
  }
  if (step === "*")
    return [`${here}/items`, `${here}/additionalProperties`].find(
      (each) => Object.keys(schemaAt(document, each)).length > 0,
    );
  const pointer = `${here}/properties/${step}`;
  return getAtPointer(document, pointer) === undefined ? undefined : pointer;
}

function followed(document: Json, pointer: string): string {
  const { $ref, anyOf } = schemaAt(document, pointer);
  if ($ref !== undefined) return followed(document, refToPointer($ref));
  return anyOf ? followed(document, `${pointer}/anyOf/0`) : pointer;
}

function componentAt(document: Json, pointer: string): string | undefined {
  const { $ref, anyOf } = schemaAt(document, pointer);
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf("/") + 1);
  return anyOf ? componentAt(document, `${pointer}/anyOf/0`) : undefined;
}

/** Returns the most common name. If several names are equally common, returns the first in alphabetical order. */
function mostCommon(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const each of names) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))[0]?.[0];
}

function baseName({ id, name }: Shape, document: Json, taken: ReadonlySet<string>): string {
  const [method, path, pointer = ""] = id.split(" ");
  const operation = operationsOf(document).find(
    (each) => each.method === method && each.path === path,
  );
  const [group = "", own = ""] = (
    operation?.id ?? nameOperation({ method: method!, path: path! }, document)
  ).split(".");
  const ofOperation = toPascalCase(singular(group)) + toPascalCase(own);
  // Names that differ only in a plural ending, such as MovieDetail and MovieDetails, would be confusing.
  if (pointer === "") return taken.has(singular(ofOperation)) ? `Full${ofOperation}` : ofOperation;
  return GENERIC.test(name) ? `${ofOperation}Item` : toPascalCase(singular(name));
}

function toCamelCase(name: string): string {
  return name.replaceAll(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

function toPascalCase(name: string): string {
  const camel = toCamelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}
