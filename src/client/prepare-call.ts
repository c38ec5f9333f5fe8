import { defaultBodySerializer } from "openapi-fetch";
import { checkFetchOptions, checkNames, checkRequestHeaders } from "./checks.js";
import { invalidArgument, unexpectedValue } from "./errors.js";
import type { NextOptions } from "../types/interceptor.js";
import type { CallOptions } from "../types/method.js";
import type { OperationEntry } from "../types/operation.js";
import type { Settings } from "./options.js";
import type { Secrets } from "./secrets.js";
import { isPlainObject, resultOf } from "./text.js";
import { fillPath, parametersIn, serializeQuery } from "./url.js";

/** The destination of a call: an operation in the description, or a path that an app passes to `http`. */
export interface Target {
  /** The operationId, or the method and path for a call through `http`. */
  readonly operation: string;
  /** The HTTP method in uppercase. */
  readonly method: string;
  readonly path: string;
  /** The operation in the description, if the description has one with this method and path. */
  readonly entry: OperationEntry | undefined;
  readonly parseAs: "json" | "text" | "blob" | "arrayBuffer" | "stream";
  /**
   * Whether the call goes through `http`. Calls through `http` do not reject on a non-2xx response, and their data is
   * not validated.
   */
  readonly viaHttp: boolean;
  readonly needsResponse: boolean;
  /** The names of the path parameters, in order. */
  readonly pathNames: readonly string[];
  /** The names of the query parameters. `*` stands for any name. */
  readonly queryNames: readonly string[];
  /** The names of the query parameters whose array items are separated with commas. */
  readonly listNames: readonly string[];
  readonly requiredNames: readonly string[];
  /** The client's query parameters that the operation accepts. */
  readonly defaultQuery: Readonly<Record<string, unknown>>;
}

/** The unchecked arguments of a call, from a method or from `http`. */
export interface CallInput {
  readonly params: { readonly path?: unknown; readonly query?: unknown; readonly header?: unknown };
  readonly options: Omit<CallOptions, "query" | "fetchOptions"> & { readonly body?: unknown };
  readonly fetchOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** A call with checked arguments, ready to be sent. */
export interface PreparedCall extends Pick<NextOptions, "signal" | "onAttempt"> {
  readonly settings: Settings;
  readonly target: Target;
  readonly timeout: number;
  readonly retries: number;
  readonly fetchOptions: Readonly<Record<string, unknown>>;
  /** The parameters before serialization, for middleware. */
  readonly params: {
    readonly path: Readonly<Record<string, unknown>>;
    readonly query: Readonly<Record<string, unknown>>;
    readonly header: Readonly<Record<string, string>> | undefined;
  };
  readonly headers: Readonly<Record<string, string>>;
  /** The URL without its query. */
  readonly url: string;
  /** The serialized query, without the leading `?`. */
  readonly search: string;
  readonly body: string | FormData | undefined;
  readonly secrets: Secrets;
}

/** Returns the names of an operation's query parameters. `*` stands for any name. */
export function queryNamesOf(entry: OperationEntry | undefined): readonly string[] {
  return (entry?.query ?? "*").match(/[^ ,!]+/g) ?? [];
}

/** Creates the target of calls. The target of a method is created only once. */
export function createTarget(
  settings: Settings,
  target: Omit<Target, "pathNames" | "queryNames" | "listNames" | "requiredNames" | "defaultQuery">,
): Target {
  const { path, entry } = target;
  const queryNames = queryNamesOf(entry);
  const accepted = Object.entries(settings.query).filter(
    ([name]) => queryNames.includes("*") || (queryNames.includes(name) && name !== entry?.filter),
  );
  return {
    ...target,
    pathNames: parametersIn(path),
    queryNames,
    listNames: entry?.query?.match(/[^ ]+(?=,)/g) ?? [],
    requiredNames: entry?.query?.match(/[^ ,!]+(?=,?!)/g) ?? [],
    defaultQuery: Object.fromEntries(accepted),
  };
}

/**
 * Checks the arguments of a call, and merges them with the client's options.
 * @throws {TypeError} if an argument is invalid; the message contains neither header values nor the body
 */
export function prepareCall(settings: Settings, target: Target, input: CallInput): PreparedCall {
  const { operation, method, entry, pathNames, listNames } = target;
  const { params, options } = input;
  const { timeout = settings.timeout, retries = settings.retries, signal } = options;
  // Reads each value only once, because getters could change the path between two steps.
  const given = (params.path ?? {}) as Record<string, unknown>;
  const path = Object.fromEntries(pathNames.map((name) => [name, given[name]]));
  const url = settings.baseUrl + fillPath(operation, target.path, path);
  const query = mergeQuery(target, params.query ?? {});
  const search = serializeQuery(operation, query, listNames);
  const header = checkRequestHeaders(operation, params.header);
  const headers = checkRequestHeaders(operation, options.headers);
  const all: Record<string, string> = { ...settings.headers, ...headers, ...header };
  const type = all["content-type"];
  const body = serializeBody(operation, options.body, type);
  if (body !== undefined && type === undefined && entry?.mediaType !== undefined)
    headers["content-type"] = entry.mediaType;
  if (body !== undefined && ["GET", "HEAD"].includes(method)) {
    throw invalidArgument(operation, `a ${method} request cannot have a body`);
  }
  return {
    settings,
    target,
    timeout: timeout || Infinity,
    retries,
    signal: signal ?? undefined,
    fetchOptions: { ...settings.fetchOptions, ...checkFetchOptions(operation, input.fetchOptions) },
    params: { path, query, header: params.header ? header : undefined },
    headers,
    url,
    search,
    body,
    secrets: {
      client: settings.credentials,
      used: [],
      requests: [{ url: search ? `${url}?${search}` : url, body }],
    },
  };
}

/** Adds the client's query parameters to those of a call. */
function mergeQuery(target: Target, own: unknown): Record<string, unknown> {
  const { operation, entry, viaHttp, queryNames, requiredNames, defaultQuery } = target;
  if (!isPlainObject(own)) throw unexpectedValue(operation, "query", "a plain object", own);
  if (!viaHttp && !queryNames.includes("*")) {
    const others = "; `catalogue.http` sends any other parameter";
    checkNames(operation, own, queryNames, "query parameters", others);
  }
  const query: Record<string, unknown> = { ...defaultQuery, ...own };
  const missing = requiredNames.find((name) => (query[name] ?? undefined) === undefined);
  if (missing && !viaHttp)
    throw invalidArgument(operation, `query parameter ${missing} is missing`);
  const { language } = defaultQuery;
  if (!entry?.filteredParts || !language || "language" in own) return query;
  // The client's language translates the response. Without these parameters, it would also filter the appended parts.
  const texts = Object.values(query)
    .flat()
    .filter((each) => typeof each === "string");
  const values = texts.join().split(",");
  for (const [part, name] of Object.entries(entry.filteredParts)) {
    if (values.includes(part) && !(name in query))
      query[name] = [String(language).split("-")[0], null];
  }
  return query;
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
