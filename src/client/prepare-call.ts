import { defaultBodySerializer } from "openapi-fetch";
import { invalidArgument, unexpectedValue } from "./errors.js";
import type { CallOptions } from "../types/method.js";
import {
  checkFetchOptions,
  checkNames,
  checkRequestHeaders,
  checkRetries,
  checkSignal,
  checkTimeout,
  type Settings,
} from "./options.js";
import { createRedactor, secretsIn, type Redact, type SentRequest } from "./redact.js";
import { isPlainObject } from "./text.js";
import { fillPath, parametersIn, serializeQuery } from "./url.js";

/** The operation to call, and how to parse its response. */
export interface CallTarget {
  /** The operationId, or the method and path for a call through `http`. */
  readonly operation: string;
  /** The HTTP method in uppercase. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  readonly parseAs: "json" | "text" | "blob" | "arrayBuffer" | "stream";
  /**
   * Whether the call goes through `http`. Calls through `http` do not reject on a non-2xx response, and their data is
   * not validated.
   */
  readonly viaHttp: boolean;
  /** The query parameters whose array items are separated with commas. */
  readonly commaSeparated?: readonly string[] | undefined;
  /** The media type of the request body, if it is not `application/json`. */
  readonly mediaType?: string | undefined;
  /** The 2xx statuses without a response body. A call through `http` accepts an empty body for any 2xx status. */
  readonly emptyStatuses?: readonly number[] | undefined;
}

/** The unchecked parameters of a call. */
export interface Parameters {
  path?: unknown;
  query?: unknown;
  header?: unknown;
}

/** The unchecked options that methods and `http` have in common. */
export interface UncheckedOptions extends Omit<CallOptions, "query" | "fetchOptions"> {
  body?: unknown;
}

/** A call with checked arguments, ready to be sent. */
export type PreparedCall = Readonly<ReturnType<typeof prepareCall>>;

/**
 * Checks the arguments of a call, and merges them with the client's options.
 * @throws {TypeError} if an argument is invalid; the message contains neither header values nor the body
 */
export function prepareCall(
  settings: Settings,
  target: CallTarget,
  { headers, body, signal, timeout, retries }: UncheckedOptions,
  given: Parameters,
  fetchOptions: unknown,
) {
  const { operation, method } = target;
  const path = given.path ?? {};
  checkNames(operation, path, parametersIn(target.path), "path parameters");
  const url = settings.baseUrl + fillPath(operation, target.path, path);
  const ownQuery = given.query ?? {};
  const query = isPlainObject(ownQuery) ? { ...settings.query, ...ownQuery } : ownQuery;
  const search = serializeQuery(operation, query, target.commaSeparated);
  const header =
    given.header === undefined ? undefined : checkRequestHeaders(operation, given.header);
  let ownHeaders = headers === undefined ? undefined : checkRequestHeaders(operation, headers);
  const ownType = header?.get("content-type") ?? ownHeaders?.get("content-type");
  const type = ownType ?? settings.headers["content-type"];
  const text = serializeBody(operation, body, type);
  if (text !== undefined && type === undefined && target.mediaType !== undefined)
    (ownHeaders ??= new Headers()).set("content-type", target.mediaType);
  if (text !== undefined && ["GET", "HEAD"].includes(method)) {
    throw invalidArgument(operation, `a ${method} request cannot have a body`);
  }
  // Merges `fetchOptions` with `Object.assign`, because an object spread takes longer than the rest of this function.
  return {
    target,
    settings,
    timeout: checkTimeout(operation, timeout, settings.timeout),
    retries: checkRetries(operation, retries, settings.retries),
    signal: checkSignal(operation, signal),
    fetchOptions: Object.assign(
      {},
      settings.fetchOptions,
      checkFetchOptions(operation, fetchOptions),
    ),
    /** The parameters before serialization, for middleware. */
    params: { path, query, header },
    headers: ownHeaders,
    /** The URL without its query. */
    url,
    /** The serialized query, without the leading `?`. */
    search,
    body: text,
    /** The prepared request, followed by the request of every attempt that went through middleware. */
    sent: [{ method, url: `?${search}`, body: text }] as SentRequest[],
    /** Tokens that the call has sent. */
    tokens: [] as string[],
  };
}

/** Creates a function that redacts the secrets of a call. */
export function createCallRedactor({ settings, sent, tokens }: PreparedCall): Redact {
  return createRedactor([...tokens, ...settings.tokens, ...sent.flatMap(secretsIn)]);
}

/** Serializes the body as JSON or as a form, like openapi-fetch. */
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
    // Serialization fails if the body contains a cycle or a bigint.
  }
  // JSON.stringify turns a Blob, stream, Map, or URLSearchParams into "{}", and a typed array into an object with
  // numeric keys.
  const isLost = text === "{}" && !isPlainObject(body);
  if (text !== undefined && !isLost && !ArrayBuffer.isView(body)) return text;
  throw unexpectedValue(operation, "body", "a value that JSON can represent", body);
}
