import createClient, { defaultBodySerializer, type Client, type Middleware } from "openapi-fetch";
import { withDeadline, withRetries, type WillRetry } from "./deadline.js";
import { CatalogueError, TimeoutError, wrong } from "./errors.js";
import {
  apiError,
  callersOwn,
  parseJson,
  PlainRequest,
  readText,
  send,
  type Call,
} from "./fetch.js";
import { operations, type CatalogueMethods } from "./generated/operations.js";
import type { paths } from "./generated/schema.js";
import { checkBaseUrl, checkHeaders, checkNames, checkNumber, checkOptions } from "./options.js";
import { checkTimeout, type CatalogueOptions, type Settings } from "./options.js";
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

/** What a call takes: the options of openapi-fetch and of fetch, `timeout` and `retries`. */
interface Init {
  params?: { path?: unknown; query?: unknown; header?: unknown };
  signal?: AbortSignal | null | undefined;
  fetch?: (request: Request) => Promise<Response>;
  [option: string]: unknown;
}

/** What openapi-fetch resolves to. */
interface Result {
  response: Response;
  data?: unknown;
  error?: unknown;
}

/** What all calls of one client share. */
interface Shared {
  readonly settings: Settings;
  readonly hooks: Middleware[];
  /** openapi-fetch, without the types of the description. */
  readonly request: (method: string, path: string, init: Init) => Promise<Result>;
}

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
  const shared = { settings, hooks: [], request: client.request as unknown as Shared["request"] };
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [operation, row] of Object.entries<Row>(operations)) {
    const [group, name] = operation.split(".") as [string, string];
    (groups[group] ??= {})[name] = createMethod(shared, operation, row);
  }
  return Object.assign(groups, { http: createHttp(shared, client) }) as unknown as Catalogue;
}

function createMethod(shared: Shared, operation: string, [verb, path, bodiless = [], body]: Row) {
  const method = verb.toUpperCase();
  const bodyUse = body ?? (/^(GET|HEAD|DELETE)$/.test(method) ? "none" : "required");
  const names = parametersIn(path);
  const { validate } = shared.settings;

  const read = async ({ response, error }: Result, call: Call) => {
    if (!response.ok) throw apiError(call, response, error);
    if (bodiless.includes(response.status)) return undefined;
    const data = parseJson(call, response, await readText(response, call));
    if (validate) await callersOwn(call.deadline, () => validate(operation, data, response));
    return data;
  };
  const create = (name: string, resolve: (data: unknown, response: Response) => unknown) => {
    const finish = async (result: Result, call: Call) =>
      resolve(await read(result, call), result.response);
    const call = (...parameters: unknown[]) =>
      run(
        shared,
        operation,
        method,
        path,
        () => initOf(operation, bodyUse, names, parameters),
        finish,
      );
    // For `inspect` and stacks.
    return Object.defineProperty(call, "name", { value: name });
  };
  const withResponse = (data: unknown, response: Response) => ({ data, response });
  return Object.assign(
    create(operation, (data) => data),
    { withResponse: create(`${operation}.withResponse`, withResponse) },
  );
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
  const { query, headers, body, signal, timeout, retries } = options as Init & { query?: unknown };
  if (bodyUse === "required" && body === undefined)
    throw wrong(operation, "the option body is required");
  return { params: { path, query }, headers, body, signal, timeout, retries };
}

/** The openapi-fetch client with our `run` around each call. */
function createHttp(shared: Shared, client: Http): Http {
  const { hooks } = shared;
  const request = (verb: string, path: string, given?: Init | null) => {
    const init = given ?? {};
    const method = `${verb}`.toUpperCase();
    // A query in the path may hold a secret.
    const operation = `${method} ${`${path}`.split("?")[0]}`;
    const pair = async ({ response, data, error }: Result, call: Call) => {
      if (!response.ok) return { error, response };
      if (!PARSED.has(init.parseAs)) return { data, response };
      const text = await readText(response, call);
      return { data: text === "" ? undefined : parseJson(call, response, text), response };
    };
    const rest = Object.entries(init).filter(([name]) => !NOT_FOR_FETCH.has(name));
    return run(shared, operation, method, `${path}`, () => init, pair, Object.fromEntries(rest));
  };
  const use = (...middleware: Middleware[]) => {
    for (const each of middleware) {
      client.use(each);
      hooks.push(each);
    }
  };
  const eject = (...middleware: Middleware[]) => {
    client.eject(...middleware);
    for (const each of middleware) {
      if (hooks.includes(each)) hooks.splice(hooks.indexOf(each), 1);
    }
  };
  const verbs = Object.keys(client).filter((name) => name === name.toUpperCase());
  const calls = Object.fromEntries(verbs.map((verb) => [verb, request.bind(undefined, verb)]));
  return { ...calls, request, use, eject } as unknown as Http;
}

/** Values of `parseAs` whose bodies are parsed here, where a mistake in a body can be told from one in a hook. */
const PARSED = new Set<unknown>([undefined, "json"]);

/** Options of a call through `http` that are not for fetch. */
const NOT_FOR_FETCH = new Set(
  (
    "params headers body signal timeout retries fetch middleware baseUrl parseAs " +
    "pathSerializer querySerializer bodySerializer"
  ).split(" "),
);

/** The one path of every call: deadline, retries, openapi-fetch, and our fetch beneath it. */
async function run<Value>(
  { settings, hooks, request }: Shared,
  operation: string,
  method: string,
  path: string,
  getInit: () => Init,
  finish: (result: Result, call: Call) => Promise<Value>,
  options?: RequestInit,
): Promise<Value> {
  let call: Call | undefined;
  let signal: Init["signal"];
  try {
    const init = getInit();
    signal = init.signal;
    checkRequest(operation, method, path, init);
    const { params, headers, body, fetch, timeout, retries, middleware, baseUrl } = init;
    const { parseAs, pathSerializer, querySerializer, bodySerializer } = init;
    const query = queryOf(settings, params?.query);
    const limit = checkTimeout(operation, timeout, settings.timeout);
    const most = checkNumber(operation, "retries", retries, settings.retries, 10);
    return await withDeadline(operation, limit, signal, (deadline) => {
      const current: Call = {
        operation,
        settings,
        deadline,
        fetch: fetch && ((url, given) => fetch((deadline.request = new Request(url, given)))),
        init: options,
        isStreamed: PARSED.has(parseAs) || parseAs === "stream",
        sent: [],
      };
      call = current;
      const attempt = (willRetry: WillRetry) => {
        const given: Init = {
          headers,
          body,
          baseUrl,
          middleware,
          params: { path: params?.path ?? {}, header: params?.header, query },
          parseAs: PARSED.has(parseAs) ? "stream" : parseAs,
          pathSerializer: pathSerializer ?? fillPath.bind(undefined, operation),
          querySerializer: querySerializer ?? queryString.bind(undefined, operation),
          bodySerializer: bodySerializer ?? jsonBody.bind(undefined, operation),
          signal: deadline.signal,
          Request: hooks.length > 0 || middleware ? Request : PlainRequest,
          fetch: (each) => send(each, current, willRetry),
        };
        // Without the spread, the engine knows the shape of the object, which saves a tenth of a call.
        return request(method, path, options ? { ...options, ...given } : given);
      };
      return withRetries(method, most, deadline, attempt, (result) => finish(result, current));
    });
  } catch (error) {
    const isCallers = signal?.aborted || (call && error === call.deadline.reason);
    if (!isCallers || error instanceof TimeoutError) addStack(error, operation);
    throw error;
  }
}

/** Refuses what openapi-fetch, Request or fetch would refuse with an error that quotes a header or a URL. */
function checkRequest(operation: string, method: string, path: string, init: Init): void {
  const { body, baseUrl, headers, params } = init;
  if (!path.startsWith("/")) throw wrong(method, "the path must be a string that starts with /");
  if (baseUrl !== undefined) checkBaseUrl(operation, baseUrl, true);
  if (headers !== undefined) checkHeaders(operation, headers);
  if (params?.header !== undefined) checkHeaders(operation, params.header);
  if (body !== undefined && (method === "GET" || method === "HEAD")) {
    throw wrong(operation, `a ${method} request cannot have a body`);
  }
}

function queryOf({ query: defaults }: Settings, query: unknown): unknown {
  return defaults && isPlainObject(query ?? {}) ? { ...defaults, ...(query as object) } : query;
}

function jsonBody(operation: string, body: unknown, headers: unknown): unknown {
  try {
    const serialize = defaultBodySerializer as (body: unknown, headers: unknown) => unknown;
    const json = serialize(body, headers);
    if (json !== undefined) return json;
  } catch {
    // A cycle, or a bigint.
  }
  throw wrong(operation, "body cannot be serialized as JSON");
}

/** Gives an error of ours the stack of the caller: it was created in a timer, or too deep inside. */
function addStack(error: unknown, operation: string): void {
  if (!(error instanceof Error && Object.isExtensible(error))) return;
  const isOurs =
    error instanceof CatalogueError
      ? error.operation === operation
      : error instanceof TypeError && error.message.startsWith(`${operation}: `);
  if (isOurs) Error.captureStackTrace?.(error, run);
}
