import { readFile } from "node:fs/promises";
import { isMap, isScalar, LineCounter, parseDocument, type Document } from "yaml";
import { positionsOf } from "./contract/positions.js";
import { readOperations } from "./read-operations.js";
import { checkReferences, offset, type Report } from "./references.js";
import { checkShape, type ReportAt } from "./shape.js";

export { pathOf } from "./references.js";

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

export interface Content {
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
  components?: { schemas?: Record<string, Schema> };
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
  /** Line and column of each value, by JSON pointer. */
  positions: Record<string, [line: number, column: number]>;
  operations: Operation[];
}

/** The description cannot be generated from. Each line names file, line, what is wrong and what to do. */
export class DescriptionError extends Error {}

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
  const report: Report = (at, text) => {
    const { line, col } = lines.linePos(at);
    problems.push(`${file}:${line}:${col}: ${text}`);
  };
  const reportAt: ReportAt = (path, text) => report(offsetOf(tree, path), text);
  // A later check relies on what an earlier one has found in order.
  const refuse = () => {
    if (problems.length > 0) throw new DescriptionError(problems.join("\n"));
  };

  for (const error of tree.errors) {
    report(error.pos[0], `${firstLine(error.message)}; mend the YAML`);
  }
  refuse();
  checkReferences(tree, report);
  refuse();
  const document = tree.toJS() as OpenApi;
  checkShape(document, reportAt);
  refuse();
  const operations = readOperations(document, reportAt);
  refuse();
  return { document, positions: positionsOf(tree, lines), operations };
}

/** Where the key of a path stands, so that a missing value is reported at its parent. */
function offsetOf(tree: Document, path: string[]): number {
  const parent = tree.getIn(path.slice(0, -1));
  if (!isMap(parent)) return 0;
  const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1));
  return offset(pair?.key);
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!.replace(/ at line \d+, column \d+:?$/, "");
}
