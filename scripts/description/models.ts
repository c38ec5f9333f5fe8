import { readFileSync } from "node:fs";
import { reachSchemas } from "../../src/openapi/keywords.js";
import { listOperations, METHODS, resolveRef } from "../../src/openapi/document.js";
import type { Json, Operation, SchemaHolder } from "../../src/openapi/description.js";
import {
  getAtPointer,
  lastKey,
  parentPointer,
  refToPointer,
  toReferenceToken,
} from "../../src/openapi/pointer.js";
import { isJson, isSuccess } from "../../src/openapi/route.js";
import { isFreeForm, isObject, schemaAt } from "../../src/openapi/schema.js";
import {
  IN_QUERY,
  markOptional,
  requireProperties,
  toExpressible,
  withLimits,
} from "./expressible.js";
import { schemasIn } from "./schemas.js";

/** The reserved words of JavaScript modules. */
export const RESERVED: readonly string[] =
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof var void while with yield`.split(/\s+/);

/** The modules whose exports the package exports next to the generated types. */
const ENTRY_POINTS = ["index", "full/index", "sandbox/index", "client/exports", "types/method"];

/** Returns the names that a module declares or exports. */
function namesIn(module: string): string[] {
  const text = readFileSync(new URL(`../../src/${module}.ts`, import.meta.url), "utf8");
  return [
    ...[...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(
      ([, list = ""]) => list.match(/\w+(?=\s*(,|$))/g) ?? [],
    ),
    ...[...text.matchAll(/^export (?:interface|type|function) (\w+)/gm)].map(
      ([, name = ""]) => name,
    ),
  ];
}

/** Names that a generated type cannot have, because the package or TypeScript already uses them. */
const TAKEN = new Set([
  ...RESERVED,
  ...ENTRY_POINTS.flatMap(namesIn),
  ...`any Array bigint boolean CatalogueMethods components Date DefaultQuery Exclude Extract never NonNullable number object Omit OpenQuery
  OperationId operations Partial paths Pick Promise Readonly Record Required string symbol undefined unknown webhooks
  WithRequired`.split(/\s+/),
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

/** Returns whether an app can pass undeclared query parameters to an operation. */
export function acceptsAnyQuery(
  document: Json,
  { parameters }: Pick<Operation, "parameters">,
): boolean {
  return parameters.some((each) => isFreeForm(document, each));
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
  const operations = listOperations(document);
  const bodies = operations.flatMap(({ requestContent }) => requestContent);
  const sent = reachSchemas(document, schemasIn(bodies));
  const query = operations.flatMap(({ parameters }) => parameters.filter(isInQuery));
  const inQuery = reachSchemas(document, schemasIn(query));
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
    const entries = Object.entries(value).map(([key, each]): [string, Json] => {
      if (key === "$ref" && typeof each === "string") return [key, rename(each)];
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
    if (!shown.has(pointer)) return copied;
    const marked = {
      ...(sent.has(pointer) ? markOptional(copied) : copied),
      ...(inQuery.has(pointer) && { [IN_QUERY]: true }),
    };
    return toExpressible(withLimits(requireProperties(document, pointer, marked, copyProperty)));
  };
  const copying = new Set<string>();
  const copyProperty = (pointer: string): Json => {
    const model = names.get(pointer);
    if (model !== undefined) return { $ref: `#${COMPONENTS}${model}` };
    if (copying.has(pointer)) return {};
    copying.add(pointer);
    const copied = copy(getAtPointer(document, pointer) as Json, pointer);
    copying.delete(pointer);
    return copied;
  };
  const { paths = {}, components = {}, ...others } = copy(document, "") as Record<string, Items>;
  const { pathItems = {} } = components as Record<string, Items>;
  return {
    ...others,
    paths: mapValues(paths, moveParameters),
    components: {
      ...components,
      ...("pathItems" in components && { pathItems: mapValues(pathItems, moveParameters) }),
      schemas: Object.fromEntries(schemas),
    },
  };
}

const isInQuery = (each: SchemaHolder) => each.in === "query";

type Items = { [name: string]: Json };

/** Moves the parameters of a path item to its operations, because only operations have named types for queries. */
function moveParameters(item: Json): Json {
  if (!isObject(item) || !Array.isArray(item["parameters"])) return item;
  const { parameters: shared, ...others } = item;
  const keyOf = (each: Json) => JSON.stringify([Object(each).in, Object(each).name]);
  return mapValues(others, (operation, method) => {
    if (!METHODS.has(method) || !isObject(operation)) return operation;
    const all = [...shared, ...((operation["parameters"] ?? []) as Json[])];
    return {
      ...operation,
      parameters: [...new Map(all.map((each) => [keyOf(each), each])).values()],
    };
  });
}

function mapValues(items: Items, change: (value: Json, name: string) => Json): Items {
  return Object.fromEntries(
    Object.entries(items).map(([name, each]) => [name, change(each, name)]),
  );
}

/** Returns a type name: the name of a shared response or request body, or else the operationId with a suffix. */
function modelName(pointer: string, id: string, suffix: string): string {
  const shared = sharedBody(pointer);
  return shared === undefined ? pascalCase(id) + suffix : pascalCase(lastKey(shared));
}

/** Returns the pointer to the shared response or request body that contains a schema. */
export function sharedBody(pointer: string): string | undefined {
  return /^\/components\/(responses|requestBodies)\/[^/]+/.exec(pointer)?.[0];
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

/** Lists the schemas of all parameters, headers, and bodies. */
function listSchemas(document: Json): string[] {
  const holders = listOperations(document).flatMap(({ parameters, requestContent, responses }) => [
    ...parameters,
    ...requestContent,
    ...responses.flatMap(({ content, headers }) => [...content, ...headers]),
  ]);
  return schemasIn(holders);
}
