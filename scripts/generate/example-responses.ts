import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { getAtPointer, parsePointer } from "../../src/openapi/pointer.js";
import type { Parts } from "../../src/sandbox/parts.js";
import type { ExampleExchange } from "../../src/types/example-exchange.js";
import { DescriptionError } from "../shared/description-error.js";
import { GENERATED_HEADER } from "./text.js";

/** Reads the example responses in a folder, in the order of operationId and name. */
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

/** Generates a module with the exchanges that the sandbox replays, and with the parts of their responses. */
export function exampleResponsesModule(
  exampleResponses: readonly ExampleExchange[],
  parts: Parts,
): string {
  return `${GENERATED_HEADER}import type { Parts } from "../sandbox/parts.js";
import type { ExampleExchange } from "../types/example-exchange.js";

/** Every example response with its request, in the order of operationId and name. */
export const exampleResponses: readonly ExampleExchange[] = [
${exampleResponses.map((each) => `${JSON.stringify(each)},\n`).join("")}];

/** The parts that \`append_to_response\` adds to the responses of each operation. */
export const parts: Parts = {
${Object.entries(parts)
  .map(([id, own]) => `${JSON.stringify(id)}: ${JSON.stringify(own)},\n`)
  .join("")}};
`;
}

/** Pointers to the values that every example response must have. */
const REQUIRED = ["/request/method", "/request/path", "/response/status", "/response/headers"];

function parse(text: string, file: string): ExampleExchange {
  let exchange: ExampleExchange;
  try {
    exchange = JSON.parse(text) as ExampleExchange;
  } catch (cause) {
    throw new DescriptionError(`${file}: ${(cause as Error).message}; fix the example response`);
  }
  const missing = REQUIRED.filter((pointer) => getAtPointer(exchange, pointer) === undefined);
  if (missing.length === 0) return exchange;
  const names = missing.map((pointer) => parsePointer(pointer).join(".")).join(", ");
  throw new DescriptionError(`${file}: the example response has no ${names}; add what is missing`);
}

/** Moves the query of a path such as `/3/movie/603/lists?page=2` to `query`. */
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
