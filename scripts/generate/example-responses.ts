import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { didYouMean } from "../../src/contract/engine/suggest.js";
import { resolveRef } from "../../src/openapi/document.js";
import { getAtPointer, parsePointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { isObject, schemaAt } from "../../src/openapi/schema.js";
import { matchPath } from "../../src/openapi/route.js";
import type { Description, Operation } from "../../src/openapi/description.js";
import { listBodySchemas } from "../description/schemas.js";
import type { CompleteExchange } from "../../src/types/exchange.js";
import type { Parts } from "../../src/types/parts.js";
import { DescriptionError } from "../shared/description-error.js";
import { EXAMPLES } from "../shared/paths.js";
import { parseYaml, positionOf } from "../description/yaml.js";
import { GENERATED_HEADER } from "./text.js";

/**
 * Reads the example responses of a project, in the order of operationId, path, and name. The order of the paths starts
 * with the lowest ID, which the parameters of the description have as their example.
 * @throws {DescriptionError} if a file is incomplete, or is in the folder of another operation
 */
export async function readExampleResponses(project: string): Promise<CompleteExchange[]> {
  const exampleResponses: CompleteExchange[] = [];
  for (const operation of await listNames(project, EXAMPLES, "folder")) {
    const own: CompleteExchange[] = [];
    for (const name of await listNames(project, `${EXAMPLES}/${operation}`, "file")) {
      const { request, response } = await readExample(project, operation, name);
      own.push({ operation, name, request: withoutSearch(request), response });
    }
    const byPath = own.toSorted((a, b) => compare(a.request.path, b.request.path));
    exampleResponses.push(...byPath);
  }
  return exampleResponses;
}

/**
 * Checks that the example responses are those of a description's operations.
 * @throws {DescriptionError} if the description has no such operation, or if a request is one of another operation
 */
export async function checkExampleResponses(
  project: string,
  exampleResponses: readonly CompleteExchange[],
  operations: readonly Pick<Operation, "id" | "method" | "path">[],
): Promise<void> {
  const ids = operations.map(({ id }) => id);
  const folders = new Set(exampleResponses.map(({ operation }) => operation));
  const lines = [...folders]
    .filter((each) => !ids.includes(each))
    .map((each) => {
      const problem = `the description has no operation ${each}; rename or remove the folder`;
      return `${EXAMPLES}/${each}: ${problem}${didYouMean(each, ids)}`;
    });
  for (const { operation, name, request } of exampleResponses) {
    const expected = operations.find(({ id }) => id === operation);
    const candidates = operations.filter(({ method }) => method === request.method);
    const [requested] = matchPath(request.path, candidates);
    if (!expected || requested?.id === operation) continue;
    const fix = `write a request of ${expected.method} ${expected.path}`;
    const problem = `${request.method} ${request.path} is not a request of ${operation}; ${fix}`;
    lines.push(await lineAt(project, fileOf(operation, name), "/request/path", problem));
  }
  if (lines.length > 0) throw new DescriptionError(lines.join("\n"));
}

function fileOf(operation: string, name: string): string {
  return `${EXAMPLES}/${operation}/${name}.json`;
}

/** Returns a message with the location of a value in a JSON file. */
async function lineAt(
  project: string,
  file: string,
  pointer: string,
  problem: string,
): Promise<string> {
  const json = parseYaml(await readFile(join(project, file), "utf8"), file);
  return `${[file, ...positionOf(json, pointer)].join(":")}: ${problem}`;
}

/** The parts of a description from which the maps are read. */
type Described = Pick<Description, "document" | "operations">;

const { compare } = new Intl.Collator("en", { numeric: true });

/** Generates a module with the exchanges that the sandbox replays, and with the parts and maps of their responses. */
export function exampleResponsesModule(
  exampleResponses: readonly CompleteExchange[],
  parts: Parts,
  description: Described,
): string {
  const ordered = exampleResponses.toSorted(
    (a, b) => compare(a.operation, b.operation) || rank(a) - rank(b),
  );
  const { constants, texts } = shareObjects(ordered);
  return `${GENERATED_HEADER}import type { CompleteExchange } from "../types/exchange.js";
import type { Parts } from "../types/parts.js";

${constants.join("")}
/** Every example response with its request. For each operation, \`typical\` comes first, and failures come last. */
export const exampleResponses: readonly CompleteExchange[] = [
${texts.map((each) => `${each},\n`).join("")}];

/** The parts that \`append_to_response\` adds to the responses of each operation. */
export const parts: Parts = {
${Object.entries(parts)
  .map(([id, own]) => `${JSON.stringify(id)}: ${JSON.stringify(own)},\n`)
  .join("")}};

/** The names of the properties that contain maps. */
export const maps: readonly string[] = ${JSON.stringify(listMapNames(description))};
`;
}

/**
 * Lists the names of the properties that are maps in some bodies. Leaves out names that other bodies declare as
 * objects with fields.
 */
function listMapNames({ document, operations }: Described): string[] {
  const maps = new Set<string>();
  const others = new Set<string>();
  const pointers = operations.flatMap((each) => listBodySchemas(document, each));
  for (const pointer of new Set(pointers))
    for (const name of Object.keys(schemaAt(document, pointer).properties ?? {})) {
      const property = resolveRef(document, `${pointer}/properties${toReferenceToken(name)}`);
      const { properties, additionalProperties } = schemaAt(document, property);
      if (properties) others.add(name);
      else if (isObject(additionalProperties)) maps.add(name);
    }
  return [...maps].filter((name) => !others.has(name)).toSorted();
}

function rank({ name, response }: CompleteExchange): number {
  if (name === "typical") return 0;
  return response.status < 300 ? 1 : 2;
}

/** The length from which an object that occurs several times becomes a constant. */
const SHARED_LENGTH = 40;

/**
 * Converts values to source code. An object that occurs several times, such as the row of a movie, becomes a constant,
 * so that the package stays small.
 */
function shareObjects(values: readonly unknown[]): { constants: string[]; texts: string[] } {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const json = JSON.stringify(value);
    const known = counts.get(json) ?? 0;
    counts.set(json, known + 1);
    if (known === 0) Object.values(value).forEach(count);
  };
  values.forEach(count);
  const names = new Map<string, string>();
  const constants: string[] = [];
  const write = (value: unknown): string => {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const json = JSON.stringify(value);
    const known = names.get(json);
    if (known !== undefined) return known;
    const entries = Object.entries(value as Record<string, unknown>).filter(
      ([, each]) => each !== undefined,
    );
    const text = Array.isArray(value)
      ? `[${value.map(write).join(",")}]`
      : `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${write(each)}`).join(",")}}`;
    if (json.length < SHARED_LENGTH || counts.get(json)! < 2) return text;
    const name = `shared${names.size}`;
    names.set(json, name);
    constants.push(`const ${name} = ${text};\n`);
    return name;
  };
  return { texts: values.map(write), constants };
}

/** Pointers to the values that every example response must have. */
const REQUIRED = [
  "/operation",
  "/request/method",
  "/request/path",
  "/response/status",
  "/response/headers",
];

async function readExample(
  project: string,
  operation: string,
  name: string,
): Promise<CompleteExchange> {
  const file = fileOf(operation, name);
  const text = await readFile(join(project, file), "utf8");
  let exchange: CompleteExchange;
  try {
    exchange = JSON.parse(text) as CompleteExchange;
  } catch (cause) {
    // The YAML parser finds the location.
    parseYaml(text, file);
    throw new DescriptionError(`${file}: ${(cause as Error).message}; fix the example response`);
  }
  const missing = REQUIRED.filter((pointer) => getAtPointer(exchange, pointer) === undefined);
  if (missing.length > 0) {
    const names = missing.map((pointer) => parsePointer(pointer).join(".")).join(", ");
    const problem = `the example response has no ${names}; add what is missing`;
    throw new DescriptionError(await lineAt(project, file, missing[0]!, problem));
  }
  if (exchange.operation === operation) return exchange;
  const fix = `write ${operation}, or move the file`;
  const problem = `the operation is ${exchange.operation}, but the folder is that of ${operation}; ${fix}`;
  throw new DescriptionError(await lineAt(project, file, "/operation", problem));
}

/** Moves the query of a path such as `/3/movie/603/lists?page=2` to `query`. */
function withoutSearch(request: CompleteExchange["request"]): CompleteExchange["request"] {
  const [path = "", search] = request.path.split("?");
  if (search === undefined) return request;
  const query = { ...Object.fromEntries(new URLSearchParams(search)), ...request.query };
  return { ...request, path, query };
}

/** Lists the folders, or the JSON files without their extension, that a folder contains. */
async function listNames(
  project: string,
  folder: string,
  kind: "folder" | "file",
): Promise<string[]> {
  const all = await readdir(join(project, folder), { withFileTypes: true }).catch(() => []);
  // Some systems and editors write hidden files.
  const entries = all.filter(({ name }) => !name.startsWith("."));
  const expected = kind === "file" ? "a .json file" : "a folder named for an operation";
  const isExpected = (each: Dirent) =>
    kind === "file" ? each.isFile() && each.name.endsWith(".json") : each.isDirectory();
  const lines = entries
    .filter((each) => !isExpected(each))
    .map(({ name }) => `${folder}/${name}: expected ${expected}; move or remove it`);
  if (lines.length > 0) throw new DescriptionError(lines.join("\n"));
  return entries.map(({ name }) => name.replace(/\.json$/, "")).toSorted();
}
