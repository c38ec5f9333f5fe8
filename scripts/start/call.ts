import type { ApiError, Catalogue, Method } from "../../src/index.js";
import type { Finding } from "./findings.js";
import type { Judge } from "./judge.js";

/** How a call ended. */
export interface Outcome {
  operation: string;
  /** HTTP status; undefined where no answer came. */
  status: number | undefined;
  /** Milliseconds from the call to its parsed body. */
  ms: number;
  findings: Finding[];
}

type AnyMethod = Method<unknown[], unknown>;

/** Calls one operation as a user of the package does, and judges the answer. It never throws. */
export async function callOperation(
  catalogue: Catalogue,
  judge: Judge,
  operation: string,
  parameters: readonly unknown[],
): Promise<Outcome> {
  const started = performance.now();
  const outcome = (status: number | undefined, findings: Finding[]): Outcome => ({
    operation,
    status,
    ms: performance.now() - started,
    findings,
  });
  try {
    const { data, response } = await methodOf(catalogue, operation).withResponse(...parameters);
    const { status, headers } = response;
    const arrived = outcome(status, []);
    return { ...arrived, findings: judge(operation, { status, headers, body: data }) };
  } catch (error) {
    const status = (error as Partial<ApiError>).status;
    return outcome(status, [failure(operation, status, (error as Error).message)]);
  }
}

function methodOf(catalogue: Catalogue, operation: string): AnyMethod {
  const [group, name] = operation.split(".") as [string, string];
  const method = (catalogue as unknown as Record<string, Record<string, AnyMethod>>)[group]?.[name];
  if (!method)
    throw new TypeError(`${operation} is no method of the built package; run npm run build`);
  return method;
}

function failure(operation: string, status: number | undefined, message: string): Finding {
  const actual = message.replace(`${operation}: `, "");
  const found = { operation, actual, more: 0 };
  if (status === undefined) return { ...found, pointer: "", expected: "an answer" };
  return status >= 200 && status < 300
    ? { ...found, pointer: "/body", expected: "JSON" }
    : { ...found, pointer: "/status", expected: "a success" };
}
