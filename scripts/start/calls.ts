import type { Exchange, Finding } from "../../src/contract/index.js";
import { operations, type OperationId } from "../../src/generated/operations.js";
import { recordings } from "../../src/generated/recordings.js";
import type { ApiError, Catalogue } from "../../src/index.js";
import { parametersIn } from "../../src/path.js";
import { valuesIn } from "../path-template.js";

/** The built `media-catalogue/contract`. */
export type Gate = typeof import("../../src/contract/index.js");

/** The result of one call. */
export interface Outcome {
  /** HTTP status; undefined if there was no response. */
  status: number | undefined;
  /** Milliseconds from the call to its parsed body. */
  ms: number;
  /** Differences from the description, one line each; empty if the call passed. */
  problems: string[];
}

type AnyMethod = Record<
  "withResponse",
  (...parameters: unknown[]) => Promise<{ data: unknown; response: Response }>
>;

/** Calls one operation with the parameters of its typical recording, and checks the response. It never throws. */
export async function callOperation(
  catalogue: Catalogue,
  gate: Gate,
  operation: OperationId,
): Promise<Outcome> {
  const started = performance.now();
  const [group, name] = operation.split(".") as [string, string];
  try {
    const { parameters, request } = plan(operation);
    const groups = catalogue as unknown as Record<string, Record<string, AnyMethod>>;
    const { data, response } = await groups[group]![name]!.withResponse(...parameters);
    const ms = performance.now() - started;
    const { status, headers } = response;
    const body = data as Exchange["response"]["body"] & object;
    const exchange: Exchange = {
      operation,
      name: operation,
      request,
      response: { status, headers: Object.fromEntries(headers), body },
      locate: (place) => ({ file: place, line: 1, column: 1 }),
    };
    // `default` describes errors, so it must not validate a success.
    const faults = gate
      .checkExchange(exchange, gate.description)
      .filter(({ verdict, rule }) => verdict !== "gap-observed" || rule === "gap/status");
    return { status, ms, problems: faults.map(problemOf) };
  } catch (error) {
    const { status, message } = error as ApiError;
    const problem = message.startsWith(operation) ? message : `${operation}: ${message}`;
    return { status, ms: performance.now() - started, problems: [problem] };
  }
}

/** @throws {Error} the operation has no typical recording */
function plan(operation: OperationId): { parameters: unknown[]; request: Exchange["request"] } {
  const [method, template] = operations[operation];
  const typical = recordings.find(
    (each) => each.operation === operation && each.name === "typical",
  );
  if (!typical) throw new Error(`no recording; add test/recordings/${operation}/typical.json`);
  const { path, query, body } = typical.request;
  const names = parametersIn(template);
  const values = Object.fromEntries(valuesIn(template, path));
  const [id] = Object.values(values);
  // No path parameter: options only. One: its value first. Several: an object that names them.
  const ids = names.length === 0 ? [] : [names.length === 1 ? id : values];
  const sent = body === undefined ? {} : { body: body as Exchange["request"]["body"] & object };
  return {
    parameters: [...ids, { query, ...sent }],
    request: { method: method.toUpperCase(), path, ...sent },
  };
}

function problemOf({ operation, pointer, recording, expected, actual }: Finding): string {
  const place = pointer || recording[0]?.file || "the body";
  const others = recording.length > 1 ? ` (and ${recording.length - 1} more like it)` : "";
  return `${operation} ${place}: expected ${expected}, got ${actual}${others}`;
}
