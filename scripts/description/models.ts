import { readFileSync } from "node:fs";
import type { Json, Operation, SchemaHolder } from "../../src/openapi/description.js";
import { getAtPointer, lastKey, toReferenceToken } from "../../src/openapi/pointer.js";
import { isJson, isSuccess } from "../../src/openapi/route.js";
import { isFreeForm } from "../../src/openapi/schema.js";

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
  ...`any Array as bigint boolean CatalogueMethods components Date DefaultQuery Exclude Extract infer intrinsic keyof never NonNullable
  number object Omit OpenQuery OperationId operations Partial paths Pick Promise Readonly readonly Record Required string
  symbol undefined unique unknown webhooks WithRequired`.split(/\s+/),
]);
const COMPONENTS = "/components/schemas/";

/**
 * Returns the type name for each named schema and each inline schema of a JSON body, by pointer. Converts a schema's
 * name if the name is not an identifier.
 */
export function nameModels(
  document: Json,
  operations: readonly Operation[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
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
  for (const operation of operations) {
    const body = operation.responses.find(isSuccess)?.content[0]?.schema ?? "";
    const pointer = findPartNames(document, operation);
    if (pointer !== undefined) add(pointer, `${names.get(body) ?? pascalCase(operation.id)}Append`);
  }
  return names;
}

/**
 * Returns the names of the query types, by operationId.
 * @param models the names of the other types
 */
export function nameQueries(
  document: Json,
  operations: readonly Operation[],
  models: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const used = new Set([...TAKEN, ...models.values()]);
  const named = operations.filter(({ parameters }) =>
    parameters.some((each) => each.in === "query" && !isFreeForm(document, each)),
  );
  return new Map(
    named.map(({ id }) => {
      const wanted = `${pascalCase(id)}Query`;
      return [id, used.has(wanted) ? nextName(wanted, used) : wanted];
    }),
  );
}

/** Returns the pointer to the schema of the names with which a query parameter adds parts to the response. */
export function findPartNames(
  document: Json,
  { parameters }: Pick<Operation, "parameters">,
): string | undefined {
  const { schema } =
    parameters.find((each) => "x-appends" in Object(getAtPointer(document, each.pointer))) ?? {};
  return schema && `${schema}/items`;
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
