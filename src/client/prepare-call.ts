import { defaultBodySerializer } from "openapi-fetch";
import { invalidArgument, unexpectedValue } from "./errors.js";
import type { CallOptions } from "../types/method.js";
import type { OperationEntry } from "../types/operation.js";
import { checkFetchOptions, checkRequestHeaders, checkValues, type Settings } from "./options.js";
import type { SentRequest } from "./secrets.js";
import { isPlainObject, resultOf } from "./text.js";
import { fillPath, parametersIn, serializeQuery } from "./url.js";

/** The destination of a call: an operation in the description, or a path that an app passes to `http`. */
export interface Target {
  /** The operationId, or the method and path for a call through `http`. */
  readonly operation: string;
  /** The HTTP method in uppercase. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  /** The operation in the description, if the description has one with this method and path. */
  readonly entry: OperationEntry | undefined;
  readonly parseAs: "json" | "text" | "blob" | "arrayBuffer" | "stream";
  /**
   * Whether the call goes through `http`. Calls through `http` do not reject on a non-2xx response, and their data is
   * not validated.
   */
  readonly viaHttp: boolean;
  /** The names of the path parameters, in order. */
  readonly pathNames: readonly string[];
  /** The names of the query parameters whose array items are separated with commas. */
  readonly listNames: readonly string[];
  /** The client's query parameters that the operation accepts. */
  readonly defaultQuery: Readonly<Record<string, unknown>>;
}

/** The unchecked arguments of a call, from a method or from `http`. */
export interface CallInput {
  readonly params: { readonly path?: unknown; readonly query?: unknown; readonly header?: unknown };
  readonly options: Omit<CallOptions, "query" | "fetchOptions"> & { readonly body?: unknown };
  readonly fetchOptions: unknown;
}

/** A call with checked arguments, ready to be sent. */
export type PreparedCall = Readonly<ReturnType<typeof prepareCall>>;

/** Returns the names of an operation's query parameters. `*` stands for any name. */
export function queryNamesOf(entry: OperationEntry | undefined): readonly string[] {
  return (entry?.query ?? "*").match(/[^ ,]+/g) ?? [];
}

/** Creates the target of calls. The target of a method is created only once. */
export function createTarget(
  settings: Settings,
  target: Omit<Target, "pathNames" | "listNames" | "defaultQuery">,
): Target {
  const { path, entry } = target;
  const names = queryNamesOf(entry);
  const accepted = Object.entries(settings.query).filter(
    ([name]) => names.includes("*") || names.includes(name),
  );
  return {
    ...target,
    pathNames: parametersIn(path),
    listNames: entry?.query?.match(/[^ ]+(?=,)/g) ?? [],
    defaultQuery: Object.fromEntries(accepted),
  };
}

/**
 * Checks the arguments of a call, and merges them with the client's options.
 * @throws {TypeError} if an argument is invalid; the message contains neither header values nor the body
 */
export function prepareCall(settings: Settings, target: Target, input: CallInput) {
  const { operation, method, entry, listNames } = target;
  const { params, fetchOptions } = input;
  const { headers, body, signal } = input.options;
  const { timeout = settings.timeout, retries = settings.retries } = input.options;
  checkValues(operation, input.options);
  const path = params.path ?? {};
  const url = settings.baseUrl + fillPath(operation, target.path, path);
  const ownQuery = params.query ?? {};
  const query = isPlainObject(ownQuery) ? { ...target.defaultQuery, ...ownQuery } : ownQuery;
  const search = serializeQuery(operation, query, listNames);
  const check = (each: unknown) =>
    each === undefined ? undefined : checkRequestHeaders(operation, each);
  const header = check(params.header);
  let ownHeaders = check(headers);
  const ownType = header?.get("content-type") ?? ownHeaders?.get("content-type");
  const type = ownType ?? settings.headers["content-type"];
  const text = serializeBody(operation, body, type);
  const mediaType = entry?.mediaType;
  if (text !== undefined && type === undefined && mediaType !== undefined)
    (ownHeaders ??= new Headers()).set("content-type", mediaType);
  if (text !== undefined && ["GET", "HEAD"].includes(method)) {
    throw invalidArgument(operation, `a ${method} request cannot have a body`);
  }
  return {
    target,
    settings,
    timeout: timeout || Infinity,
    retries,
    signal: signal ?? undefined,
    // An object spread would take longer than the rest of this function.
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
    /** The tokens that the `token` function provided for this call. */
    tokens: [] as string[],
    /** The requests of this call, which can contain secrets. */
    requests: [{ url: `?${search}`, body: text }] as SentRequest[],
  };
}

/** Serializes the body as JSON or as a form, like openapi-fetch. */
function serializeBody(
  operation: string,
  body: unknown,
  contentType: string | undefined,
): string | FormData | undefined {
  if (body === undefined) return undefined;
  const serialize: (body: unknown, headers: object) => string | FormData = defaultBodySerializer;
  // Serialization fails if the body contains a cycle or a bigint.
  const text = resultOf(() => serialize(body, { "content-type": contentType }));
  // JSON.stringify turns a Blob, stream, Map, or URLSearchParams into "{}", and a typed array into an object with
  // numeric keys.
  const isLost = text === "{}" && !isPlainObject(body);
  if (text !== undefined && !isLost && !ArrayBuffer.isView(body)) return text;
  throw unexpectedValue(operation, "body", "a value that JSON can represent", body);
}
