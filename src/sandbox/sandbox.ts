import { closestPaths } from "../contract/engine/suggest.js";
import { isTooDeep, MAX_DEPTH } from "../openapi/depth.js";
import type { Json } from "../openapi/description.js";
import { findPrefix, isJson, matchPath } from "../openapi/route.js";
import type { OperationTable } from "../types/operation.js";
import type { CompleteExchange } from "../types/exchange.js";
import type { Parts } from "../types/parts.js";
import { findInvalidParameter, findInvalidValue, type RequestValidators } from "./check-request.js";
import { chooseExchange, type Choice } from "./choose-exchange.js";
import {
  decodePath,
  findUnknownResource,
  nameSegments,
  withRequestedIds,
  type Route,
} from "./find-resource.js";
import {
  callOverride,
  checkOverrides,
  completeBody,
  isResponse,
  type Overrides,
} from "./override.js";
import { isSuccess, selectParts } from "./parts.js";

/** The generated data from which a sandbox is created. */
export interface SandboxSource {
  operations: OperationTable;
  exampleResponses: readonly CompleteExchange[];
  parts: Parts;
  /** The names of the properties that contain maps, such as the watch providers by country. */
  maps: readonly string[];
  requestValidators: Readonly<Record<string, unknown>>;
}

/** An offline catalogue. */
export interface Sandbox {
  /**
   * Works like the global `fetch` function, but responds with example responses. Pass this function to
   * `createCatalogue({ fetch })`, or use it as the request handler of a server; it does not use `this`. The function
   * ignores the host, and any path prefix before `/3`.
   *
   * The IDs in the path select the example; an unknown ID results in a 404 response that lists the IDs. A search returns
   * the results whose title or name matches its text. The `sandbox-example` request header selects an example response
   * by name, such as `not-found`. The name can also be that of an error response of a different operation. If no example
   * matches the request, the `sandbox-note` response header explains how the sandbox responds instead.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

interface SandboxData extends SandboxSource {
  overrides: Overrides;
  routes: readonly Route[];
}

/**
 * Creates an offline catalogue from generated operations and example responses.
 * @throws {TypeError} if an option is invalid; the message names the option
 */
export function createSandboxFor(source: SandboxSource, options: unknown): Sandbox {
  const overrides = checkOverrides(options, Object.keys(source.operations));
  const routes = Object.entries(source.operations).map(([id, { method, path }]) => ({
    id,
    path,
    method,
  }));
  const exampleResponses = source.exampleResponses.map((each) => withoutSessions(each, source));
  const data: SandboxData = { ...source, exampleResponses, overrides, routes };
  return {
    async fetch(input, init) {
      // Does not copy a Request unless `init` is set, because the copy would lose the request's signal.
      const request = input instanceof Request && !init ? input : new Request(input, init);
      request.signal.throwIfAborted();
      const response = await respond(request, data);
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

/** Returns an example without the sessions in its query, which do not select an example. */
function withoutSessions(exchange: CompleteExchange, source: SandboxSource): CompleteExchange {
  const { operation, request } = exchange;
  const sessions = sensitiveParameters(source, operation);
  const query = Object.entries(request.query ?? {}).filter(([name]) => !sessions.includes(name));
  return { ...exchange, request: { ...request, query: Object.fromEntries(query) } };
}

/** Lists the names of an operation's sensitive parameters. */
function sensitiveParameters({ requestValidators }: SandboxSource, operation: string): string[] {
  const { parameters } = requestValidators[operation] as RequestValidators;
  return parameters.filter((each) => each.isSensitive).map(({ name }) => name);
}

async function respond(request: Request, data: SandboxData): Promise<Response> {
  const { pathname: whole, searchParams: query } = new URL(request.url);
  // RFC 9110, 11.1: scheme names are case-insensitive.
  if (!/^bearer +\S+$/i.test(request.headers.get("authorization") ?? "") && !query.get("api_key")) {
    const message = "No credentials. Send the header Authorization: Bearer TOKEN, or ?api_key=KEY.";
    // RFC 9110, 11.6.1: every 401 response contains a challenge.
    return failure(401, 7, message, { "www-authenticate": "Bearer" });
  }
  // The key does not select an example.
  query.delete("api_key");
  const pathname = whole.slice(findPrefix(whole, data.routes)?.length);
  const path = decodePath(pathname);
  const found = matchPath(pathname, data.routes);
  if (!path || found.length === 0) {
    const templates = data.routes.map((each) => each.path);
    const closest = closestPaths(whole, templates).join(", ");
    const hint = closest
      ? `Similar paths: ${closest}.`
      : "media-catalogue sandbox --list lists all operations.";
    return failure(404, 34, `No operation has the path ${whole}. ${hint}`);
  }
  // RFC 9110, 9.3.2: the response to HEAD has the headers of the response to GET.
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = found.find((each) => each.method === method);
  if (!route) {
    const methods = found.map((each) => (each.method === "GET" ? "GET, HEAD" : each.method));
    const allow = [...new Set(methods)].join(", ");
    const message = `${pathname} does not support ${request.method}. Use ${allow}.`;
    return failure(405, 3, message, { allow });
  }
  const body = await checkRequest(request, route, path, query, data);
  if (body instanceof Response) return body;
  const names = query.getAll("append_to_response").flatMap((each) => each.split(","));
  for (const each of ["append_to_response", ...sensitiveParameters(data, route.id)])
    query.delete(each);
  const choice = choose(request, route, path, query, body, data);
  if (choice instanceof Response) return choice;
  const exchange = selectParts(choice.exchange, data.parts, names);
  return replay({ ...choice, exchange }, request, data.overrides[route.id], data);
}

/** Checks the body and the parameters of a request. Returns the parsed body, or an error response. */
async function checkRequest(
  request: Request,
  route: Route,
  path: readonly string[],
  query: URLSearchParams,
  { requestValidators, parts }: SandboxData,
): Promise<unknown> {
  const validators = requestValidators[route.id] as RequestValidators;
  // Reads a clone, because an override can also read the body.
  const body = await readRequestBody(validators, request.clone());
  if (body instanceof Response || request.headers.has("sandbox-example")) return body;
  const sent = { path: nameSegments(route, path), query, headers: request.headers };
  const rejected = findInvalidParameter(validators, sent, Object.keys(parts[route.id] ?? {}));
  if (!rejected) return body;
  const { name, in: location, problem } = rejected;
  const end = /[?.]$/.test(problem) ? "" : ".";
  const message = `The ${location} parameter ${name} is ${problem}${end}`;
  if (location === "path") return failure(404, 34, message);
  return name === "page" ? failure(400, 22, message) : failure(422, 5, message);
}

/** Reads and parses a request body. Returns an error response if the body is invalid. */
async function readRequestBody(validators: RequestValidators, request: Request): Promise<unknown> {
  if (!validators.body) return undefined;
  const text = await request.text();
  if (text === "" && !validators.isBodyRequired) return undefined;
  const type = request.headers.get("content-type");
  if (!isJson({ name: type ?? "" })) {
    const problem = type ? `is ${type}` : "is missing";
    return failure(
      415,
      5,
      `The Content-Type of the request body ${problem}. Use application/json.`,
    );
  }
  let body: Json;
  try {
    body = JSON.parse(text) as Json;
  } catch {
    return failure(400, 5, "The request body is not JSON. Send a JSON object.");
  }
  if (isTooDeep(body)) {
    const problem = `is nested more than ${MAX_DEPTH} levels deep`;
    return failure(400, 5, `The request body ${problem}. Send a flatter object.`);
  }
  const problem = findInvalidValue(validators, body);
  return problem === undefined
    ? body
    : failure(400, 18, `The request body does not match the description: ${problem}.`);
}

/** Chooses the example for a valid request, or returns an error response. */
function choose(
  request: Request,
  route: Route,
  path: readonly string[],
  query: URLSearchParams,
  body: unknown,
  { exampleResponses, overrides, routes }: SandboxData,
): Choice | Response {
  const cases = exampleResponses.filter(({ operation }) => operation === route.id);
  const name = request.headers.get("sandbox-example");
  if (name !== null) return chooseByName(name, cases, exampleResponses);
  const typical = cases.find(isSuccess);
  if (!typical) return failure(400, 5, `There is no example response for ${route.id}.`);
  const existing = route.method === "GET" ? cases : listRelated(route, exampleResponses, routes);
  const unknown = findUnknownResource(existing.filter(isSuccess), route, path);
  if (unknown && !overrides[route.id]) {
    const { name: parameter, value, known } = unknown;
    const rule = `The sandbox has ${known.join(", ")}; for other values, pass \`overrides\` to createSandbox.`;
    return failure(404, 34, `There is no ${parameter} ${value}. ${rule}`);
  }
  const chosen = unknown ? undefined : chooseExchange(cases, { path, query, body });
  if (chosen) return chosen;
  const exchange = withRequestedIds(typical, route, path);
  const note = `no example for this path; responding with "${typical.name}"`;
  return { exchange, model: exchange.response.body, note };
}

/** Lists the exchanges of a resource and its parts. If there are any, the resource exists, so it accepts writes. */
function listRelated(
  { path }: Route,
  exchanges: readonly CompleteExchange[],
  routes: readonly Route[],
): CompleteExchange[] {
  const resource = path.slice(0, path.lastIndexOf("}") + 1);
  const related = routes.filter((each) => `${each.path}/`.startsWith(`${resource}/`));
  const ids = new Set(related.map(({ id }) => id));
  return exchanges.filter(({ operation }) => ids.has(operation));
}

/** Chooses the example that the `sandbox-example` header names, which can be an error of a different operation. */
function chooseByName(
  name: string,
  cases: readonly CompleteExchange[],
  exchanges: readonly CompleteExchange[],
): Choice | Response {
  const own = cases.find((each) => each.name === name);
  if (own) return { exchange: own, model: own.response.body };
  const failures = exchanges.filter((each) => !isSuccess(each));
  const borrowed = failures.find((each) => each.name === name)?.response;
  if (!borrowed) {
    const names = new Set([...cases, ...failures].map((each) => each.name));
    const rule = `Use one of: ${[...names].join(", ")}.`;
    return failure(400, 5, `There is no example response "${name}". ${rule}`);
  }
  const { status_code } = borrowed.body as { status_code: number };
  // The message of a different operation would not fit.
  const message = `The sandbox-example header selects this error: ${name}.`;
  return failure(borrowed.status, status_code, message, borrowed.headers);
}

/** Headers that apply only to the transfer of the original response. The sandbox sends bodies uncompressed. */
const TRANSFER_HEADERS = ["content-encoding", "content-length", "transfer-encoding"];

/** Responds with an example. An override replaces the body of a 2xx response, or the whole response. */
async function replay(
  { exchange, model, note }: Choice,
  request: Request,
  override: Overrides[string],
  { maps, exampleResponses }: SandboxData,
): Promise<Response> {
  const { operation, response } = exchange;
  const headers = new Headers(response.headers);
  for (const name of TRANSFER_HEADERS) headers.delete(name);
  if (note !== undefined) headers.set("sandbox-note", note);
  const { status, body } = response;
  if (!override || !isSuccess(exchange) || body === undefined)
    return new Response(JSON.stringify(body), { status, headers });
  const returned = await callOverride(override, body, request);
  if (isResponse(returned)) return returned;
  try {
    const isKnown = (field: string) => JSON.stringify(exampleResponses).includes(`"${field}":`);
    const json = completeBody(operation, returned, { sent: body, model, maps, isKnown });
    return new Response(json, { status, headers });
  } catch (error) {
    // A rejected promise would look like a lost connection, which the client retries.
    return failure(501, 11, (error as Error).message);
  }
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
