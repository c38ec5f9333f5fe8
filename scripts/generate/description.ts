import { readFile } from "node:fs/promises";
import { LineCounter, parseDocument, visit } from "yaml";
import { parentOf, step } from "../../src/contract/engine/pointer.js";
import { positionsOf } from "./contract/positions.js";
import { readOperations } from "./read-operations.js";
import { checkReferences } from "./references.js";
import { checkShape } from "./shape.js";

export interface Schema {
  $ref?: string;
  description?: string;
  [keyword: string]: unknown;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
}

export interface Content {
  $ref?: string;
  content?: Record<string, { schema?: Schema }>;
}

export interface OperationObject {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
}

export interface OpenApi {
  paths: Record<string, { [method: string]: OperationObject }>;
  components?: { schemas?: Record<string, Schema> };
}

export interface Operation extends Pick<OperationObject, "summary" | "description"> {
  id: string;
  method: string;
  path: string;
  /** The path parameters, in the order of the path. */
  pathParameters: Parameter[];
  body?: { schema: Schema; required: boolean };
  /** Every 2xx response; without a schema if it is described without content. */
  results: { status: string; schema?: Schema }[];
  /** The facts that the source leaves open about the request or a 2xx response, as `x-not-specified` marks them. */
  gaps: { id: string; text: string }[];
}

export interface Description {
  document: OpenApi;
  /** Line and column of each value, by JSON pointer. */
  positions: Record<string, [line: number, column: number]>;
  operations: Operation[];
}

/** Reports a problem at a path of the document; the empty path is its start. */
export type Report = (path: readonly string[], text: string) => void;

/** The description cannot be generated from. Each line names the file and the line, the problem and the fix. */
export class DescriptionError extends Error {}

/**
 * Reads the description and its operations.
 * @throws {DescriptionError} with every problem found, one per line
 */
export async function readDescription(file: string): Promise<Description> {
  const source = await readFile(file, "utf8").catch((cause: Error) => {
    throw new DescriptionError(`${file}: ${cause.message}; write the description there`);
  });
  const lines = new LineCounter();
  const tree = parseDocument(source, { lineCounter: lines });
  const problems: string[] = [];
  // Each check relies on the ones before it.
  const refuse = () => {
    if (problems.length > 0) throw new DescriptionError(problems.join("\n"));
  };
  const reportAt = (offset: number, text: string) => {
    const { line, col } = lines.linePos(offset);
    problems.push(`${file}:${line}:${col}: ${text}`);
  };
  for (const { pos, message } of tree.errors) {
    const [text] = message.split(/ at line \d+|\n/);
    reportAt(pos[0], `${text}; fix the YAML`);
  }
  visit(tree, {
    Alias(_, node) {
      const isKnown = node.resolve(tree) !== undefined;
      if (!isKnown) reportAt(node.range?.[0] ?? 0, `alias *${node.source} has no anchor; add it`);
    },
  });
  refuse();

  const document = (tree.toJS() ?? {}) as OpenApi;
  const positions = positionsOf(tree, lines);
  const report: Report = (path, text) => {
    let pointer = path.map(step).join("");
    while (!(pointer in positions)) pointer = parentOf(pointer);
    problems.push(`${[file, ...positions[pointer]!].join(":")}: ${text}`);
  };
  for (const check of [checkReferences, checkShape]) {
    check(document, report);
    refuse();
  }
  const operations = readOperations(document, report);
  refuse();
  return { document, positions, operations };
}
