import type { Description, Json, Validator } from "../../src/openapi/description.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { isJson, selectResponse } from "../../src/openapi/route.js";
import {
  applicableSchemas,
  itemSchemas,
  memberSchemas,
} from "../../src/openapi/walk-values.js";
import type { Part, Parts } from "../../src/sandbox/parts.js";
import type { ExampleExchange } from "../../src/types/example-exchange.js";
import type { CheckedDescription } from "../description/description.js";
import type { MethodModel } from "../description/read-operations.js";
import { DescriptionError } from "../shared/description-error.js";

/** A description whose schemas decide which properties of an example a response contains. */
export interface ExampleDescription {
  description: Description;
  operations: readonly MethodModel[];
}

/**
 * Prepares a description for {@link resolveExamples}.
 * @param validators the source code of the generated validators, which select the branches of unions
 */
export async function describeExamples(
  { document, operations }: CheckedDescription,
  validators: string,
): Promise<ExampleDescription> {
  const module = (await import(`data:text/javascript,${encodeURIComponent(validators)}`)) as {
    validators: Record<string, Validator>;
  };
  const description = { file: "", document, positions: {}, operations: [], ...module };
  return { description, operations };
}

/** Reads the parts that `append_to_response` adds, from the parameter's extension `x-appends`. */
export function readParts({ description, operations }: ExampleDescription): Parts {
  const { document } = description;
  const entries = operations.flatMap((whole) => {
    const parameter = whole.operation.parameters.find(({ name }) => name === "append_to_response");
    const appends = appendsOf(document, whole, parameter?.pointer);
    const parts = Object.entries(appends).map(([name, property]): Part => {
      const path = `${whole.path}/${name}`;
      const own = operations.find((each) => each.path === path && each.method === "get");
      const [schema] = own ? responseSchemas(document, own, 200) : [];
      const hasId = schema !== undefined && declares(document, schema, "id");
      return {
        name,
        property,
        ...(own && { operation: own.id }),
        ...(hasId && { hasId }),
      };
    });
    return parts.length > 0 ? [[whole.id, parts] as const] : [];
  });
  return Object.fromEntries(entries);
}

function appendsOf(document: Json, whole: MethodModel, parameter: string | undefined) {
  const stated = parameter && getAtPointer(document, `${parameter}/x-appends`);
  if (stated) return stated as Record<string, string>;
  // TEMPORARY: until the description states x-appends.
  const [schema = ""] = responseSchemas(document, whole, 200);
  const description = { document, file: "", positions: {}, operations: [], validators: {} };
  const properties = applicableSchemas(description, [schema], null).flatMap((each) =>
    Object.entries(each.schema.properties ?? {}),
  );
  return Object.fromEntries(
    properties.flatMap(([property, each]) => {
      const found = /`append_to_response` contains `(.*?)`/.exec(
        String((each as { description?: string }).description),
      );
      return found ? [[found[1]!, property]] : [];
    }),
  ) as Record<string, string>;
}

function declares(document: Json, schema: string, property: string): boolean {
  const description = { document, file: "", positions: {}, operations: [], validators: {} };
  return memberSchemas(applicableSchemas(description, [schema], null), property).length > 0;
}

function responseSchemas(document: Json, { operation }: MethodModel, status: number): string[] {
  const schema = selectResponse(operation, status)?.content.find(isJson)?.schema;
  return schema === undefined ? [] : [schema];
}

/** Schemas that apply to a value: one list for each description. */
type Places = readonly (readonly string[])[];

/**
 * Replaces each reference to an example, `{ "$example": "movies.details/night-ferry", … }`, with the body of that
 * example. Further properties of the reference replace those of the body. A reference, and the response of an operation
 * with parts, keeps only the properties that every description declares in its place.
 * @param descriptions the full description, and the specification; the latter applies to its own operations
 * @throws {DescriptionError} if a reference names no example, or sets a property that its place does not declare
 */
export function resolveExamples(
  written: readonly ExampleExchange[],
  descriptions: readonly ExampleDescription[],
  parts: Parts,
): ExampleExchange[] {
  const bodies = new Map(written.map((each) => [nameOf(each), each]));
  const referenced = new Set(written.flatMap(({ response }) => listReferences(response.body)));
  return written.map((exchange) => {
    const { operation, response } = exchange;
    const models = descriptions.map(({ operations }) =>
      operations.find(({ id }) => id === operation),
    );
    const relevant = descriptions.filter((_, index) => models[index]);
    const places = models.flatMap((model, index) => {
      const { document } = descriptions[index]!.description;
      return model ? [responseSchemas(document, model, response.status)] : [];
    });
    if (response.body === undefined) return exchange;
    const isWhole = referenced.has(nameOf(exchange)) || parts[operation] !== undefined;
    const isReduced = isWhole && response.status < 300;
    const context: Context = {
      descriptions: relevant.map(({ description }) => description),
      bodies,
      parts,
      file: `test/example-responses/${nameOf(exchange)}.json`,
    };
    const body = resolve(response.body as Json, places, "", isReduced, context);
    return { ...exchange, response: { ...response, body } };
  });
}

interface Context {
  descriptions: readonly Description[];
  bodies: ReadonlyMap<string, ExampleExchange>;
  parts: Parts;
  /** The file that contains the value, for messages. */
  file: string;
}

function resolve(
  value: Json,
  places: Places,
  pointer: string,
  isReduced: boolean,
  context: Context,
): Json {
  if (typeof value !== "object" || value === null) return value;
  const { descriptions } = context;
  const { object, own, isReference } = dereference(value, pointer, context);
  const preview = previewOf(object, 3, context);
  const schemas = descriptions.map((each, index) =>
    applicableSchemas(each, places[index]!, preview),
  );
  if (Array.isArray(object)) {
    return object.map((item, index) => {
      const items = descriptions.map((each, at) =>
        itemSchemas(each, schemas[at]!, index, (preview as Json[])[index]!),
      );
      return resolve(item, items, `${pointer}/${index}`, isReduced, context);
    });
  }
  // A schema that declares no properties, such as that of a map, keeps all of them.
  const isOpen = schemas.map((each) => each.every(({ schema }) => !schema.properties));
  const entries = Object.entries(object).flatMap(([key, each]) => {
    const at = `${pointer}/${key}`;
    const declaring = schemas.map((own) => memberSchemas(own, key));
    const isDeclared = (index: number) => declaring[index]!.length > 0 || isOpen[index]!;
    if (own.has(key) && !isDeclared(0))
      fail(context, at, "is declared by no schema of its place; correct or remove the property");
    const isKept = declaring.every((_, index) => isDeclared(index));
    if ((isReduced || isReference) && !isKept) return [];
    return [[key, resolve(each, declaring, at, isReduced || isReference, context)] as const];
  });
  return Object.fromEntries(entries);
}

type Container = Json[] | { [key: string]: Json };

interface Dereferenced {
  object: Container;
  /** The names of the properties that the reference itself sets. */
  own: ReadonlySet<string>;
  isReference: boolean;
}

/** Replaces a reference with the body of the example, without its parts. */
function dereference(value: Container, pointer: string, context: Context): Dereferenced {
  if (Array.isArray(value) || !("$example" in value))
    return { object: value, own: new Set<string>(), isReference: false };
  const { $example, ...own } = value;
  const exchange = context.bodies.get(String($example));
  if (!exchange) return fail(context, `${pointer}/$example`, `names no example: ${JSON.stringify($example)}; use <operationId>/<name>`);
  const base = dereference(exchange.response.body as Container, pointer, {
    ...context,
    bodies: new Map([...context.bodies].filter(([name]) => name !== $example)),
  }).object;
  const appended = new Set(context.parts[exchange.operation]?.map(({ property }) => property));
  const kept = Object.entries(base).filter(([key]) => !appended.has(key));
  const object = { ...(Object.fromEntries(kept) as { [key: string]: Json }), ...own };
  return { object, own: new Set(Object.keys(own)), isReference: true };
}

/** Resolves references to a limited depth, so that validators can select the branches of unions. */
function previewOf(value: Json, depth: number, context: Context): Json {
  if (typeof value !== "object" || value === null || depth === 0) return value;
  // An unknown reference is reported when it is resolved, with its pointer.
  const isKnown = listReferences(value, 1).every((each) => context.bodies.has(each));
  const object = isKnown ? dereference(value, "", context).object : value;
  if (Array.isArray(object)) return object.map((each) => previewOf(each, depth, context));
  const entries = Object.entries(object).map(
    ([key, each]) => [key, previewOf(each, depth - 1, context)] as const,
  );
  return Object.fromEntries(entries);
}

function listReferences(value: unknown, depth = Infinity): string[] {
  if (typeof value !== "object" || value === null || depth === 0) return [];
  const { $example } = value as { $example?: string };
  const inner = Object.values(value).flatMap((each) => listReferences(each, depth - 1));
  return [...($example ? [$example] : []), ...inner];
}

function nameOf({ operation, name }: ExampleExchange): string {
  return `${operation}/${name}`;
}

function fail({ file }: Context, pointer: string, problem: string): never {
  throw new DescriptionError(`${file}: ${pointer} ${problem}`);
}
