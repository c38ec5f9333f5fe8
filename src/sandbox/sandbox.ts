import { findPrefix, matchPath } from "../openapi/route.js";
import type { OperationTable } from "../client/create-client.js";
import {
  findInvalidValue,
  findRejectedParameter,
  type RequestValidators,
} from "./check-request.js";
import {
  chooseExchange,
  decodePath,
  findInvalidParameter,
  findNumberParameters,
  MISSING_ID,
  isSuccess,
  parametersOf,
} from "./choose-exchange.js";
import type { ExampleExchange } from "../types/example-exchange.js";
import { applyOverride, checkOverrides, type Overrides } from "./override.js";

/** The generated data of a sandbox. */
export interface SandboxSource {
  operations: OperationTable;
  exampleResponses: readonly ExampleExchange[];
  /**
   * For operations without an example response. A sample replaces an example response of the same name. It says nothing
   * about the values of path parameters.
   */
  samples?: readonly ExampleExchange[];
  requestValidators: Readonly<Record<string, unknown>>;
}

/** An offline catalogue. */
export interface Sandbox {
  /**
   * Responds from the example responses as `fetch` would. Pass it to `createCatalogue({ fetch })`, or serve it as a
   * request handler; it does not use `this`. It ignores the host, and any path before `/3`. The `sandbox-case` request
   * header selects an example response by name, such as `not-found`. It can also name a failure of another operation.
   * If no example matches the request, the `sandbox-note` response header says how the sandbox responds instead. It
   * rejects a path parameter that contradicts the description with 404, and a query parameter, a header, or a body with
   * 422: the specification leaves these statuses open (G18).
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/**
 * Creates an offline catalogue from its generated operations and example responses.
 * @throws {TypeError} if an option is invalid; the message names it
 */
export function createService(source: SandboxSource, options: unknown): Sandbox {
  const overrides = checkOverrides(options, Object.keys(source.operations));
  const routes = Object.entries(source.operations).map(([id, [method, path]]) => {
    return { id, path, method: method.toUpperCase() };
  });
  const numbers = findNumberParameters(routes, source.exampleResponses);
  const exchanges = [...(source.samples ?? []), ...source.exampleResponses];
  const validators = source.requestValidators as Service["validators"];
  const service: Service = { exchanges, validators, overrides, routes, numbers };
  return {
    async fetch(input, init) {
      // Copying a handler's request would drop its signal.
      const request = input instanceof Request && !init ? input : new Request(input, init);
      request.signal.throwIfAborted();
      const response = await respond(request, service);
      // RFC 9110, 9.3.2: the response to HEAD has no body.
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

/** The parts of a sandbox that create its responses. */
interface Service {
  exchanges: readonly ExampleExchange[];
  validators: Readonly<Record<string, RequestValidators>>;
  overrides: Overrides;
  routes: readonly { id: string; path: string; method: string }[];
  /** Names of the path parameters that are whole numbers. */
  numbers: ReadonlySet<string>;
}

async function respond(request: Request, service: Service): Promise<Response> {
  const { routes, overrides } = service;
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

  const cases = service.exchanges.filter((each) => each.operation === route.id);
  const validators = service.validators[route.id]!;
  // An override reads the body, too.
  const body = await readRequestBody(validators, request.clone());
  if (body instanceof Response) return body;
  const name = request.headers.get("sandbox-case");
  if (name !== null) {
    // Any operation can return the failure of another operation.
    const failures = service.exchanges.filter((each) => !isSuccess(each));
    const named = [...cases, ...failures].find((each) => each.name === name);
    if (named) return replay(named, request, overrides);
    const names = new Set([...cases, ...failures].map((each) => each.name));
    const rule = `Use one of: ${[...names].join(", ")}.`;
    return failure(400, 5, `There is no example response "${name}". ${rule}`);
  }
  const inPath = Object.fromEntries(parametersOf(route, path));
  const rejected = findRejectedParameter(validators, inPath, query, request.headers);
  if (rejected) {
    const { name: parameter, in: location, problem } = rejected;
    const message = `The ${location} parameter ${parameter} is ${problem}.`;
    return location === "path" ? failure(404, 34, message) : failure(422, 22, message);
  }
  const invalid = findInvalidParameter(cases, route, path, service.numbers);
  if (invalid !== undefined) {
    const missing = cases.find((each) => each.name === "not-found");
    if (missing) return replay(missing, request, overrides);
    const rule = `Send a whole number; ${MISSING_ID} never exists.`;
    return failure(404, 34, `No resource has this ${invalid}. ${rule}`);
  }
  const chosen = chooseExchange(cases, { path, query, body });
  if (!chosen) return failure(400, 5, `There is no example response for ${route.id}.`);
  return replay(chosen.exchange, request, overrides, chosen);
}

/** Reads a request body, or returns the response that rejects it. */
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

/** Headers that describe the transfer of the example, not this one. */
const TRANSFER_HEADERS = ["content-encoding", "content-length", "transfer-encoding"];

/** Responds with an example. The operation's override replaces the body of a 2xx response that has one. */
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
 * Creates a failed status envelope. The specification does not state the HTTP status of errors or every status code, so
 * a deployment might use different numbers.
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
