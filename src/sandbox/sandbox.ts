import { findPrefix, matchPath } from "../openapi/route.js";
import type { OperationTable } from "../types/operation.js";
import { findInvalidValue, findInvalidParameter, type RequestValidators } from "./check-request.js";
import {
  chooseExchange,
  decodePath,
  findUnknownResource,
  findNumberParameters,
  MISSING_ID,
  isSuccess,
  parametersOf,
} from "./choose-exchange.js";
import type { ExampleExchange } from "../types/example-exchange.js";
import { applyOverride, checkOverrides, type Overrides } from "./override.js";

/** The generated data from which a sandbox is created. */
export interface SandboxSource {
  operations: OperationTable;
  exampleResponses: readonly ExampleExchange[];
  /**
   * Responses that are created from the schemas, for operations without an example response and for examples that do
   * not match the description. A sample takes precedence over an example with the same name. The sandbox ignores
   * samples when it determines which path parameters are numbers.
   */
  samples?: readonly ExampleExchange[];
  requestValidators: Readonly<Record<string, unknown>>;
}

/** An offline catalogue. */
export interface Sandbox {
  /**
   * Works like the global `fetch` function, but responds with example responses. Pass this function to
   * `createCatalogue({ fetch })`, or use it as the request handler of a server; it does not use `this`. The function
   * ignores the host, and any path prefix before `/3`. The `sandbox-example` request header selects an example response
   * by name, such as `not-found`. The name can also be that of an error response of a different operation. If no
   * example matches the request, the `sandbox-note` response header explains how the sandbox responds instead. An
   * invalid path parameter results in a 404 response. An invalid query parameter, header, or body results in a 422
   * response. The specification leaves these statuses open (G18).
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/**
 * Creates an offline catalogue from generated operations and example responses.
 * @throws {TypeError} if an option is invalid; the message names the option
 */
export function createSandboxFor(source: SandboxSource, options: unknown): Sandbox {
  const overrides = checkOverrides(options, Object.keys(source.operations));
  const routes = Object.entries(source.operations).map(([id, [method, path]]) => {
    return { id, path, method: method.toUpperCase() };
  });
  const numbers = findNumberParameters(routes, source.exampleResponses);
  const exchanges = [...(source.samples ?? []), ...source.exampleResponses];
  const validators = source.requestValidators as SandboxData["validators"];
  const data: SandboxData = { exchanges, validators, overrides, routes, numbers };
  return {
    async fetch(input, init) {
      // Does not copy a Request unless `init` is set, because the copy would lose the request's signal.
      const request = input instanceof Request && !init ? input : new Request(input, init);
      request.signal.throwIfAborted();
      const response = await respond(request, data);
      // RFC 9110, 9.3.2: the response to HEAD has no body.
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

/** The data from which a sandbox creates its responses. */
interface SandboxData {
  exchanges: readonly ExampleExchange[];
  validators: Readonly<Record<string, RequestValidators>>;
  overrides: Overrides;
  routes: readonly { id: string; path: string; method: string }[];
  /** Names of the path parameters that are whole numbers. */
  numbers: ReadonlySet<string>;
}

async function respond(request: Request, data: SandboxData): Promise<Response> {
  const { routes, overrides } = data;
  // RFC 9110, 11.1: scheme names are case-insensitive.
  if (!/^bearer +\S+$/i.test(request.headers.get("authorization") ?? "")) {
    const message = "No bearer token. Send the header Authorization: Bearer TOKEN, with any token.";
    // RFC 9110, 11.6.1: every 401 response contains a challenge.
    return failure(401, 7, message, { "www-authenticate": "Bearer" });
  }
  const { pathname: whole, searchParams: query } = new URL(request.url);
  const pathname = whole.slice(findPrefix(whole, routes)?.length);
  const path = decodePath(pathname);
  const found = matchPath(pathname, routes);
  if (!path || found.length === 0) {
    const rule = "After the base URL, paths start with /3 and have no empty segments.";
    return failure(404, 34, `No operation has the path ${pathname}. ${rule}`);
  }
  const route = found.find((each) => each.method === request.method);
  if (!route) {
    const allow = [...new Set(found.map((each) => each.method))].join(", ");
    const message = `${pathname} does not support ${request.method}. Use ${allow}.`;
    return failure(405, 3, message, { allow });
  }

  const cases = data.exchanges.filter((each) => each.operation === route.id);
  const validators = data.validators[route.id]!;
  // Reads a clone, because an override can also read the body.
  const body = await readRequestBody(validators, request.clone());
  if (body instanceof Response) return body;
  const name = request.headers.get("sandbox-example");
  if (name !== null) {
    // The header can also select an error response of a different operation.
    const failures = data.exchanges.filter((each) => !isSuccess(each));
    const named = [...cases, ...failures].find((each) => each.name === name);
    if (named) return replay(named, request, overrides);
    const names = new Set([...cases, ...failures].map((each) => each.name));
    const rule = `Use one of: ${[...names].join(", ")}.`;
    return failure(400, 5, `There is no example response "${name}". ${rule}`);
  }
  const inPath = Object.fromEntries(parametersOf(route, path));
  const rejected = findInvalidParameter(validators, inPath, query, request.headers);
  if (rejected) {
    const { name: parameter, in: location, problem } = rejected;
    const message = `The ${location} parameter ${parameter} is ${problem}.`;
    return location === "path" ? failure(404, 34, message) : failure(422, 22, message);
  }
  const invalid = findUnknownResource(cases, route, path, data.numbers);
  if (invalid !== undefined) {
    const missing = cases.find((each) => each.name === "not-found");
    if (missing) return replay(missing, request, overrides);
    const rule = `Send a whole number other than ${MISSING_ID}.`;
    return failure(404, 34, `No resource has this ${invalid}. ${rule}`);
  }
  const chosen = chooseExchange(cases, { path, query, body });
  if (!chosen) return failure(400, 5, `There is no example response for ${route.id}.`);
  return replay(chosen.exchange, request, overrides, chosen);
}

/** Reads and parses a request body. Returns an error response if the body is invalid. */
async function readRequestBody(validators: RequestValidators, request: Request): Promise<unknown> {
  if (!validators.body) return undefined;
  const text = await request.text();
  if (text === "" && !validators.isBodyRequired) return undefined;

  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return failure(400, 5, "The request body is not JSON. Send a JSON object.");
  }
  const problem = findInvalidValue(validators, body);
  return problem === undefined
    ? body
    : failure(422, 5, `The request body does not match the description: ${problem}.`);
}

/** Headers that apply only to the transfer of the original response. */
const TRANSFER_HEADERS = ["content-encoding", "content-length", "transfer-encoding"];

/** Responds with an example. An override of the operation replaces the body of a 2xx response. */
async function replay(
  exchange: ExampleExchange,
  request: Request,
  overrides: Overrides,
  { model = exchange.response.body, note }: { model?: unknown; note?: string } = {},
): Promise<Response> {
  const { operation, response } = exchange;
  const headers = new Headers(response.headers);
  for (const name of TRANSFER_HEADERS) headers.delete(name);
  if (note !== undefined) headers.set("sandbox-note", note);
  const hasBody = isSuccess(exchange) && response.body !== undefined;
  const override = hasBody ? overrides[operation] : undefined;
  const body = override
    ? await applyOverride(operation, override, { example: response.body, model }, request)
    : JSON.stringify(response.body);
  return new Response(body, { status: response.status, headers });
}

/**
 * Creates an error response. The specification states neither the HTTP statuses of errors nor all `status_code` values,
 * so a deployment might use different numbers.
 */
function failure(
  status: number,
  status_code: number,
  status_message: string,
  headers?: Record<string, string>,
): Response {
  const envelope = { success: false, failure: true, status_code, status_message };
  return new Response(JSON.stringify(envelope), {
    status,
    headers: { "content-type": "application/json;charset=utf-8", ...headers },
  });
}
