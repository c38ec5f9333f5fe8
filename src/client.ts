import createClient, { defaultBodySerializer, type Client } from "openapi-fetch";
import { withDeadline, withRetries } from "./deadline.js";
import { startStack, wrong, type CatalogueError } from "./errors.js";
import {
  apiError,
  createPlain,
  parseJson,
  readText,
  requestOf,
  send,
  type Call,
  type PlainRequest,
} from "./fetch.js";
import { operations, type CatalogueMethods } from "./generated/operations.js";
import type { paths } from "./generated/schema.js";
import type { BodyOptions } from "./method.js";
import {
  checkBaseUrl,
  checkHeaders,
  checkNames,
  checkNumber,
  checkOptions,
  checkTimeout,
  MOST_RETRIES,
  type CatalogueOptions,
  type Settings,
} from "./options.js";
import { fillPath, parametersIn, queryString } from "./path.js";
import { isPlainObject, kindOf } from "./text.js";

/** The openapi-fetch client of the description. */
export type Http = Client<paths, "application/json">;

/** Every operation of the description as a method, by group. */
export interface Catalogue extends CatalogueMethods {
  /**
   * The openapi-fetch client beneath the methods, with the same token, retries and deadline: `{ data, error }` pairs,
   * hooks (`http.use`), and undescribed endpoints. Calls also accept `timeout` and `retries`. With `parseAs: "stream"`,
   * the timeout and the signal end with the headers. If a hook returns a new `Request`, the client uses its URL, method,
   * headers, body, `cache` and `credentials`.
   */
  readonly http: Http;
}

/** A row of the generated table; `bodiless` lists the 2xx statuses without content. */
type Row = readonly [
  method: string,
  path: string,
  bodiless?: readonly number[],
  body?: "required" | "optional" | "none",
];

/** The options of one call. `query` is an option of methods only; `http` has it in `params`. */
interface Init extends Partial<BodyOptions<unknown>> {
  params?: { path?: unknown; query?: unknown; header?: unknown } | undefined;
}

/** Further options of a call through `http`: those of openapi-fetch and of fetch. */
interface HttpOptions extends RequestInit {
  fetch?: Call["fetch"];
  baseUrl?: string;
  middleware?: unknown;
  parseAs?: string;
}

/** The result of openapi-fetch. */
interface Result {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** One call, before its options are checked. */
interface Plan {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly init: Init;
  /** Set for a call through `http`. */
  readonly options?: HttpOptions;
  /** Set for a method: makes its result from a 2xx response. */
  readonly finish?: (result: Result, call: Call) => Promise<Result>;
}

/** State shared by all calls of one client. */
interface Shared {
  readonly settings: Settings;
  /** openapi-fetch, without the types of the description. */
  readonly client: { request(method: string, path: string, init: object): Promise<Result> };
  isHooked: boolean;
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
  const { baseUrl, headers } = settings;
  const client: Http = createClient({ baseUrl, headers });
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
  const finish = async ({ response }: Result, call: Call) => {
    const text = await readText(response, call);
    if (bodiless.includes(response.status)) return { data: undefined, response };
    const data = parseJson(call, response, text);
    await shared.settings.validate?.(operation, data, response);
    return { data, response };
  };
  const withResponse = async (...parameters: unknown[]) => {
    const init = readArguments(operation, bodyUse, names, parameters);
    return run(shared, { operation, method, path, init, finish });
  };
  // The key names the function, for `inspect` and stacks.
  const { [operation]: call } = {
    [operation]: async (...parameters: unknown[]) => (await withResponse(...parameters)).data,
  };
  return Object.assign(call!, { withResponse });
}

const CALL_OPTIONS = ["query", "headers", "signal", "timeout", "retries"];

/** Path parameters: none, one as an argument, or several as an object; then the options. */
function readArguments(
  operation: string,
  bodyUse: string,
  names: string[],
  parameters: unknown[],
): Init {
  const [first, second] = parameters;
  if (names.length > 1 && kindOf(first) !== "an object") {
    const expected = `an object { ${names.join(", ")} }`;
    throw wrong(operation, `path parameters must be ${expected}, not ${kindOf(first)}`);
  }
  const path = names.length === 1 ? { [names[0]!]: first } : names.length > 1 ? first : {};
  const options = (names.length === 0 ? first : second) ?? {};
  checkNames(operation, options, bodyUse === "none" ? CALL_OPTIONS : [...CALL_OPTIONS, "body"]);
  const { query, headers, body, signal, timeout, retries } = options as Init;
  if (bodyUse === "required" && (body ?? undefined) === undefined) {
    throw wrong(operation, "the option body is required");
  }
  return { params: { path, query }, headers, body, signal, timeout, retries };
}

/** The openapi-fetch client with our `run` around each call. */
function createHttp(shared: Shared, client: Http): Http {
  const request = async (verb: string, path: string, given?: Init & HttpOptions) => {
    const { params, headers, body, signal, timeout, retries, ...all } = given ?? {};
    const init = { params, headers, body, signal, timeout, retries };
    // An undefined option must not replace a default.
    const isGiven = ([, value]: [string, unknown]) => value !== undefined;
    const options = Object.fromEntries(Object.entries(all).filter(isGiven));
    const method = `${verb}`.toUpperCase();
    // A query in the path may hold a secret.
    const operation = `${method} ${`${path}`.split(/[?#]/)[0]}`;
    if ("query" in all) throw wrong(operation, 'unknown option "query"; use params.query');
    return run(shared, { operation, method, path: `${path}`, init, options });
  };
  const use = (...middleware: Parameters<Http["use"]>) => {
    // One by one: those before an invalid one are in use.
    for (const each of middleware) {
      client.use(each);
      shared.isHooked = true;
    }
  };
  const verbs = Object.keys(client).filter((name) => name === name.toUpperCase());
  const calls = Object.fromEntries(verbs.map((verb) => [verb, request.bind(undefined, verb)]));
  return { ...client, ...calls, request, use } as unknown as Http;
}

/** The path of every call: deadline, retries, openapi-fetch, and the client's fetch beneath it. */
async function run(shared: Shared, plan: Plan): Promise<Result> {
  const { settings, client } = shared;
  const { operation, method, path, init, options, finish } = plan;
  const { headers, body, signal } = init;
  const { fetch, parseAs = "json" } = options ?? {};
  const { timeout, retries, params } = checkPlan(settings, plan);
  let last: Result | undefined;
  let failure: CatalogueError | undefined;
  try {
    return await withDeadline(operation, timeout, signal, (deadline) => {
      const isStream = finish !== undefined || parseAs === "stream";
      const call: Call = { operation, settings, deadline, fetch, params, isStream, sent: [] };
      return withRetries(retries, deadline, async () => {
        last = await client.request(method, path, {
          pathSerializer: (url: string, values: object) => fillPath(operation, url, values),
          querySerializer: (query: unknown) => queryString(operation, query),
          bodySerializer: (value: unknown, all: Headers) => serializeBody(operation, value, all),
          // A redirect would carry the body, and tokens in it, to another address.
          redirect: "manual",
          ...options,
          params,
          headers,
          body,
          parseAs: isStream ? "stream" : parseAs === "json" ? "text" : parseAs,
          signal: deadline.signal,
          Request: shared.isHooked || options ? requestOf(call) : createPlain,
          fetch: (request: Request | PlainRequest) => send(request, call),
        });
        const { response, error, data } = last;
        if (!response.ok) throw (failure = deadline.failure = apiError(call, response, error));
        if (finish) return finish(last, call);
        if (parseAs !== "json") return last;
        return { data: data ? parseJson(call, response, data as string) : undefined, response };
      });
    });
  } catch (error) {
    if (options && last && error === failure) return last;
    startStack(error, run);
    throw error;
  }
}

/**
 * Checks a call before anything is sent, and fills in the client's options. openapi-fetch, Request and fetch would
 * quote a header or a URL in their errors.
 */
function checkPlan(settings: Settings, { operation, method, path, init, options }: Plan) {
  const { params, headers, body, signal } = init;
  if (!/^\/[^?#]*$/.test(path)) {
    throw wrong(
      method,
      "the path must start with /, without a query or fragment; use params.query",
    );
  }
  const { baseUrl } = options ?? {};
  if (baseUrl !== undefined) checkBaseUrl(operation, baseUrl, true);
  for (const each of [headers, params?.header]) if (each) checkHeaders(operation, each);
  if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal)) {
    throw wrong(operation, "signal must be an AbortSignal");
  }
  if (body !== undefined && /^(GET|HEAD)$/.test(method)) {
    throw wrong(operation, `a ${method} request cannot have a body`);
  }
  const { timeout = settings.timeout, retries = settings.retries } = init;
  const most = checkNumber(operation, "retries", retries, MOST_RETRIES);
  const given = params?.query ?? {};
  const query = isPlainObject(given) ? { ...settings.query, ...given } : given;
  return {
    timeout: checkTimeout(operation, timeout),
    // A POST may have been processed. The other methods are idempotent.
    retries: /^(GET|HEAD|DELETE)$/.test(method) ? most : 0,
    params: { path: params?.path ?? {}, header: params?.header, query },
  };
}

/** The body as openapi-fetch sends it, unless it has no JSON form: a function, a cycle or a bigint. */
function serializeBody(operation: string, body: unknown, headers: Headers): string {
  let text: string | undefined;
  try {
    // The type of the serializer lacks the headers, which select the form encoding.
    text = (defaultBodySerializer as (...parameters: unknown[]) => string)(body, headers);
  } catch {
    // The error of JSON.stringify names neither the operation nor the option.
  }
  if (text !== undefined) return text;
  throw wrong(operation, "body cannot be serialized as JSON");
}
