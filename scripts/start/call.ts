import type { Exchange, Finding } from "../../src/contract/index.js";
import { operations, type OperationId } from "../../src/generated/operations.js";
import type { ApiError, Catalogue, Method } from "../../src/index.js";
import { redactHeaders, redactJson, type Redact } from "../../src/redact.js";

/** The built `media-catalogue/contract`. */
export type Gate = typeof import("../../src/contract/index.js");

/** Something in an answer that the description does not say, or that none came. */
export type Problem = Pick<Finding, "operation" | "expected" | "actual"> & {
  /** A pointer into the body, or a word such as `status` or `header: etag`. */
  place: string;
  /** How often the same fault occurs in other items of the same lists or maps. */
  more: number;
};

/** How a call ended. */
export interface Outcome {
  operation: string;
  /** HTTP status; undefined where no answer came. */
  status: number | undefined;
  /** Milliseconds from the call to its parsed body. */
  ms: number;
  problems: Problem[];
  /** What was judged; undefined where no success came. */
  exchange?: Exchange;
}

type AnyMethod = Method<unknown[], unknown>;

/** Calls one operation as a user of the package does, and judges the answer. It never throws. */
export async function callOperation(
  catalogue: Catalogue,
  gate: Gate,
  redact: Redact,
  operation: OperationId,
  parameters: readonly unknown[],
): Promise<Outcome> {
  const started = performance.now();
  const ended = () => ({ operation, ms: performance.now() - started });
  try {
    const { data, response } = await methodOf(catalogue, operation).withResponse(...parameters);
    const arrived = { ...ended(), status: response.status };
    const exchange = exchangeOf(operation, response, data, redact);
    const found = gate.checkExchange(exchange, gate.description).filter(
      (each) =>
        each.verdict === "violation" ||
        // `default` describes errors: no success is one.
        each.rule === "gap/status",
    );
    return { ...arrived, problems: found.map(problemOf), exchange };
  } catch (error) {
    const { status } = error as Partial<ApiError>;
    return { ...ended(), status, problems: [failure(operation, status, (error as Error).message)] };
  }
}

/** Secrets are taken out before anything is judged: a finding shows the start of a value, which may end in one. */
function exchangeOf(
  operation: OperationId,
  { status, headers }: Response,
  data: unknown,
  redact: Redact,
): Exchange {
  const [method, path] = operations[operation];
  return {
    operation,
    name: operation,
    // What was sent, the client has made: its template is as good as the path.
    request: { method: method.toUpperCase(), path },
    response: {
      status,
      headers: Object.fromEntries(redactHeaders(headers, redact)),
      body: redactJson(data, redact) as NonNullable<Exchange["response"]["body"]>,
    },
    locate: (place) => ({ file: place, line: 1, column: 1 }),
  };
}

function methodOf(catalogue: Catalogue, operation: string): AnyMethod {
  const [group, name] = operation.split(".") as [string, string];
  const method = (catalogue as unknown as Record<string, Record<string, AnyMethod>>)[group]?.[name];
  if (!method)
    throw new TypeError(`${operation} is no method of the built package; run npm run build`);
  return method;
}

function problemOf({ operation, pointer, recording, expected, actual }: Finding): Problem {
  const place = pointer || recording[0]?.file || "the body";
  return { operation, place, expected, actual, more: recording.length - 1 };
}

function failure(operation: string, status: number | undefined, message: string): Problem {
  const problem = { operation, actual: message.replace(`${operation}: `, ""), more: 0 };
  if (status === undefined) return { ...problem, place: "(no answer)", expected: "an answer" };
  return status >= 200 && status < 300
    ? { ...problem, place: "the body", expected: "JSON" }
    : { ...problem, place: "status", expected: "a success" };
}
