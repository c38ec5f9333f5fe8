import { CommandError } from "../../cli/command-error.js";
import { createCatalogue, type Catalogue } from "../../client.js";
import { isApiError } from "../../errors.js";
import { operations } from "../../generated/operations.js";
import type { Method } from "../../method.js";
import type { Json } from "../types.js";
import { parametersOf, type PlannedCase } from "./plan.js";
import type { RawExchange } from "./scrub.js";

/** The deployment that is called. */
export interface Deployment {
  baseUrl: string;
  token: string;
  signal?: AbortSignal | undefined;
}

/** How a call ended: an answer arrived, with every secret still in it, or the client gave up, or both. */
export interface Outcome {
  exchange?: RawExchange;
  error?: Error;
}

/** A service may ask for a pause of 30 s, and a few times so. */
const PATIENCE = { retries: 3, timeout: 120_000 };

/**
 * Makes a function that sends one case after another through the client of this package, whose retries obey
 * `Retry-After`, and keeps the last answer as it came.
 * @throws {CommandError} the token or the URL is wrong, such as plain http to a host that is not loopback
 */
export function createCaller({ baseUrl, token, signal }: Deployment) {
  let last: { path: string; response: RawExchange["response"] } | undefined;
  const keepLast: typeof fetch = async (input, init) => {
    last = undefined;
    const response = await fetch(input, init);
    const text = await response.text();
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    const headers = Object.fromEntries(response.headers);
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) headers["set-cookie"] = cookies.join("\n");
    last = { path, response: { status: response.status, headers, ...read(text) } };
    // Some statuses allow no body, not even an empty one.
    return new Response(text === "" ? null : text, response);
  };
  let catalogue: Catalogue;
  try {
    catalogue = createCatalogue({ baseUrl, token, ...PATIENCE, fetch: keepLast });
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, "");

  return async ({ operation, path, sent }: PlannedCase): Promise<Outcome> => {
    const [group, name] = operation.split(".") as [string, string];
    const groups = catalogue as unknown as Record<
      string,
      Record<string, Method<unknown[], unknown>>
    >;
    const names = parametersOf(operation);
    const ids = names.length === 1 ? [path[names[0]!]] : names.length > 1 ? [path] : [];
    const error = await groups[group]![name]!(...ids, { ...sent, signal }).then(
      () => undefined,
      (reason: Error) => reason,
    );
    signal?.throwIfAborted();
    // An answer that came, but not whole or too late, is none.
    if (!last || (error && !isApiError(error))) {
      return { error: error ?? new Error(`${operation}: no answer`) };
    }
    const method = operations[operation][0].toUpperCase();
    const request = { method, path: last.path.slice(prefix.length), ...sent };
    const exchange = { operation, request, response: last.response };
    last = undefined;
    return { exchange, ...(error && { error }) };
  };
}

function read(text: string): { body?: Json; text?: string } {
  try {
    return { body: JSON.parse(text) as Json };
  } catch {
    return text === "" ? {} : { text };
  }
}
