import { createCatalogue, type Catalogue } from "../../client.js";
import { isApiError } from "../../errors.js";
import { operations } from "../../generated/operations.js";
import type { Method } from "../../method.js";
import type { Json } from "../types.js";
import { parametersOf, type PlannedCase } from "./plan.js";

/** The deployment that is called. */
export interface Deployment {
  baseUrl: string;
  token: string;
  allowInsecure?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** A request and its answer, with every secret still in it. */
export interface RawExchange {
  operation: string;
  request: { method: string; path: string; query?: NonNullable<PlannedCase["query"]>; body?: Json };
  response: {
    status: number;
    headers: Record<string, string>;
    body?: Json;
    text?: string;
  };
}

/** How a call ended: an answer arrived, or the client gave up, or both. */
export interface Outcome {
  exchange?: RawExchange;
  error?: Error;
}

/** A service may ask for a pause of 30 s, and a few times so. */
const PATIENCE = { retries: 3, timeout: 120_000 };

/**
 * Makes a function that sends one case after another through the client of this package, whose retries obey
 * `Retry-After`, and keeps the last answer as it came.
 * @throws {TypeError} an option is wrong, such as plain http to a host that is not loopback
 */
export function createCaller(deployment: Deployment): (planned: PlannedCase) => Promise<Outcome> {
  const { baseUrl, token, allowInsecure = false, signal } = deployment;
  let last: { path: string; response: RawExchange["response"] } | undefined;
  const catalogue = createCatalogue({
    baseUrl,
    token,
    allowInsecure,
    ...PATIENCE,
    async fetch(input, init) {
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
    },
  });
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, "");

  return async (planned) => {
    const { operation, query, body } = planned;
    const error = await send(catalogue, planned, signal);
    signal?.throwIfAborted();
    if (!last) return { error: error ?? new Error(`${operation}: no answer`) };
    const method = operations[operation][0].toUpperCase();
    const sent = { ...(query && { query }), ...(body !== undefined && { body }) };
    const request = { method, path: last.path.slice(prefix.length), ...sent };
    const exchange = { operation, request, response: last.response };
    last = undefined;
    // An answer that came, but not whole or too late, is none.
    if (error && !isApiError(error)) return { error };
    return { exchange, ...(error && { error }) };
  };
}

async function send(
  catalogue: Catalogue,
  { operation, path, query, body }: PlannedCase,
  signal: AbortSignal | undefined,
): Promise<Error | undefined> {
  const [group, name] = operation.split(".") as [string, string];
  const groups = catalogue as unknown as Record<string, Record<string, Method<unknown[], unknown>>>;
  const names = parametersOf(operations[operation][1]);
  const ids = names.length === 1 ? [path[names[0]!]] : names.length > 1 ? [path] : [];
  try {
    await groups[group]![name]!(...ids, { query, body, signal });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function read(text: string): { body?: Json; text?: string } {
  try {
    return { body: JSON.parse(text) as Json };
  } catch {
    return text === "" ? {} : { text };
  }
}
