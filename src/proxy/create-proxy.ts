import { runCall, type UntypedClient } from "../client/call.js";
import { checkOptions } from "../client/checks.js";
import { createSender } from "../client/create-client.js";
import type { EitherCredential } from "../client/credentials.js";
import {
  ConnectionError,
  invalidArgument,
  TimeoutError,
  unexpectedValue,
} from "../client/errors.js";
import { createSettings, type ClientOptions, type Settings } from "../client/options.js";
import { createTarget, prepareCall, type PreparedCall } from "../client/prepare-call.js";
import { redactorOf } from "../client/secrets.js";
import { parseUrl, suggestName } from "../client/text.js";
import { operations, type OperationId } from "../generated/full-operations.js";
import { readJsonBody } from "./read-json-body.js";
import { Rejection } from "./rejection.js";
import { resolveRequest, type ResolvedRequest } from "./resolve-request.js";
import { toErrorResponse, toResponse } from "./to-response.js";

/** Options for `createProxy`, with either a `token` or an `apiKey`. */
export type ProxyOptions = EitherCredential &
  Pick<ClientOptions, "baseUrl" | "fetch" | "timeout" | "allowHttp"> & {
    /**
     * The operations that browsers may call. A part of `append_to_response` needs its own operation in the list.
     * @example ["movies.details", "movies.credits", "search.multi"]
     */
    allow: readonly OperationId[];
    /**
     * The path of the proxy, which is the `baseUrl` of the client in the browser.
     * @default "/api/catalogue"
     */
    prefix?: string | undefined;
    /**
     * A function that receives the error of each request to which the proxy responds with a status from 500 to 599, unless
     * the service sent that response. Visitors see only a short message.
     */
    onError?: ((error: unknown) => void) | undefined;
  };

const WHERE = "createProxy";
const CLIENT_OPTIONS = ["baseUrl", "token", "apiKey", "fetch", "timeout", "allowHttp"];
const OPTIONS = ["allow", "prefix", "onError", ...CLIENT_OPTIONS];
const OPERATION_IDS = Object.keys(operations);

/**
 * Creates a function that adds the credentials to requests of browsers, and passes them on to a deployment. The
 * function resolves to a response, whatever the request and the service send.
 * @throws {TypeError} if an option is invalid; the message names the option
 * @example
 * const proxy = createProxy({ baseUrl: "https://catalogue.example", token, allow: ["search.multi"] });
 * const response = await proxy(request);
 */
export function createProxy(options: ProxyOptions): (request: Request) => Promise<Response> {
  checkOptions(WHERE, options, OPTIONS);
  const { allow, prefix = "/api/catalogue", onError, ...others } = options;
  const settings = createSettings(WHERE, { ...others, retries: 0 }, "api_key");
  const allowed = checkAllow(allow);
  const path = checkPrefix(prefix);
  const client = createSender(settings) as UntypedClient;

  return async (request) => {
    try {
      const resolved = resolveRequest(request, path, allowed);
      const call = await prepare(settings, resolved, request);
      const { data, response } = await runCall(client, call);
      // The response can contain the visitor's own session, but not the credentials.
      const redact = redactorOf({ ...call.secrets, requests: [] });
      return toResponse(response!, data, resolved.isPublic, redact);
    } catch (error) {
      const rejection = toRejection(error, request);
      if (rejection.status >= 500) onError?.(rejection.cause ?? rejection);
      return toErrorResponse(rejection);
    }
  };
}

/** Checks the allow list, so that a misspelled operation does not fail only when a visitor needs it. */
function checkAllow(allow: unknown): ReadonlySet<OperationId> {
  if (!Array.isArray(allow)) throw unexpectedValue(WHERE, "allow", "an array of operations", allow);
  for (const name of allow) {
    if (OPERATION_IDS.includes(name as string)) continue;
    const hint = suggestName(String(name), OPERATION_IDS);
    throw invalidArgument(WHERE, `allow: unknown operation "${name}"${hint}; list each operation`);
  }
  return new Set(allow as OperationId[]);
}

/** Returns the prefix without a slash at its end. */
function checkPrefix(prefix: unknown): string {
  if (typeof prefix !== "string") throw unexpectedValue(WHERE, "prefix", "a string", prefix);
  const path = prefix.replace(/\/+$/, "");
  const isPath = path === "" || parseUrl(path, "http://localhost")?.pathname === path;
  if (!isPath) throw invalidArgument(WHERE, 'prefix must be a path such as "/api/catalogue"');
  if (!path.endsWith("/3")) return path;
  throw invalidArgument(WHERE, "prefix must not end in /3; every path already starts with it");
}

/** Creates the call that the proxy sends in place of a request. */
async function prepare(
  settings: Settings,
  { operation, entry, values, query }: ResolvedRequest,
  request: Request,
): Promise<PreparedCall> {
  const { method, path } = entry;
  const body = entry.body && (await readJsonBody(request, settings.timeout));
  const etag = request.headers.get("if-none-match");
  const known = { operation, method, path, entry, parseAs: "text", viaHttp: true } as const;
  const target = createTarget(settings, { ...known, needsResponse: true });
  return prepareCall(settings, target, {
    params: { path: values, query },
    options: {
      body,
      signal: request.signal,
      headers: etag === null ? {} : { "if-none-match": etag },
    },
  });
}

/** Returns the status and the message for a visitor, who must not see the details of an error. */
function toRejection(error: unknown, { signal }: Request): Rejection {
  if (error instanceof Rejection) return error;
  const options = { cause: error };
  if (signal?.aborted) return new Rejection(499, "the visitor has canceled the request");
  if (error instanceof TimeoutError)
    return new Rejection(504, "the service did not respond in time", options);
  if (error instanceof ConnectionError)
    return new Rejection(502, "the proxy could not reach the service", options);
  return new Rejection(500, "the proxy failed", options);
}
