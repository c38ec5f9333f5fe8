import { defaultBodySerializer } from "openapi-fetch";
import { invalidArgument, unexpectedValue } from "./errors.js";
import type { CallOptions } from "../types/method.js";
import type { OperationEntry } from "../types/operation.js";
import {
  checkFetchOptions,
  checkNames,
  checkRequestHeaders,
  checkValues,
  type Settings,
} from "./options.js";
import { createSecrets } from "./secrets.js";
import { isPlainObject, resultOf } from "./text.js";
import { fillPath, parametersIn, serializeQuery } from "./url.js";

/** The unchecked arguments of a call, from a method or from `http`. */
export interface CallInput {
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
  readonly params: { readonly path?: unknown; readonly query?: unknown; readonly header?: unknown };
  readonly options: Omit<CallOptions, "query" | "fetchOptions"> & { readonly body?: unknown };
  readonly fetchOptions: unknown;
}

/** A call with checked arguments, ready to be sent. */
export type PreparedCall = Readonly<ReturnType<typeof prepareCall>>;

/**
 * Checks the arguments of a call, and merges them with the client's options.
 * @throws {TypeError} if an argument is invalid; the message contains neither header values nor the body
 */
export function prepareCall(settings: Settings, input: CallInput) {
  const { operation, method, entry, params } = input;
  const { headers, body, signal } = input.options;
  const { timeout = settings.timeout, retries = settings.retries } = input.options;
  checkValues(operation, input.options);
  const path = params.path ?? {};
  checkNames(operation, path, parametersIn(input.path), "path parameters");
  const url = settings.baseUrl + fillPath(operation, input.path, path);
  const ownQuery = params.query ?? {};
  const names = (entry?.[2] ?? "*").split(" ");
  const query = isPlainObject(ownQuery)
    ? { ...defaultQuery(settings.query, names), ...ownQuery }
    : ownQuery;
  const search = serializeQuery(operation, query, names);
  const checked = [params.header, headers].map((each) =>
    each === undefined ? undefined : checkRequestHeaders(operation, each),
  );
  const [header] = checked;
  let [, ownHeaders] = checked;
  const ownType = header?.get("content-type") ?? ownHeaders?.get("content-type");
  const type = ownType ?? settings.headers["content-type"];
  const text = serializeBody(operation, body, type);
  const mediaType = entry?.[6];
  if (text !== undefined && type === undefined && mediaType !== undefined)
    (ownHeaders ??= new Headers()).set("content-type", mediaType);
  if (text !== undefined && ["GET", "HEAD"].includes(method)) {
    throw invalidArgument(operation, `a ${method} request cannot have a body`);
  }
  const secrets = createSecrets(Infinity, settings.secrets);
  secrets.note({ url: `?${search}`, body: text });
  // Merges `fetchOptions` with `Object.assign`, because an object spread takes longer than the rest of this function.
  return {
    input,
    settings,
    secrets,
    timeout: timeout || Infinity,
    retries,
    signal: signal ?? undefined,
    fetchOptions: Object.assign(
      {},
      settings.fetchOptions,
      checkFetchOptions(operation, input.fetchOptions),
    ),
    /** The parameters before serialization, for middleware. */
    params: { path, query, header },
    headers: ownHeaders,
    /** The URL without its query. */
    url,
    /** The serialized query, without the leading `?`. */
    search,
    body: text,
  };
}

/** Returns the client's query parameters that an operation accepts. */
function defaultQuery(query: Settings["query"], names: readonly string[]) {
  if (names.includes("*")) return query;
  const isAccepted = (name: string) => names.includes(name) || names.includes(`${name},`);
  return Object.fromEntries(Object.entries(query).filter(([name]) => isAccepted(name)));
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
