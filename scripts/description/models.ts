import { pluralize } from "../../src/contract/engine/format-value.js";
import { reachSchemas } from "../../src/openapi/keywords.js";
import { listOperations, resolveRef } from "../../src/openapi/document.js";
import type { Json, SchemaHolder } from "../../src/openapi/description.js";
import {
  getAtPointer,
  lastKey,
  parentPointer,
  parsePointer,
  refToPointer,
  toReferenceToken,
} from "../../src/openapi/pointer.js";
import { isJson, isSuccess } from "../../src/openapi/route.js";
import { isFreeForm, isObject, schemaAt } from "../../src/openapi/schema.js";

/** The reserved words of JavaScript modules. */
export const RESERVED: readonly string[] =
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof var void while with yield`.split(/\s+/);

/** Names that a generated type cannot have, because the package or TypeScript already uses them. */
const TAKEN = new Set([
  ...RESERVED,
  ...`any ApiError Array bigint BodyError BodyOptions boolean CallOptions Catalogue CatalogueError CatalogueMethods
  CatalogueOptions components ConnectionError createCatalogue createSandbox documentedOperations ExampleExchange Extract
  FetchOptions HttpClient PathValue isMovieCredit Middleware never NonNullable number object OpenQuery OperationId operations
  Override OverrideBody OverrideItem Page paginate Paginated PaginateOptions Partial paths Promise Query QueryOptions
  Readonly Record RequestHeaders RequiredQueryOptions Sandbox SandboxOptions string symbol TimeoutError TokenProvider
  undefined unknown Validate webhooks WithResponse`.split(/\s+/),
]);
const COMPONENTS = "/components/schemas/";

/**
 * Returns the type name for each named schema and each inline schema of a JSON body, by pointer. Converts a schema's
 * name if the name is not an identifier.
 */
export function nameModels(document: Json): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const operations = listOperations(document);
  const used = new Set([...TAKEN, ...operations.map(({ id }) => methodsName(id.split(".")[0]!))]);
  const add = (pointer: string, wanted: string) => {
    if (names.has(pointer)) return;
    const name =
      [wanted, `${wanted}Model`].find((each) => !used.has(each)) ?? nextName(wanted, used);
    used.add(name);
    names.set(pointer, name);
  };
  const named = Object.keys(getAtPointer(document, "/components/schemas") ?? {});
  // Names that are already identifiers come first, because a converted name could equal one of them.
  for (const isPlain of [true, false])
    for (const name of named)
      if (isIdentifier(name) === isPlain)
        add(COMPONENTS.slice(0, -1) + toReferenceToken(name), isPlain ? name : pascalCase(name));
  for (const { id, requestContent, responses } of operations) {
    const success = responses.find(isSuccess);
    for (const { status, content } of responses) {
      const suffix = `Response${status === success?.status ? "" : status}`;
      for (const pointer of jsonSchemas(content))
        add(pointer, modelName(pointer, id, status === "default" ? "Error" : suffix));
    }
    for (const pointer of jsonSchemas(requestContent)) add(pointer, modelName(pointer, id, "Body"));
  }
  for (const pointer of listTargets(document))
    if (!names.has(pointer)) add(pointer, pascalCase(lastKey(pointer)));
  return names;
}

/**
 * Returns the names of the query types, by operationId.
 * @param models the names of the other types
 */
export function nameQueries(
  document: Json,
  models: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const used = new Set([...TAKEN, ...models.values()]);
  const named = listOperations(document).filter(({ parameters }) =>
    parameters.some((each) => each.in === "query" && !isFreeForm(document, each)),
  );
  return new Map(
    named.map(({ id }) => {
      const wanted = `${pascalCase(id)}Query`;
      return [id, used.has(wanted) ? nextName(wanted, used) : wanted];
    }),
  );
}

/** Returns the name of the interface for a group of methods. */
export function methodsName(group: string): string {
  return `${pascalCase(group)}Methods`;
}

/** Lists pointers to all schemas to which references lead. */
function listTargets(document: Json): string[] {
  const targets = listSchemas(document);
  return [...reachSchemas(document, targets)].flatMap((pointer) => {
    const { $ref } = schemaAt(document, pointer);
    return $ref === undefined ? [] : refToPointer($ref);
  });
}

/**
 * Copies a document, and turns each schema with a type name into a component of that name. Inlines the parameters, so
 * that editors show their types.
 */
export function withModels(document: Json, names: ReadonlyMap<string, string>): Json {
  const schemas = new Map<string, Json>();
  const rename = (reference: string) => {
    if (!reference.startsWith("#/")) return reference;
    const target = refToPointer(reference);
    const name = names.get(target) ?? names.get(resolveRef(document, target));
    return name === undefined ? reference : `#${COMPONENTS}${name}`;
  };
  const shown = reachSchemas(document, [...names.keys(), ...listSchemas(document)]);
  const copy = (value: Json, pointer: string): Json => {
    // openapi-typescript supports boolean schemas only under keywords such as `items` and `additionalProperties`.
    if (typeof value === "boolean" && shown.has(pointer) && !/(Properties|tems)$/.test(pointer))
      return {};
    if (Array.isArray(value))
      return value.map((each, index) => copy(each, pointer + toReferenceToken(index)));
    if (!isObject(value)) return value;
    const { $ref } = value;
    if (typeof $ref === "string" && $ref.startsWith("#/components/parameters/")) {
      const target = refToPointer($ref);
      return copy(getAtPointer(document, target) as Json, target);
    }
    // openapi-typescript would omit the discriminator of a union in `allOf`.
    if (
      typeof $ref === "string" &&
      /\/allOf\/\d+$/.test(pointer) &&
      hasDiscriminator(document, $ref)
    )
      return { anyOf: [{ $ref: rename($ref) }] };
    const entries = Object.entries(value).map(([key, each]): [string, Json] => {
      if (key === "$ref" && typeof each === "string") return [key, rename(each)];
      if (key === "mapping" && isObject(each) && pointer.endsWith("/discriminator"))
        return [
          key,
          Object.fromEntries(
            Object.entries(each).map(([name, to]) => [name, rename(expandReference(String(to)))]),
          ),
        ];
      const inner = pointer + toReferenceToken(key);
      const model = names.get(inner);
      const copied = copy(each, inner);
      if (model === undefined) return [key, copied];
      schemas.set(model, copied);
      return `${parentPointer(inner)}/` === COMPONENTS
        ? [model, copied]
        : [key, { $ref: `#${COMPONENTS}${model}` }];
    });
    const copied = Object.fromEntries(entries);
    return shown.has(pointer) ? toExpressible(withLimits(copied)) : copied;
  };
  const whole = copy(document, "") as { components?: { schemas?: Json } };
  return { ...whole, components: { ...whole.components, schemas: Object.fromEntries(schemas) } };
}

/** Returns a type name: the name of a shared response or request body, or else the operationId with a suffix. */
function modelName(pointer: string, id: string, suffix: string): string {
  const [first, , name = ""] = parsePointer(pointer);
  return first === "components" ? pascalCase(name) : pascalCase(id) + suffix;
}

function jsonSchemas(content: readonly SchemaHolder[]): string[] {
  return content.flatMap((each) => (each.schema !== undefined && isJson(each) ? each.schema : []));
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

function pascalCase(name: string): string {
  const words = name.split(/\W+/).filter(Boolean);
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z_]/.test(joined) ? joined : `Model${joined}`;
}

function nextName(wanted: string, used: ReadonlySet<string>): string {
  let index = 2;
  while (used.has(`${wanted}${index}`)) index += 1;
  return `${wanted}${index}`;
}

/** Returns whether a reference leads to a union with a discriminator. */
function hasDiscriminator(document: Json, reference: string): boolean {
  const { discriminator, oneOf, anyOf } = schemaAt(document, refToPointer(reference));
  return discriminator !== undefined && (oneOf ?? anyOf) !== undefined;
}

type SchemaObject = { [keyword: string]: Json };

/** Lists the schemas of all parameters, headers, and bodies. */
function listSchemas(document: Json): string[] {
  const holders = listOperations(document).flatMap(({ parameters, requestContent, responses }) => [
    ...parameters,
    ...requestContent,
    ...responses.flatMap(({ content, headers }) => [...content, ...headers]),
  ]);
  return holders.flatMap(({ schema }) => schema ?? []);
}

/** Converts a schema name in a discriminator's mapping to a reference. Returns a reference unchanged. */
function expandReference(to: string): string {
  return /^[\w.-]+$/.test(to) ? `#${COMPONENTS}${to}` : to;
}

/** Keywords that can allow undeclared properties in ways that no TypeScript type can express. */
const LOOSENING_KEYWORDS = [
  "patternProperties",
  "unevaluatedProperties",
  "if",
  "dependentSchemas",
  "dependencies",
];

/** Loosens a schema so that its generated type accepts every value that the schema accepts. */
function toExpressible(whole: SchemaObject): SchemaObject {
  // openapi-typescript does not support `const: null`.
  if (whole["const"] === null) return toExpressible({ ...omit(whole, "const"), type: "null" });
  // The type omits the definitions, because each referenced definition has its own type.
  const schema = omit(whole, "$defs", "definitions");
  const { $ref, description, properties, additionalProperties, prefixItems, items = {} } = schema;
  if ($ref !== undefined) {
    const isAlone = Object.keys(schema).every((key) =>
      /^(\$ref|description|summary|x-.*)$/.test(key),
    );
    if (isAlone) return schema;
    const allOf = [{ $ref }, toExpressible(omit(schema, "$ref"))];
    return { ...(description !== undefined && { description }), allOf };
  }
  // openapi-typescript would generate a tuple that allows no additional items.
  if (Array.isArray(prefixItems) && items !== false)
    return { ...omit(schema, "prefixItems"), items: { anyOf: [...prefixItems, items] } };
  const isObjectSchema = properties !== undefined || [schema["type"]].flat().includes("object");
  const isLoose =
    isObjectSchema && LOOSENING_KEYWORDS.some((keyword) => (schema[keyword] ?? false) !== false);
  // An index signature in TypeScript applies to the named properties, too.
  const isMixed = properties !== undefined && isObject(additionalProperties);
  return isLoose || isMixed ? { ...schema, additionalProperties: true } : schema;
}

function omit(schema: SchemaObject, ...keywords: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));
}

/** Keywords for limits that a type cannot express, with their units. */
const LIMITS = [
  ["minimum", "maximum", ""],
  ["minLength", "maxLength", "character"],
  ["minItems", "maxItems", "item"],
] as const;

/** Adds the limits of a value to its description, so that editors show them. */
function withLimits(schema: SchemaObject): SchemaObject {
  const limits = LIMITS.flatMap(([low, high, unit]) => {
    const [from, to] = [schema[low], schema[high]];
    const withUnit = (count: number) => (unit === "" ? `${count}` : pluralize(count, unit));
    if (typeof from === "number" && typeof to === "number")
      return `From ${from} to ${withUnit(to)}.`;
    if (typeof from === "number") return `At least ${withUnit(from)}.`;
    return typeof to === "number" ? `At most ${withUnit(to)}.` : [];
  });
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof exclusiveMinimum === "number") limits.push(`More than ${exclusiveMinimum}.`);
  if (typeof exclusiveMaximum === "number") limits.push(`Less than ${exclusiveMaximum}.`);
  if (limits.length === 0) return schema;
  const { description } = schema;
  const own = typeof description === "string" ? [description.trim()] : [];
  return { ...schema, description: [...own, ...limits].join(" ") };
}
