import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { resolveRef } from "../../src/contract/engine/document.js";
import { toReferenceToken } from "../../src/contract/engine/pointer.js";
import { isJson } from "../../src/contract/engine/route.js";
import { schemaAt } from "../../src/contract/engine/schema.js";
import type { Json } from "../../src/contract/engine/types.js";
import type { RequestBody, SandboxExchange } from "../../src/sandbox/exchange.js";
import { DescriptionError } from "../description-error.js";
import type { Operation } from "./read-operations.js";
import { header } from "./text.js";

/** Reads the recordings below a folder, in the order of operationId and case. */
export async function readRecordings(folder: string): Promise<SandboxExchange[]> {
  const recordings: SandboxExchange[] = [];
  for (const operation of await sortedNames(folder)) {
    for (const name of await sortedNames(join(folder, operation))) {
      const file = join(folder, operation, name);
      const { request, response } = parse(await readFile(file, "utf8"), file);
      recordings.push({
        operation,
        name: name.replace(/\.json$/, ""),
        request: withoutSearch(request),
        response,
      });
    }
  }
  return recordings;
}

/** What the sandbox needs: the exchanges that it replays, and the request bodies that it accepts. */
export function recordingsModule(
  recordings: readonly SandboxExchange[],
  operations: readonly Operation[],
  document: Json,
): string {
  const bodies = operations.flatMap(({ id, described }) => {
    const { schema } = described.body.find(isJson) ?? {};
    if (schema === undefined) return [];
    return [[id, describeRequestBody(document, schema, described.bodyRequired === true)] as const];
  });
  return `${header}import type { RequestBody, SandboxExchange } from "../sandbox/exchange.js";

/** The JSON request bodies, by operationId. */
export const requestBodies: Readonly<Record<string, RequestBody>> = ${JSON.stringify(Object.fromEntries(bodies))};

/** Every recorded exchange, in the order of operationId and case. */
export const recordings: readonly SandboxExchange[] = [
${recordings.map((each) => `${JSON.stringify(each)},\n`).join("")}];
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

function parse(text: string, file: string): SandboxExchange {
  try {
    return JSON.parse(text) as SandboxExchange;
  } catch (cause) {
    throw new DescriptionError(`${file}: ${(cause as Error).message}; fix the recording`);
  }
}

/** Moves a query in the path, such as `/3/movie/603/lists?page=2`, to the query. */
function withoutSearch(request: SandboxExchange["request"]): SandboxExchange["request"] {
  const [path = "", search] = request.path.split("?");
  if (search === undefined) return request;
  const query = { ...Object.fromEntries(new URLSearchParams(search)), ...request.query };
  return { ...request, path, query };
}

async function sortedNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  return entries.toSorted();
}
