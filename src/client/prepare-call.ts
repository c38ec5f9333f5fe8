import { defaultBodySerializer } from "openapi-fetch";
import { invalidArgument, unexpectedValue } from "./errors.js";
import type { CallOptions } from "./method.js";
import {
  checkFetchOptions,
  checkRequestHeaders,
  checkRetries,
  checkTimeout,
  type Settings,
} from "./options.js";
import { isPlainObject } from "./text.js";
import { fillPath, serializeQuery } from "./url.js";

/** The operation to call, and how to parse its result. */
export interface CallTarget {
  /** The operationId, or the method and path for a call through `http`. */
  readonly operation: string;
  /** The HTTP method in upper case. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  readonly parseAs: "json" | "text" | "blob" | "arrayBuffer" | "stream";
  /** The 2xx statuses without content; undefined for a call through `http`, where any body can be empty. */
  readonly emptyStatuses?: readonly number[];
}

/** A call's arguments before they are checked. */
export interface CallArguments extends Omit<CallOptions, "query"> {
  params?: { path?: unknown; query?: unknown; header?: unknown } | undefined;
  body?: unknown;
}

/** A call whose arguments have been checked: everything that its attempts need. */
export interface PreparedCall {
  readonly target: CallTarget;
  readonly settings: Settings;
  readonly timeout: number;
  readonly retries: number;
  readonly signal: AbortSignal | null | undefined;
  readonly fetchOptions: object;
  /** The parameters as given, for hooks. */
  readonly params: object;
  readonly headers: Headers | undefined;
  /** The URL without its query. */
  readonly url: string;
  /** The serialized query, without the leading `?`. */
  readonly search: string;
  /** The serialized body. */
  readonly body: string | FormData | undefined;
}

/**
 * Checks the arguments of a call, and fills in the client's options.
 * @throws {TypeError} an argument is invalid; the message contains neither header values nor the body
 */
export function prepareCall(
  settings: Settings,
  target: CallTarget,
  { params = {}, headers, body, signal, timeout, retries, fetchOptions }: CallArguments,
): PreparedCall {
  const { operation, method } = target;
  const path = params.path ?? {};
  const url = settings.baseUrl + fillPath(operation, target.path, path);
  const ownQuery = params.query ?? {};
  const query = isPlainObject(ownQuery) ? { ...settings.query, ...ownQuery } : ownQuery;
  const search = serializeQuery(operation, query);
  const header = params.header ? checkRequestHeaders(operation, params.header) : undefined;
  const ownHeaders = headers ? checkRequestHeaders(operation, headers) : undefined;
  const type = header?.get("content-type") ?? ownHeaders?.get("content-type");
  const text = serializeBody(operation, body, type ?? settings.headers["content-type"]);
  if (text !== undefined && /^(GET|HEAD)$/.test(method)) {
    throw invalidArgument(operation, `a ${method} request cannot have a body`);
  }
  if (signal && !(typeof signal.aborted === "boolean" && signal.addEventListener)) {
    throw unexpectedValue(operation, "signal", "an AbortSignal", signal);
  }
  const maxRetries = checkRetries(operation, retries, settings.retries);
  checkFetchOptions(operation, fetchOptions);
  // `Object.assign`, because object spread would take longer than the rest of this function.
  return {
    target,
    settings,
    timeout: checkTimeout(operation, timeout, settings.timeout),
    // The service might already have processed a POST. GET, HEAD, and DELETE are idempotent.
    retries: /^(GET|HEAD|DELETE)$/.test(method) ? maxRetries : 0,
    signal,
    fetchOptions: Object.assign({}, settings.fetchOptions, fetchOptions),
    params: { path, query, header },
    headers: ownHeaders,
    url,
    search,
    body: text,
  };
}

/** Serializes the body as openapi-fetch does: to JSON or a form. */
function serializeBody(
  operation: string,
  body: unknown,
  contentType: string | undefined,
): string | FormData | undefined {
  if (body === undefined) return undefined;
  let text: string | FormData | undefined;
  try {
    text = (defaultBodySerializer as (body: unknown, headers: object) => string | FormData)(body, {
      "content-type": contentType,
    });
  } catch {
    // The body contains a cycle or a bigint.
  }
  // JSON.stringify turns a Blob, stream, Map, or URLSearchParams into "{}", and bytes into an object of numbers.
  const isLost = text === "{}" && !isPlainObject(body);
  if (text !== undefined && !isLost && !ArrayBuffer.isView(body)) return text;
  throw unexpectedValue(operation, "body", "a value that JSON can represent", body);
}
