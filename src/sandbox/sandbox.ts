import { findPrefix, matchPath } from "../openapi/route.js";
import { hasType, isObject } from "../openapi/schema.js";
import { operations } from "../generated/operations.js";
import { exampleResponses, requestBodies } from "../generated/example-responses.js";
import {
  chooseExchange,
  decodePath,
  type RequestBody,
  type ExampleExchange,
} from "./example-exchange.js";

const routes = Object.entries(operations).map(([id, [method, path]]) => ({
  ...{ id, path, method: method.toUpperCase() },
}));

/** An offline catalogue. */
export interface Sandbox {
  /**
   * Responds from the example responses as `fetch` would. Pass it to `createCatalogue({ fetch })`, or serve it as a request
   * handler; it does not use `this`. It ignores the host, and any path before `/3`. The `sandbox-case` request header
   * selects a recorded case by name, such as `not-found`.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/**
 * Creates an offline catalogue that returns recorded responses for every described operation. It needs no network or
 * Node APIs, keeps no state, and accepts any bearer token.
 * @param options must be empty, because the sandbox has no options
 * @throws {TypeError} an option is set
 * @example
 * const { fetch } = createSandbox();
 * const catalogue = createCatalogue({ baseUrl: "http://sandbox.test", token: "any", fetch });
 */
export function createSandbox(options: Record<string, never> = {}): Sandbox {
  const [name] = Object.keys(Object(options));
  if (name !== undefined) {
    const hint = 'To select a recorded case, send the "sandbox-case" request header.';
    throw new TypeError(`createSandbox: unknown option "${name}"; it takes no options. ${hint}`);
  }
  return {
    async fetch(input, init) {
      // Copying a handler's request would drop its signal.
      const request = input instanceof Request && !init ? input : new Request(input, init);
      request.signal.throwIfAborted();
      const response = await respond(request);
      // RFC 9110, 9.3.2: the response to HEAD has no body.
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

async function respond(request: Request): Promise<Response> {
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
  const operation = found.find((each) => each.method === request.method)?.id;
  if (operation === undefined) {
    const allow = found.map((each) => each.method).join(", ");
    const message = `${pathname} does not support ${request.method}. Use ${allow}.`;
    return failure(405, 3, message, { allow });
  }

  const cases = exampleResponses.filter((each) => each.operation === operation);
  const body = await readRequestBody(requestBodies[operation], request);
  if (body instanceof Response) return body;
  const name = request.headers.get("sandbox-case");
  const chosen =
    name === null
      ? chooseExchange(cases, { path, query, body })
      : cases.find((each) => each.name === name);
  if (chosen) return replay(chosen);
  const names = cases.map((each) => each.name).join(", ");
  const wanted = name ?? "typical";
  return failure(400, 5, `There is no recorded case "${wanted}". Use one of: ${names}.`);
}

/** Reads a request body, or returns the response that refuses it. */
async function readRequestBody(
  described: RequestBody | undefined,
  request: Request,
): Promise<unknown> {
  if (!described) return undefined;
  const text = await request.text();
  if (text === "" && !described.isRequired) return undefined;

  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return failure(400, 5, "The request body is not JSON. Send a JSON object.");
  }
  if (!isObject(body)) {
    return failure(422, 5, "The request body is not a JSON object. Send an object.");
  }
  for (const [name, type] of Object.entries(described.fields)) {
    if (Object.hasOwn(body, name) && hasType(body[name], { type })) continue;
    const types = [type].flat().join(" or ");
    return failure(422, 5, `The request body has no field ${name} of type ${types}. Add it.`);
  }
  return body;
}

/** Headers that describe the recorded transfer, not this one. */
const TRANSFER_HEADERS = ["content-encoding", "content-length", "transfer-encoding"];

function replay({ response: { status, headers, body } }: ExampleExchange): Response {
  const kept = new Headers(headers);
  for (const name of TRANSFER_HEADERS) kept.delete(name);
  return new Response(JSON.stringify(body), { status, headers: kept });
}

/**
 * Creates a failed status envelope. The source does not specify the HTTP status of errors or every status code, so a
 * deployment might use different numbers.
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
