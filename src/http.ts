import createClient, { type Client, type Middleware } from "openapi-fetch";
import { withDeadline } from "./deadline.js";
import { CatalogueError } from "./errors.js";
import type { paths } from "./generated/schema.js";
import { checkTimeout, type Settings } from "./options.js";
import { fillPath } from "./path.js";
import { queryString } from "./query.js";
import { jsonOf } from "./text.js";
import { send, type Call, type Outgoing } from "./transport.js";
import { notJson, type Result } from "./answer.js";

/** The openapi-fetch client of the description, over the transport of this package. */
export type Http = Client<paths, "application/json">;

/** What a request takes besides its path; the rest is for openapi-fetch and fetch. */
interface Init {
  params?: { path?: object; query?: unknown };
  body?: unknown;
  headers?: object | null | undefined;
  timeout?: number | undefined;
  signal?: AbortSignal | null | undefined;
  fetch?: (request: Request) => Promise<Response>;
  pathSerializer?: ((template: string, values: Record<string, unknown>) => string) | undefined;
  querySerializer?: ((query: unknown) => string) | undefined;
  redirect?: Request["redirect"];
  parseAs?: string;
  middleware?: readonly Middleware[];
}

/** Sends one request and gives what `finish` makes of the answer, all within one deadline. */
export type Run = <Data>(
  operation: string,
  method: string,
  path: string,
  init: Init,
  finish?: (result: Result, call: Call) => Promise<Data>,
) => Promise<Data>;

/** The plain client with our transport beneath it, and the function that methods send through. */
export function createHttp(settings: Settings): { http: Http; run: Run } {
  const client = createClient<paths, "application/json">({
    baseUrl: settings.baseUrl,
    headers: settings.headers,
  });
  const hooks: Middleware[] = [];

  const run: Run = (operation, method, path, init, finish) => {
    const { timeout, signal, fetch } = init;
    const ms = timeout === undefined ? settings.timeout : checkTimeout(timeout, operation);
    return withDeadline(operation, ms, signal, async (deadline) => {
      const direct = finish && hooks.length === 0;
      const call: Call = {
        operation,
        settings,
        deadline,
        // That of a request is promised a Request.
        fetch: fetch
          ? (url, given) => fetch((deadline.request = new Request(url, given)))
          : settings.fetch,
        // A redirect would carry the body, and the token in it, to wherever it leads.
        redirect: init.redirect ?? "manual",
        isShared: !direct,
        isStreamed: !finish && init.parseAs === "stream",
        secrets: [],
        sent: [],
      };
      if (direct) {
        // openapi-fetch builds a Request and fetch builds another, which is most of the time of a call.
        const response = await send(outgoing(operation, method, path, init, settings), call);
        return await finish({ response }, call);
      }
      const result = (client as unknown as Untyped).request(method, path, {
        ...(finish && { bodySerializer: (body) => jsonBody(operation, body), parseAs: "stream" }),
        ...init,
        pathSerializer:
          init.pathSerializer ?? ((template, values) => fillPath(operation, template, values)),
        querySerializer: init.querySerializer ?? ((query) => queryString(operation, query)),
        params: { ...init.params, path: init.params?.path ?? {} },
        signal: deadline.signal,
        redirect: call.redirect,
        fetch: async (request) => {
          try {
            return await send(await plain(request), call);
          } catch (error) {
            // openapi-fetch takes what is falsy for no error. The caller gets the reason as it is, by the deadline.
            throw error || new Error("aborted");
          }
        },
      });
      if (finish) return await finish(await result, call);
      return result.catch((error?: Error) => {
        const { response, text = "" } = call;
        const isUnread =
          // Not by instanceof: where tests run in a realm of their own, json() gives an error of another.
          error?.name === "SyntaxError" &&
          (init.parseAs ?? "json") === "json" &&
          response?.ok &&
          jsonOf(text) === text;
        throw isUnread ? notJson(response, text, call) : error;
      }) as never;
    });
  };

  // A query that stands in the path may hold a secret, and the name of an operation is in every error.
  const request = async (method: string, path: string, given?: Init | null) => {
    const operation = `${method.toUpperCase()} ${`${path}`.split("?")[0]}`;
    const init = given ?? {};
    try {
      return await run(operation, method, path, init);
    } catch (error) {
      throw atCaller(error, operation, init.signal);
    }
  };
  const names = Object.keys(client).filter((name) => name === name.toUpperCase());
  const http = {
    ...Object.fromEntries(names.map((verb) => [verb, request.bind(undefined, verb)])),
    request,
    use(...middleware: Middleware[]) {
      hooks.push(...middleware);
      client.use(...middleware);
    },
    eject(...middleware: Middleware[]) {
      client.eject(...middleware);
      for (const each of middleware) {
        if (hooks.includes(each)) hooks.splice(hooks.indexOf(each), 1);
      }
    },
  };
  return { http: http as unknown as Http, run };
}

/**
 * Gives an error of ours a stack that ends at who waits for the call: it was made by a timer, or deep within, where the
 * stack shows nobody. To be called where the call is awaited.
 */
export function atCaller(error: unknown, operation: string, signal?: AbortSignal | null): unknown {
  // What a validate or a hook throws may begin in the same way, and leads to where fault was found.
  const isOurs =
    (error instanceof CatalogueError || error instanceof TypeError) &&
    error.message.startsWith(`${operation}: `);
  if (isOurs && !signal?.aborted) Error.captureStackTrace?.(error, atCaller);
  return error;
}

/** openapi-fetch without the types of the description, for paths that are data. */
interface Untyped {
  request(
    method: string,
    path: string,
    init: Omit<Init, "fetch"> & {
      bodySerializer?: (body: unknown) => string;
      fetch: (request: Request) => Promise<Response>;
    },
  ): Promise<Result>;
}

/** The request that openapi-fetch would make of the same init. */
function outgoing(
  operation: string,
  method: string,
  path: string,
  { params, body, headers }: Init,
  { baseUrl, headers: ours }: Settings,
): Outgoing {
  const search = queryString(operation, params?.query ?? {});
  const target = fillPath(operation, path, { ...params?.path }) + (search && `?${search}`);
  const json = body === undefined ? null : jsonBody(operation, body);
  const type = json !== null && { "content-type": "application/json" };
  const merged = type || headers ? { ...type, ...ours, ...headers } : ours;
  return { url: baseUrl + target, method: method.toUpperCase(), headers: merged, body: json };
}

/** @throws {TypeError} it has no JSON */
function jsonBody(operation: string, body: unknown): string {
  let why: ErrorOptions | undefined;
  try {
    const json = JSON.stringify(body) as string | undefined;
    if (json) return json;
  } catch (cause) {
    why = { cause };
  }
  throw new TypeError(`${operation}: body cannot be sent as JSON`, why);
}

/** What hooks have made of a request. Its body is read once, and sent with every attempt. */
async function plain(request: Request): Promise<Outgoing> {
  // Firefox has no `body` to ask.
  const body = await request.arrayBuffer();
  const others: Record<string, unknown> = {};
  // Also what is inherited, such as `cache`, and what openapi-fetch added for a fetch that knows more, such as `next`.
  for (const name in request) others[name] = request[name as keyof Request];
  const { url, method } = request;
  const headers = Object.fromEntries(request.headers);
  return { url, method, headers, body: body.byteLength > 0 ? body : null, others };
}
