import { bodyNotJson, bodyRefused, type Failure } from "./envelope.js";
import type { SandboxExchange } from "./exchange.js";

/** A parsed body, or why it is refused. */
export type ReadBody = { body: unknown } | { failure: Failure };

/**
 * Reads the body of a request as the recordings of its operation have it. The rows do not describe bodies, so what
 * every success was recorded with is required: a JSON object with these fields, each of the recorded type.
 */
export async function readBody(
  operation: string,
  cases: readonly SandboxExchange[],
  request: Request,
): Promise<ReadBody> {
  const recorded = cases
    .filter(({ response }) => response.status < 300)
    .map((each) => each.request.body)
    .filter(isObject);
  const [first, ...others] = recorded;
  if (!first) return { body: undefined };

  let body: unknown;
  try {
    body = JSON.parse(await request.text());
  } catch (error) {
    // Anything else than a SyntaxError says that the request broke off: no answer would arrive.
    if (!(error instanceof SyntaxError)) throw error;
    return { failure: bodyNotJson(operation) };
  }
  if (!isObject(body)) {
    return { failure: bodyRefused(operation, "the body is no JSON object: send an object") };
  }
  for (const [name, value] of Object.entries(first)) {
    if (!others.every((each) => Object.hasOwn(each, name))) continue;
    const wanted = typeof value;
    if (!Object.hasOwn(body, name) || typeof body[name] !== wanted) {
      return {
        failure: bodyRefused(operation, `the body has no ${name} of type ${wanted}: add it`),
      };
    }
  }
  return { body };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
