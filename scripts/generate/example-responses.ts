import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { resolveRef } from "../../src/openapi/document.js";
import { toReferenceToken } from "../../src/openapi/pointer.js";
import { isJson } from "../../src/openapi/route.js";
import { schemaAt } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import type { RequestBody, ExampleExchange } from "../../src/sandbox/example-exchange.js";
import { DescriptionError } from "./description-error.js";
import type { MethodModel } from "./read-operations.js";
import { GENERATED_HEADER } from "./text.js";

/** Reads the example responses below a folder, in the order of operationId and case. */
export async function readExampleResponses(folder: string): Promise<ExampleExchange[]> {
  const exampleResponses: ExampleExchange[] = [];
  for (const operation of await sortedNames(folder)) {
    for (const name of await sortedNames(join(folder, operation))) {
      const file = join(folder, operation, name);
      const { request, response } = parse(await readFile(file, "utf8"), file);
      exampleResponses.push({
        operation,
        name: name.replace(/\.json$/, ""),
        request: withoutSearch(request),
        response,
      });
    }
  }
  return exampleResponses;
}

/** What the sandbox needs: the exchanges that it replays, and the request bodies that it accepts. */
export function exampleResponsesModule(
  exampleResponses: readonly ExampleExchange[],
  operations: readonly MethodModel[],
  document: Json,
): string {
  const bodies = operations.flatMap(({ id, operation }) => {
    const { schema } = operation.requestContent.find(isJson) ?? {};
    if (schema === undefined) return [];
    return [
      [id, describeRequestBody(document, schema, operation.isBodyRequired === true)] as const,
    ];
  });
  return `${GENERATED_HEADER}import type { RequestBody, ExampleExchange } from "../sandbox/example-exchange.js";

/** The JSON request bodies, by operationId. */
export const requestBodies: Readonly<Record<string, RequestBody>> = ${JSON.stringify(Object.fromEntries(bodies))};

/** Every example response, in the order of operationId and case. */
export const exampleResponses: readonly ExampleExchange[] = [
${exampleResponses.map((each) => `${JSON.stringify(each)},\n`).join("")}];
`;
}

function describeRequestBody(document: Json, schema: string, isRequired: boolean): RequestBody {
  const { required = [] } = schemaAt(document, schema);
  const fields = required.flatMap((name) => {
    const property = resolveRef(document, `${schema}/properties${toReferenceToken(name)}`);
    const { type } = schemaAt(document, property);
    return type === undefined ? [] : [[name, type] as const];
  });
  return { isRequired, fields: Object.fromEntries(fields) };
}

function parse(text: string, file: string): ExampleExchange {
  try {
    return JSON.parse(text) as ExampleExchange;
  } catch (cause) {
    throw new DescriptionError(`${file}: ${(cause as Error).message}; fix the example response`);
  }
}

/** Moves a query in the path, such as `/3/movie/603/lists?page=2`, to the query. */
function withoutSearch(request: ExampleExchange["request"]): ExampleExchange["request"] {
  const [path = "", search] = request.path.split("?");
  if (search === undefined) return request;
  const query = { ...Object.fromEntries(new URLSearchParams(search)), ...request.query };
  return { ...request, path, query };
}

async function sortedNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  return entries.toSorted();
}
