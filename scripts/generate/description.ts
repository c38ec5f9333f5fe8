import { readFile } from "node:fs/promises";
import { isMap, isScalar, LineCounter, parseDocument, visit, type Document, type Node } from "yaml";

export interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  [keyword: string]: unknown;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
}

interface Content {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
}

export interface OpenApi {
  paths: Record<string, { [method: string]: OperationObject }>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    [section: string]: unknown;
  };
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** Names of the path parameters, in the order of the path. */
  pathParameters: string[];
  body?: { schema: Schema; required: boolean };
  /** The status of success, as the description writes it. */
  status: string;
  result: Schema;
}

export interface Description {
  document: OpenApi;
  operations: Operation[];
}

/** The description cannot be generated from. Each line names file, line, what is wrong and what to do. */
export class DescriptionError extends Error {}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const OPERATION_ID = /^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/;

/**
 * Reads the description and its operations.
 * @throws {DescriptionError} with every problem found, one a line
 */
export async function readDescription(file: string): Promise<Description> {
  const source = await readFile(file, "utf8").catch((cause: Error) => {
    throw new DescriptionError(`${file}: ${cause.message}; write the description there`);
  });
  const lines = new LineCounter();
  const tree = parseDocument(source, { lineCounter: lines });
  const problems: string[] = [];
  const problem = (offset: number, text: string) => {
    const { line, col } = lines.linePos(offset);
    problems.push(`${file}:${line}:${col}: ${text}`);
  };
  const refuse = () => {
    if (problems.length > 0) throw new DescriptionError(problems.join("\n"));
  };

  for (const error of tree.errors)
    problem(error.pos[0], `${firstLine(error.message)}; mend the YAML`);
  refuse();
  checkReferences(tree, problem);
  refuse();
  const document = tree.toJS() as OpenApi;
  const operations = readOperations(document, (path, text) => problem(offsetOf(tree, path), text));
  refuse();
  return { document, operations };
}

type Problem = (path: string[], text: string) => void;

function readOperations(document: OpenApi, problem: Problem): Operation[] {
  const operations: Operation[] = [];
  const seen = new Set<string>();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    // A path item holds parameters of all its operations beside them.
    const sharedParameters = (item as { parameters?: Parameter[] }).parameters ?? [];
    for (const [method, operation] of Object.entries(item)) {
      if (!METHODS.includes(method)) continue;
      const at = ["paths", path, method];
      const id = operation.operationId;
      const wrongName = nameProblem(id);
      if (wrongName) problem(id === undefined ? at : [...at, "operationId"], wrongName);
      else if (seen.has(id)) {
        problem(
          [...at, "operationId"],
          `operationId ${id} is used twice; give each operation its own`,
        );
      }
      seen.add(id);

      const pathParameters = [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!);
      const declared = [...sharedParameters, ...(operation.parameters ?? [])]
        .map((parameter) => resolve(document, parameter))
        .filter((parameter) => parameter.in === "path")
        .map((parameter) => parameter.name);
      for (const name of pathParameters.filter((each) => !declared.includes(each))) {
        problem(at, `path parameter ${name} is not described; add it under parameters`);
      }
      for (const name of declared.filter((each) => !pathParameters.includes(each))) {
        problem(
          at,
          `path parameter ${name} is not in the path ${path}; add {${name}} or remove it`,
        );
      }

      const [status, success] =
        Object.entries(operation.responses ?? {}).find(([code]) => /^2\d\d$/.test(code)) ?? [];
      const result = success && jsonSchema(resolve(document, success));
      if (!status || !result) {
        problem(
          at,
          "no 2xx response with an application/json schema; describe what success answers",
        );
        continue;
      }
      const requestBody = operation.requestBody && resolve(document, operation.requestBody);
      const body = requestBody && jsonSchema(requestBody);
      operations.push({
        id,
        method,
        path,
        summary: operation.summary ?? "",
        pathParameters,
        ...(body && { body: { schema: body, required: requestBody?.required === true } }),
        status,
        result,
      });
    }
  }
  return operations;
}

function nameProblem(id: string | undefined): string | undefined {
  if (typeof id !== "string" || !OPERATION_ID.test(id)) {
    return `operationId ${id ?? "(missing)"} is not of the form group.method; write two camelCase names, such as movies.lists`;
  }
  // `http` is the plain client, `then` would make the object awaitable, the rest every object has.
  const reserved = id.split(".").find((name) => name === "http" || name === "then" || name in {});
  return (
    reserved &&
    `operationId ${id}: the name ${reserved} is reserved; choose another group or method name`
  );
}

function checkReferences(tree: Document, problem: (offset: number, text: string) => void): void {
  visit(tree, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== "$ref" || !isScalar(value)) return;
      const reference = String(value.value);
      if (!reference.startsWith("#/")) {
        problem(
          offset(value),
          `reference ${reference} leaves the file; the description is one file`,
        );
      } else if (tree.getIn(pathOf(reference)) === undefined) {
        problem(
          offset(value),
          `reference ${reference} leads nowhere; correct it or add what it names`,
        );
      }
    },
  });
}

function offset(node: unknown): number {
  return (node as Node).range?.[0] ?? 0;
}

/** Where the key of a path stands, so that a missing value is reported at its parent. */
function offsetOf(tree: Document, path: string[]): number {
  const parent = tree.getIn(path.slice(0, -1));
  if (!isMap(parent)) return 0;
  const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1));
  return offset(pair?.key);
}

/** The steps of a local reference, RFC 6901. */
export function pathOf(reference: string): string[] {
  return reference
    .slice(2)
    .split("/")
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Follows a local reference; `readDescription` has checked that it leads somewhere. */
export function resolve<T extends { $ref?: string }>(document: OpenApi, value: T): T {
  if (value.$ref === undefined) return value;
  let target: unknown = document;
  for (const step of pathOf(value.$ref)) target = (target as Record<string, unknown>)[step];
  return resolve(document, target as T);
}

function jsonSchema(content: Content): Schema | undefined {
  return content.content?.["application/json"]?.schema;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!.replace(/ at line \d+, column \d+:?$/, "");
}
