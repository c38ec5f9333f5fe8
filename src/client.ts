import createClient, { defaultBodySerializer, type Client, type Middleware } from "openapi-fetch";
import { withDeadline, withRetries, type WillRetry } from "./deadline.js";
import { CatalogueError, wrong } from "./errors.js";
import {
  apiError,
  createRequest,
  parseJson,
  readBytes,
  readText,
  send,
  type Call,
} from "./fetch.js";
import { operations, type CatalogueMethods } from "./generated/operations.js";
import type { paths } from "./generated/schema.js";
import { checkBaseUrl, checkHeaders, checkNames, checkOptions } from "./options.js";
import {
  checkNumber,
  checkTimeout,
  MOST_RETRIES,
  type CatalogueOptions,
  type Settings,
} from "./options.js";
import type { CallOptions } from "./method.js";
import { fillPath, parametersIn, queryString } from "./path.js";
import { isPlainObject, kindOf } from "./text.js";

/** The openapi-fetch client of the description. */
export type Http = Client<paths, "application/json">;

/** Every operation of the description as a method, by group. */
export interface Catalogue extends CatalogueMethods {
  /**
   * The openapi-fetch client beneath the methods, with the same token, retries and deadline: `{ data, error }` pairs,
   * hooks (`http.use`), and endpoints that the description lacks. A call takes `timeout` and `retries` too.
   */
  readonly http: Http;
}

/** A row of the generated table; the statuses are those of 2xx responses without content. */
type Row = readonly [
  method: string,
  path: string,
  bodiless?: readonly number[],
  body?: "required" | "optional" | "none",
];

/** The options of one call: those of openapi-fetch and of fetch, `timeout` and `retries`. */
interface Init {
  params?: { path?: unknown; query?: unknown; header?: unknown };
  signal?: AbortSignal | null | undefined;
  fetch?: Call["fetch"];
  middleware?: Middleware[] | undefined;
  [option: string]: unknown;
}

/** The result of openapi-fetch. */
interface Result {
  response: Response;
  error?: unknown;
}

/** State shared by all calls of one client. */
interface Shared {
  readonly settings: Settings;
  /** openapi-fetch, without the types of the description. */
  readonly client: { request(method: string, path: string, init: Init): Promise<Result> };
  isHooked: boolean;
}

/** The call of each `params` object, which openapi-fetch passes on to hooks. */
const callsByParams = new WeakMap<object, Call>();

/** The first hook, so the last to see a response: openapi-fetch reads the body of an error that a hook has wrapped. */
const readErrors: Middleware = {
  onResponse({ response, params }) {
    if (!response.ok && response.body)
      response.text = () => readText(response, callsByParams.get(params)!);
  },
};

/**
 * Creates a client of one deployment. It sends nothing until a method is called.
 * @throws {TypeError} an option is invalid; the message names it
 * @example
 * const catalogue = createCatalogue({ baseUrl: "https://catalogue.example", token });
 * const { results } = await catalogue.movies.watchProviders(603);
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const settings = checkOptions(options);
  const client: Http = createClient({ baseUrl: settings.baseUrl, headers: settings.headers });
  const shared: Shared = { settings, client: client as never, isHooked: false };
  const catalogue: Record<string, Record<string, unknown>> = {};
  for (const [operation, row] of Object.entries<Row>(operations)) {
    const [group, name] = operation.split(".") as [string, string];
    (catalogue[group] ??= {})[name] = createMethod(shared, operation, row);
  }
  return Object.assign(catalogue, { http: createHttp(shared, client) }) as unknown as Catalogue;
}

function createMethod(shared: Shared, operation: string, [verb, path, bodiless = [], body]: Row) {
  const method = verb.toUpperCase();
  const bodyUse = body ?? (/^(GET|HEAD|DELETE)$/.test(method) ? "none" : "required");
  const names = parametersIn(path);
  const { validate } = shared.settings;

  const read = async ({ response, error }: Result, call: Call) => {
    if (!response.ok) throw apiError(call, response, error);
    if (bodiless.includes(response.status)) return { data: undefined, response };
    const data = parseJson(call, response, await readText(response, call));
    await validate?.(operation, data, response);
    return { data, response };
  };
  const withResponse = async (...parameters: unknown[]) =>
    run(shared, operation, method, path, initOf(operation, bodyUse, names, parameters), read);
  // The key names the function, for `inspect` and stacks.
  const { [operation]: call } = {
    [operation]: async (...parameters: unknown[]) => (await withResponse(...parameters)).data,
  };
  return Object.assign(call!, { withResponse });
}

const CALL_OPTIONS = ["query", "headers", "signal", "timeout", "retries"];

/** Path parameters: none, one as an argument, or several as an object; then the options. */
function initOf(operation: string, bodyUse: string, names: string[], parameters: unknown[]): Init {
  const [first, second] = parameters;
  if (names.length > 1 && kindOf(first) !== "an object") {
    const expected = `an object { ${names.join(", ")} }`;
    throw wrong(operation, `path parameters must be ${expected}, not ${kindOf(first)}`);
  }
  const path = names.length === 1 ? { [names[0]!]: first } : names.length > 1 ? first : {};
  const options = (names.length === 0 ? first : second) ?? {};
  checkNames(operation, options, bodyUse === "none" ? CALL_OPTIONS : [...CALL_OPTIONS, "body"]);
  const { query, headers, body, signal, timeout, retries } = options as CallOptions & Init;
  if (bodyUse === "required" && body === undefined) {
    throw wrong(operation, "the option body is required");
  }
  return { params: { path, query }, headers, body, signal, timeout, retries };
}

/** The openapi-fetch client with our `run` around each call. */
function createHttp(shared: Shared, client: Http): Http {
  const request = async (verb: string, path: string, given?: Init | null) => {
    const init = given ?? {};
    const method = `${verb}`.toUpperCase();
    // A query in the path may hold a secret.
    const operation = `${method} ${`${path}`.split("?")[0]}`;
    return run(shared, operation, method, `${path}`, init, async ({ response, error }, call) => {
      if (!response.ok) return { error, response };
      const { parseAs = "json" } = init;
      if (parseAs === "stream") return { data: response.body, response };
      const bytes = await readBytes(response, call);
      if (bytes.length === 0) return { data: undefined, response };
      const copy = new Response(bytes, { headers: response.headers });
      if (parseAs !== "json") return { data: await copy[parseAs as "text"](), response };
      return { data: parseJson(call, response, await copy.text()), response };
    });
  };
  const use = (...middleware: Parameters<Http["use"]>) => {
    for (const each of middleware) {
      client.use(...(shared.isHooked ? [] : [readErrors]), each);
      shared.isHooked = true;
    }
  };
  const verbs = Object.keys(client).filter((name) => name === name.toUpperCase());
  const calls = Object.fromEntries(verbs.map((verb) => [verb, request.bind(undefined, verb)]));
  return { ...client, ...calls, request, use } as unknown as Http;
}

/** The options of a call that are not for fetch. */
const OWN_OPTIONS = new Set(
  (
    "params headers body signal timeout retries fetch middleware baseUrl parseAs " +
    "bodySerializer pathSerializer querySerializer"
  ).split(" "),
);

/** The body as openapi-fetch sends it, unless it has no JSON form: a function, a cycle or a bigint. */
function serializeBody(operation: string, ...parameters: [body: unknown]): string {
  let text: string | undefined;
  try {
    text = defaultBodySerializer(...parameters);
  } catch {
    // The error of JSON.stringify names neither the operation nor the option.
  }
  if (text !== undefined) return text;
  throw wrong(operation, "body cannot be serialized as JSON");
}

/** The one path of every call: deadline, retries, openapi-fetch, and our fetch beneath it. */
async function run<Value>(
  shared: Shared,
  operation: string,
  method: string,
  path: string,
  init: Init,
  finish: (result: Result, call: Call) => Promise<Value>,
): Promise<Value> {
  const { settings, client } = shared;
  const {
    params = {},
    headers,
    body,
    signal,
    timeout = settings.timeout,
    retries = settings.retries,
    fetch,
    middleware,
    baseUrl,
    bodySerializer = serializeBody.bind(undefined, operation),
    pathSerializer = fillPath.bind(undefined, operation),
    querySerializer = queryString.bind(undefined, operation),
  } = init;
  // A rest in the pattern above costs more.
  const options: Record<string, unknown> = {};
  for (const name in init) {
    if (!OWN_OPTIONS.has(name) && init[name] !== undefined) options[name] = init[name];
  }
  const given = params.query ?? {};
  // openapi-fetch, Request and fetch would quote a header or a URL in their errors.
  if (!path.startsWith("/")) throw wrong(method, "the path must be a string that starts with /");
  if (baseUrl !== undefined) checkBaseUrl(operation, baseUrl, true);
  for (const each of [headers, params.header])
    if (each !== undefined) checkHeaders(operation, each);
  if (body !== undefined && /^(GET|HEAD)$/.test(method)) {
    throw wrong(operation, `a ${method} request cannot have a body`);
  }
  const limit = checkTimeout(operation, timeout);
  const most = checkNumber(operation, "retries", retries, MOST_RETRIES);
  const query = isPlainObject(given) ? { ...settings.query, ...given } : given;
  // Only a Request checks other options of fetch.
  const hasOptions = Object.keys(options).length > 0;
  try {
    return await withDeadline(operation, limit, signal, (deadline) => {
      const call: Call = { operation, settings, deadline, fetch, options, sent: [] };
      const attempt = (willRetry: WillRetry) => {
        const isHooked = shared.isHooked || middleware !== undefined;
        const all = { path: params.path ?? {}, header: params.header, query };
        if (isHooked) callsByParams.set(all, call);
        const passed: Init = {
          params: all,
          headers,
          body,
          middleware: middleware && [readErrors, ...middleware],
          baseUrl,
          pathSerializer,
          querySerializer,
          bodySerializer,
          parseAs: "stream",
          signal: deadline.signal,
          Request: isHooked || hasOptions ? Request : createRequest,
          fetch: (request) => send(request, call, willRetry),
        };
        return client.request(method, path, hasOptions ? { ...options, ...passed } : passed);
      };
      return withRetries(method, most, deadline, attempt, (result) => finish(result, call));
    });
  } catch (error) {
    // Errors of ours were created in a timer, or too deep inside to show the caller.
    const isOurs = error instanceof CatalogueError || error instanceof TypeError;
    if (isOurs && error !== signal?.reason && error.message.startsWith(`${operation}: `)) {
      Error.captureStackTrace?.(error, run);
    }
    throw error;
  }
}
