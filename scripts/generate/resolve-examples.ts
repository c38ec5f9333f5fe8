import type { Description, Json, Operation } from "../../src/openapi/description.js";
import { formatExpected, locationOf } from "../../src/contract/engine/mismatches.js";
import { isJson, selectResponse } from "../../src/openapi/route.js";
import { applicableSchemas, itemSchemas, memberSchemas } from "../../src/openapi/schema-sets.js";
import { toReferenceToken } from "../../src/openapi/pointer.js";
import { isObject } from "../../src/openapi/schema.js";
import type { CompleteExchange } from "../../src/types/exchange.js";
import { DescriptionError } from "../shared/description-error.js";
import { problemAt, type WrittenExample } from "./example-responses.js";
import type { Part } from "./part-exchanges.js";

function responseSchemas(operation: Operation, status: number): string[] {
  const schema = selectResponse(operation, status)?.content.find(isJson)?.schema;
  return schema === undefined ? [] : [schema];
}

/** A place in a response: the schemas that apply there according to one description. */
interface Place {
  description: Description;
  declaring: readonly string[];
}

/** Returns the place of an operation's response body in each description that has the operation. */
function placesOf(
  descriptions: readonly Description[],
  operation: string | undefined,
  status: number,
): Place[] {
  return descriptions.flatMap((description) => {
    const called = description.operations.find(({ id }) => id === operation);
    return called ? { description, declaring: responseSchemas(called, status) } : [];
  });
}

/**
 * Replaces each reference to an example, `{ "$example": "movies.details/night-ferry", … }`, with the body of that
 * example. Further properties of the reference replace those of the body. A reference, a referenced example, and an
 * example with parts keep only the properties that every description declares in their place, or that one requires.
 * @param descriptions the full description, and the specification, which applies to its own operations
 * @throws {DescriptionError} if a reference names no example, or sets a property that its place does not declare, or if a
 * body does not match its schema
 */
export function resolveExamples(
  written: readonly WrittenExample[],
  descriptions: readonly Description[],
  parts: readonly Part[],
): WrittenExample[] {
  const examples = new Map(written.map((each) => [nameOf(each), each]));
  const referenced = new Set(written.flatMap(({ response }) => listReferences(response.body)));
  const resolved = written.map((exchange) => {
    const { operation, response } = exchange;
    const own = parts.filter(({ whole }) => whole === operation);
    if (response.body === undefined) return exchange;
    const isReduced = response.status < 300 && (referenced.has(nameOf(exchange)) || own.length > 0);
    const places = placesOf(descriptions, operation, response.status);
    const context: Context = { examples, parts, exchange };
    const properties = Object.entries(isObject(response.body) ? response.body : {});
    const isPart = (name: string) => own.some(({ property }) => property === name);
    const whole = properties.length > 0 ? omit(properties, isPart) : response.body;
    const body = resolve(whole, places, "", isReduced, context);
    // A part is also the response of its own operation, so both schemas must declare its properties.
    const added = own.flatMap(({ property, operation: other }) => {
      const value = properties.find(([name]) => name === property)?.[1];
      if (value === undefined) return [];
      const inWhole = places.slice(0, 1).map((each) => memberOf(each, whole, property));
      const inPart = placesOf(descriptions, other, 200);
      const at = toReferenceToken(property);
      return [[property, resolve(value, [...inWhole, ...inPart], at, true, context)] as const];
    });
    const all = added.length > 0 ? { ...(body as object), ...Object.fromEntries(added) } : body;
    return { ...exchange, response: { ...response, body: all } };
  });
  const lines = resolved.flatMap((each) => listMismatches(each, descriptions));
  if (lines.length > 0) throw new DescriptionError([...new Set(lines)].join("\n"));
  return resolved;
}

/** Lists the values in the body of an example that its descriptions reject, each with its line. */
function listMismatches(example: WrittenExample, descriptions: readonly Description[]): string[] {
  const { status, body } = example.response;
  return placesOf(descriptions, example.operation, status).flatMap(({ description, declaring }) =>
    declaring
      .flatMap((schema) => description.validators[schema]!(body))
      .map((error) => {
        const at = locationOf(error);
        const problem = `${at || "the body"}: expected ${formatExpected(error)}`;
        return problemAt(example, at, `${problem}; correct the example, or the description`);
      }),
  );
}

function memberOf({ description, declaring }: Place, value: Json, key: string): Place {
  const schemas = applicableSchemas(description, declaring, value);
  return { description, declaring: memberSchemas(schemas, key) };
}

function omit(
  entries: readonly (readonly [string, Json])[],
  isOmitted: (name: string) => boolean,
): { [key: string]: Json } {
  return Object.fromEntries(entries.filter(([name]) => !isOmitted(name)));
}

interface Context {
  examples: ReadonlyMap<string, CompleteExchange>;
  parts: readonly Part[];
  /** The example response that contains the value, for messages. */
  exchange: WrittenExample;
}

function resolve(
  value: Json,
  places: readonly Place[],
  pointer: string,
  isReduced: boolean,
  context: Context,
): Json {
  if (typeof value !== "object" || value === null) return value;
  const object = dereference(value, pointer, context);
  const isReference = object !== value;
  const preview = previewOf(object, 3, context);
  const applicable = places.map(({ description, declaring }) => ({
    description,
    schemas: applicableSchemas(description, declaring, preview),
  }));
  if (Array.isArray(object)) {
    const items = applicable.map(({ description, schemas }) => {
      return { description, declaring: itemSchemas(schemas) };
    });
    return object.map((item, index) =>
      resolve(item, items, `${pointer}/${index}`, isReduced, context),
    );
  }
  const isOpen = applicable.every(({ schemas }) =>
    schemas.every(({ schema }) => !schema.properties),
  );
  const entries = Object.entries(object).flatMap(([key, each]) => {
    const at = pointer + toReferenceToken(key);
    const members = applicable.map(({ description, schemas }) => {
      const declaring = memberSchemas(schemas, key);
      // A schema that declares no properties, such as that of a free-form object, keeps all of them.
      const isAny = schemas.every(({ schema }) => !schema.properties);
      return { description, declaring, isKept: isAny || declaring.length > 0 };
    });
    if (isReference && key in value && members[0]?.isKept === false)
      fail(context, at, "is declared by no schema of its place; correct or remove the property");
    const isRequired = applicable.some(({ schemas }) =>
      schemas.some(({ schema }) => schema.required?.includes(key)),
    );
    const isShared = isRequired || members.every(({ isKept }) => isKept);
    const isOmitted = (isReduced || isReference) && !isShared;
    // Without a schema, references could lead back to the same example.
    const isNested = isReference && isOpen && typeof each === "object";
    if (isOmitted || isNested) return [];
    return [[key, resolve(each, members, at, isReduced || isReference, context)] as const];
  });
  return Object.fromEntries(entries);
}

type Container = Json[] | { [key: string]: Json };

/** Replaces a reference with the body of the example, without its parts. Returns any other value unchanged. */
function dereference(value: Container, pointer: string, context: Context): Container {
  if (Array.isArray(value) || !("$example" in value)) return value;
  const { $example, ...own } = value;
  const body = bodyOf($example, context);
  if (!isObject(body))
    return fail(
      context,
      `${pointer}/$example`,
      `names no example with an object: ${JSON.stringify($example)}; use <operationId>/<name>`,
    );
  const others = new Map([...context.examples].filter(([name]) => name !== $example));
  const base = dereference(body, pointer, { ...context, examples: others });
  const [operation] = String($example).split("/");
  const parts = context.parts.filter(({ whole }) => whole === operation);
  const isPart = (name: string) => parts.some(({ property }) => property === name);
  return { ...omit(Object.entries(base), isPart), ...own };
}

function bodyOf($example: Json | undefined, { examples }: Context): Json | undefined {
  return examples.get(String($example))?.response.body;
}

/** Resolves references to a limited depth, so that validators can select the branches of unions. */
function previewOf(value: Json, depth: number, context: Context): Json {
  if (typeof value !== "object" || value === null || depth === 0) return value;
  // An unknown reference is reported when it is resolved, with its pointer.
  const isKnown = listReferences(value, 1).every((each) => isObject(bodyOf(each, context)));
  const object = isKnown ? dereference(value, "", context) : value;
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

function nameOf({ operation, name }: CompleteExchange): string {
  return `${operation}/${name}`;
}

function fail({ exchange }: Context, pointer: string, problem: string): never {
  throw new DescriptionError(problemAt(exchange, pointer, `${pointer} ${problem}`));
}
