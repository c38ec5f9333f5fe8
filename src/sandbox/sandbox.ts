import { operations } from "../generated/operations.js";
import { recordings } from "../generated/recordings.js";
import { readBody } from "./body.js";
import { chooseExchange } from "./choose.js";
import {
  failureResponse,
  missingToken,
  unknownCase,
  unknownPath,
  wrongMethod,
  type Failure,
} from "./envelope.js";
import type { SandboxExchange } from "./exchange.js";
import { createRoutes, segmentsOf, type FindResource } from "./routes.js";

/** An offline catalogue. */
export interface Sandbox {
  /**
   * Answers a request from the recordings, as `fetch` would: pass it to `createCatalogue({ fetch })`, or serve it
   * as a handler of one request. It stands alone: it may be taken off its object. The host is not looked at. The
   * request header `sandbox-case` asks for a recorded case of the operation by its name, such as `not-found`.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/** The request header that asks for a case by name, so that every recorded failure can be had. */
const CASE_HEADER = "sandbox-case";

/** Headers that describe the recorded transfer, not this one. */
const TRANSFER_HEADERS = ["content-encoding", "content-length", "transfer-encoding"];

/**
 * Makes an offline catalogue that answers every described operation from recorded exchanges. It needs no network and
 * nothing of Node, keeps no state, and takes any bearer token.
 * @example
 * const sandbox = createSandbox();
 * const catalogue = createCatalogue({ baseUrl: "http://sandbox.test", token: "any", fetch: sandbox.fetch });
 */
export function createSandbox(): Sandbox {
  const findResource = createRoutes(operations);
  return {
    async fetch(input, init) {
      // A handler's request is not copied: the copy would lose its signal.
      const request = input instanceof Request && !init ? input : new Request(input, init);
      request.signal.throwIfAborted();
      const answer = await answerTo(findResource, request);
      const response = "status" in answer ? failureResponse(answer) : replay(answer);
      // RFC 9110, 9.3.2: the answer to HEAD has no body.
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

async function answerTo(
  findResource: FindResource,
  request: Request,
): Promise<Failure | SandboxExchange> {
  // RFC 9110, 11.1: the name of a scheme has no case.
  if (!/^bearer +\S+$/i.test(request.headers.get("authorization") ?? "")) return missingToken();
  const { pathname, searchParams } = new URL(request.url);
  const path = segmentsOf(pathname);
  const resource = path && findResource(path);
  if (!resource) return unknownPath(pathname);
  const operation = resource.operations.get(request.method);
  if (!operation) return wrongMethod(request.method, pathname, [...resource.operations.keys()]);

  const cases = recordings.filter((each) => each.operation === operation);
  const read = await readBody(operation, cases, request);
  if ("failure" in read) return read.failure;
  const name = request.headers.get(CASE_HEADER);
  const chosen =
    name === null
      ? chooseExchange(cases, { path, query: searchParams, body: read.body })
      : cases.find((each) => each.name === name);
  return (
    chosen ??
    unknownCase(
      operation,
      name ?? "typical",
      cases.map((each) => each.name),
    )
  );
}

function replay({ response: { status, headers, body } }: SandboxExchange): Response {
  const kept = new Headers(headers);
  for (const name of TRANSFER_HEADERS) kept.delete(name);
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers: kept });
}
