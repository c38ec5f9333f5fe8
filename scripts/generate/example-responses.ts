import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { didYouMean } from "../../src/contract/engine/suggest.js";
import {
  assertUniqueKeys,
  fileSource,
  InputError,
  parseJson,
  withPosition,
} from "../../src/contract/input/json.js";
import { readRecording } from "../../src/contract/input/recording.js";
import { resolveRef } from "../../src/openapi/document.js";
import { getAtPointer, parsePointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { isObject, schemaAt } from "../../src/openapi/schema.js";
import { matchPath } from "../../src/openapi/route.js";
import type { Description, Json, Operation } from "../../src/openapi/description.js";
import { listBodySchemas } from "../description/schema-pointers.js";
import type { CompleteExchange, Position } from "../../src/types/exchange.js";
import type { Parts } from "../../src/types/parts.js";
import { DescriptionError } from "../shared/description-error.js";
import { EXAMPLES } from "../shared/paths.js";
import { GENERATED_HEADER } from "./text.js";

/**
 * Reads the example responses of a project, in the order of operationId, path, and name. The order of the paths starts
 * with the lowest ID, which the parameters of the description have as their example.
 * @throws {DescriptionError} if a file is incomplete, or is in the folder of another operation
 */
export async function readExampleResponses(project: string): Promise<WrittenExample[]> {
  const exampleResponses: WrittenExample[] = [];
  for (const operation of await listNames(project, EXAMPLES, "folder")) {
    const names = await listNames(project, `${EXAMPLES}/${operation}`, "file");
    const own = await Promise.all(names.map((name) => readExample(project, operation, name)));
    const byPath = own.toSorted((a, b) => compare(a.request.path, b.request.path));
    exampleResponses.push(...byPath);
  }
  return exampleResponses;
}

/** An example response as its file contains it. */
export interface WrittenExample extends CompleteExchange {
  locate(location: string): Position;
}

/** Returns a message with the location of a value in the file of an example response. */
export function problemAt({ locate }: WrittenExample, location: string, problem: string): string {
  const { file, line, column } = locate(location);
  return `${file}:${line}:${column}: ${problem}`;
}

/**
 * Checks that the example responses are those of a description's operations.
 * @throws {DescriptionError} if the description has no such operation, or if a request is one of another operation
 */
export function checkExampleResponses(
  exampleResponses: readonly WrittenExample[],
  operations: readonly Pick<Operation, "id" | "method" | "path">[],
): void {
  const ids = operations.map(({ id }) => id);
  const folders = new Set(exampleResponses.map(({ operation }) => operation));
  const lines = [...folders]
    .filter((each) => !ids.includes(each))
    .map((each) => {
      const problem = `the description has no operation ${each}; rename or remove the folder`;
      return `${EXAMPLES}/${each}: ${problem}${didYouMean(each, ids)}`;
    });
  for (const example of exampleResponses) {
    const { operation, request } = example;
    const expected = operations.find(({ id }) => id === operation);
    const candidates = operations.filter(({ method }) => method === request.method);
    const [requested] = matchPath(request.path, candidates);
    if (!expected || requested?.id === operation) continue;
    const fix = `write a request of ${expected.method} ${expected.path}`;
    const problem = `${request.method} ${request.path} is not a request of ${operation}; ${fix}`;
    lines.push(problemAt(example, "path", problem));
  }
  if (lines.length > 0) throw new DescriptionError(lines.join("\n"));
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
  const ordered = exampleResponses
    .toSorted((a, b) => compare(a.operation, b.operation) || rank(a) - rank(b))
    .map(({ operation, name, request, response }) => ({ operation, name, request, response }));
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

/** Reads a file as the gate reads a recording. @throws {DescriptionError} if the file is invalid */
async function readExample(
  project: string,
  operation: string,
  name: string,
): Promise<WrittenExample> {
  const file = `${EXAMPLES}/${operation}/${name}.json`;
  const source = fileSource(file, await readFile(join(project, file), "utf8"));
  try {
    return withPosition(source, () => {
      const raw = parseJson(source.text);
      assertUniqueKeys(source.text);
      const missing = REQUIRED.filter((each) => (getAtPointer(raw, each) ?? null) === null);
      const names = missing.map((each) => parsePointer(each).join(".")).join(", ");
      if (names !== "")
        throw new InputError(`the example response has no ${names}; add what is missing`);
      const { operation: own } = raw as { operation: Json };
      const fix = `write ${operation}, or move the file`;
      if (own !== operation)
        throw new InputError(
          `is ${String(own)}, but the folder is that of ${operation}; ${fix}`,
          "/operation",
        );
      // Recordings can have the names of query parameters without values.
      if (Array.isArray(getAtPointer(raw, "/request/query")))
        throw new InputError("must be an object of names and values", "/request/query");
      const exchange = readRecording(name, source, raw) as WrittenExample;
      const { query = {}, ...request } = exchange.request;
      return Object.keys(query).length > 0 ? exchange : { ...exchange, request };
    });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { line, column } = error.position!;
    throw new DescriptionError(`${file}:${line}:${column}: ${error.message}`);
  }
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
