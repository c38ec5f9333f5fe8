import { fillPath } from "../../src/client/url.js";
import type { Json, SchemaHolder, Validator } from "../../src/openapi/description.js";
import { isJson, isSuccess, selectResponse } from "../../src/openapi/route.js";
import { isObject, type Schema } from "../../src/openapi/schema.js";
import type { ExampleExchange } from "../../src/types/example-exchange.js";
import type { CheckedDescription } from "../description/description.js";
import { sampleAt } from "../description/inline-examples.js";
import { DescriptionError } from "../shared/description-error.js";
import type { MethodModel } from "../description/read-operations.js";
import { overlap } from "../shared/overlap.js";
import { singular } from "../shared/singular.js";
import { GENERATED_HEADER } from "./text.js";

/** The validators that the generated modules export. */
interface Validators {
  responseValidators: Record<string, Record<string, Validator>>;
  requestValidators: Record<string, { body?: Validator }>;
}

/**
 * Creates a request and a response for each operation without an example response, and for each example response that
 * the description rejects. Where possible, takes the values of properties from example responses.
 * @param modules the source code of the generated validators, which must accept each sample
 * @throws {DescriptionError} if a sample does not match its schema
 */
export async function sampleExchanges(
  { document, operations }: CheckedDescription,
  exampleResponses: readonly ExampleExchange[],
  ...modules: readonly string[]
): Promise<ExampleExchange[]> {
  const imports = await Promise.all(modules.map(importModule));
  const { responseValidators, requestValidators } = Object.assign({}, ...imports) as Validators;
  const errorsOf = ({ operation, request, response }: ExampleExchange) => {
    const described = operations.find(({ id }) => id === operation)!.operation;
    const { status = "" } = selectResponse(described, response.status) ?? {};
    const { [status]: validate } = responseValidators[operation]!;
    const { body: validateBody } = requestValidators[operation]!;
    const hasBody = described.isBodyRequired || request.body !== undefined;
    return [
      ...(validate?.(response.body) ?? []),
      ...((hasBody && validateBody?.(request.body)) || []),
    ];
  };
  const seeded = withExamples(document, listValues(exampleResponses));
  const exchanges = operations.flatMap((each) => {
    const own = exampleResponses.filter(({ operation }) => operation === each.id);
    if (own.length === 0) return sampleExchange(seeded, each);
    const rejected = own.filter((one) => one.response.status < 300 && errorsOf(one).length > 0);
    return rejected.map(({ name, request }) => ({
      ...sampleExchange(seeded, each),
      name,
      request,
    }));
  });
  const problems = exchanges.flatMap((each) =>
    errorsOf(each).map(
      ({ schemaPath, instancePath }) =>
        `${each.operation}: the sample does not match ${schemaPath} at ${instancePath}; add an example response`,
    ),
  );
  if (problems.length > 0) throw new DescriptionError(problems.join("\n"));
  return exchanges;
}

/** Generates a module with the samples that the sandbox returns. */
export function samplesModule(samples: readonly ExampleExchange[]): string {
  return `${GENERATED_HEADER}import type { ExampleExchange } from "../types/example-exchange.js";

/** Sample requests and responses for operations without a valid example response, created from the schemas. */
export const samples: readonly ExampleExchange[] = [
${samples.map((each) => `${JSON.stringify(each)},\n`).join("")}];
`;
}

async function importModule(source: string): Promise<object> {
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as object;
}

function sampleExchange(document: Json, { id, method, path, operation }: MethodModel) {
  const { parameters, requestContent, responses, isBodyRequired } = operation;
  const given = (location: string) =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === location && each.required)
        .map((each) => [each.name, location === "path" ? (each.example ?? 1) : valueOf(each)]),
    );
  const valueOf = ({ schema, example }: SchemaHolder) =>
    example ?? (schema === undefined ? undefined : samplePage(document, schema));
  const contentOf = (content: readonly SchemaHolder[]) => {
    const found = content.find(isJson);
    return found && valueOf(found);
  };
  const success = responses.find(isSuccess)!;
  const query = given("query") as ExampleExchange["request"]["query"];
  const body = isBodyRequired ? contentOf(requestContent) : undefined;
  const response = contentOf(success.content);
  const [last, value] = Object.entries(given("path")).at(-1) ?? ["", undefined];
  if (last.endsWith("_id") && isObject(response) && "id" in response)
    response["id"] = typeof response["id"] === "number" ? Number(value) : String(value);
  return {
    operation: id,
    name: "sample",
    request: {
      method: method.toUpperCase(),
      path: fillPath(id, path, given("path")),
      ...(Object.keys(query!).length > 0 && { query }),
      ...(body !== undefined && { body }),
    },
    response: {
      status: Number(success.status.replace("XX", "00")),
      headers: { "content-type": "application/json;charset=utf-8" },
      body: response,
    },
  } as ExampleExchange;
}

function samplePage(document: Json, pointer: string): unknown {
  const body = sampleAt(document, pointer);
  // A sample of a paged list is the only page, so that `paginate` ends.
  const { page, results } = Object(body) as Record<string, unknown>;
  const isPage = typeof page === "number" && Array.isArray(results);
  return isPage ? { ...(body as object), page: 1, total_pages: 1, total_results: 1 } : body;
}

type Leaf = string | number | boolean;

/** A value in an example response. */
interface Value {
  name: string;
  value: Leaf;
  /** The property names and the kind of the object that contains the value. */
  holder: ReadonlySet<string>;
}

/** A timestamp in a format that no example response contains. */
const TIMESTAMP: Value = { name: "", value: "2026-01-15T18:30:00.000Z", holder: new Set() };

/** Lists the strings, numbers, and booleans in successful example responses, with the names of their properties. */
function listValues(exampleResponses: readonly ExampleExchange[]): Value[] {
  const visit = (value: unknown, name: string, holder: ReadonlySet<string>): Value[] => {
    if (Array.isArray(value)) return value.flatMap((each) => visit(each, name, holder));
    if (!isObject(value))
      // Empty strings and 0 often stand for unknown values, so they are not listed.
      return value || value === false ? [{ name, value: value as Leaf, holder }] : [];
    const own = withKind(Object.keys(value), name);
    return Object.entries(value).flatMap(([key, each]) => visit(each, key, own));
  };
  const shown = exampleResponses
    .filter(({ request, response }) => request.method === "GET" && response.status < 300)
    .toSorted((a, b) => Number(b.name === "typical") - Number(a.name === "typical"));
  return [...shown.flatMap(({ response }) => visit(response.body, "", new Set())), TIMESTAMP];
}

/**
 * Copies a document and adds an example to each string, number, and boolean schema. The example is the value of a
 * property with the same name in the most similar object, or else a value that matches the pattern. Keeps only the
 * required properties. If a schema requires no properties, keeps all except those that `append_to_response` adds.
 */
function withExamples(document: Json, values: readonly Value[]): Json {
  const byName = new Map<string, Value[]>();
  for (const each of values) {
    const own = byName.get(each.name);
    if (own) own.push(each);
    else byName.set(each.name, [each]);
  }
  const find = (type: unknown, pattern: unknown, candidates: readonly Value[] = []) => {
    const expression = new RegExp(String(pattern ?? ""), "u");
    return candidates.find(
      ({ value }) =>
        typeof value === (type === "integer" ? "number" : type) && expression.test(String(value)),
    )?.value;
  };
  /** @param holder the property names and the kind of the object that contains the value */
  const copy = (value: Json, name: string, holder: ReadonlySet<string>): Json => {
    if (Array.isArray(value)) return value.map((each) => copy(each, name, holder));
    if (!isObject(value)) return value;
    const { properties, required } = value as Schema;
    const kept = Object.entries(properties ?? {}).filter(
      ([key, each]) =>
        required?.includes(key) ||
        (!required && !/append_to_response/.test(String((each as Schema)["description"]))),
    );
    const keys = properties ? withKind(Object.keys(properties), name) : holder;
    const copied = Object.fromEntries([
      ...Object.entries(value).map(([key, each]) => [
        key,
        copy(each as Json, key === "items" ? name : key, holder),
      ]),
      ...(properties
        ? [
            [
              "properties",
              Object.fromEntries(kept.map(([key, each]) => [key, copy(each as Json, key, keys)])),
            ],
          ]
        : []),
    ]) as Schema;
    const { propertyNames, additionalProperties, pattern } = copied;
    if (isObject(propertyNames) && isObject(additionalProperties)) {
      const key = String(find("string", propertyNames["pattern"], values));
      return { type: "object", properties: { [key]: additionalProperties } } as Json;
    }
    if ("const" in copied || "enum" in copied || "example" in copied) return copied as Json;
    const [type] = [copied.type].flat();
    const [word] = /[^_]*$/.exec(name)!;
    const named = (
      byName.get(name) ?? values.filter((each) => each.name.endsWith(`_${word}`))
    ).toSorted((a, b) => overlap(b.holder, holder) - overlap(a.holder, holder));
    const example =
      find(type, pattern, named) ??
      (pattern === undefined ? undefined : find(type, pattern, values));
    return (example === undefined ? copied : { ...copied, example }) as Json;
  };
  return copy(document, "", new Set());
}

/**
 * Returns an object's property names and its kind. The kind of an object in a property is the singular of the
 * property's name.
 */
function withKind(keys: readonly string[], name: string): Set<string> {
  return new Set([...keys, `is ${singular(name).toLowerCase()}`]);
}
