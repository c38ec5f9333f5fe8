import createClient, { type Client, type Middleware } from "openapi-fetch";
import { withDeadline } from "./deadline.js";
import type { paths } from "./generated/schema.js";
import { checkTimeout, type Settings } from "./options.js";
import { fillPath } from "./path.js";
import { queryString } from "./query.js";
import { send, type Call, type Outgoing } from "./transport.js";
import { jsonOf, notJson, type Result } from "./answer.js";

/** The openapi-fetch client of the description, over the transport of this package. */
export type Http = Client<paths, "application/json">;

/** What a request takes besides its path; the rest is for openapi-fetch and fetch. */
interface Init {
  params?: { path?: object; query?: unknown };
  body?: unknown;
  headers?: unknown;
  timeout?: number | undefined;
  signal?: AbortSignal | null | undefined;
  fetch?: (request: Request) => Promise<Response>;
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
        fetch: fetch ? (url, given) => fetch(new Request(url, given)) : settings.fetch,
        // A redirect would carry the body, and the token in it, to wherever it leads.
        redirect: init.redirect ?? "manual",
        reader: direct ? "transport" : !finish && init.parseAs === "stream" ? "caller" : "all",
        secrets: secretsOf(init.body),
      };
      if (direct) {
        // openapi-fetch builds a Request and fetch builds another, which is most of the time of a call.
        const response = await send(outgoing(operation, method, path, init, settings), call);
        return await finish({ response }, call);
      }
      const result = (client as unknown as Untyped).request(method, path, {
        pathSerializer: (template, values) => fillPath(operation, template, values),
        querySerializer: (query) => queryString(operation, query),
        ...(finish && { bodySerializer: (body) => jsonBody(operation, body), parseAs: "stream" }),
        ...init,
        params: { ...init.params, path: init.params?.path ?? {} },
        signal: deadline.signal,
        redirect: call.redirect,
        fetch: async (request) => send(await plain(request), call),
      });
      if (finish) return await finish(await result, call);
      return result.catch((error: unknown) => {
        const { response, text = "" } = call;
        const isUnread = error instanceof SyntaxError && response?.ok && jsonOf(text) === text;
        throw isUnread ? notJson(response, text, call) : error;
      }) as never;
    });
  };

  const names = Object.keys(client).filter((name) => name === name.toUpperCase());
  const verbs = names.map((verb) => [
    verb,
    async (path: string, init: Init = {}) => run(`${verb} ${path}`, verb, path, init),
  ]);
  const http = {
    ...Object.fromEntries(verbs),
    request: async (method: string, path: string, init: Init = {}) =>
      run(`${method.toUpperCase()} ${path}`, method, path, init),
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

/** openapi-fetch without the types of the description, for paths that are data. */
interface Untyped {
  request(
    method: string,
    path: string,
    init: Omit<Init, "fetch"> & {
      pathSerializer: (template: string, values: Record<string, unknown>) => string;
      querySerializer: (query: unknown) => string;
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
  const merged = {
    ...(json !== null && { "content-type": "application/json" }),
    ...ours,
    ...(headers !== undefined && Object.fromEntries(headers as Headers)),
  };
  return { url: baseUrl + target, method: method.toUpperCase(), headers: merged, body: json };
}

/** @throws {TypeError} it has no JSON */
function jsonBody(operation: string, body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw new TypeError(`${operation}: body cannot be sent as JSON`, { cause: error });
  }
}

/** What hooks have made of a request. Its body is read once, and sent with every attempt. */
async function plain(request: Request): Promise<Outgoing> {
  const { url, method, headers } = request;
  // Firefox has no `body` to ask.
  const body = await request.arrayBuffer();
  const others: Record<string, unknown> = {};
  // Also what is inherited, such as `cache`, and what openapi-fetch added for a fetch that knows more, such as `next`.
  for (const name in request) others[name] = request[name as keyof Request];
  return {
    ...{ url, method, headers: Object.fromEntries(headers), others },
    body: body.byteLength > 0 ? body : null,
  };
}

/** Tokens in a body, such as `access_token`: a service may echo them like the bearer token. */
function secretsOf(body: unknown): Set<string> {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (/token|secret|password/i.test(name) && typeof value === "string") secrets.add(value);
  }
  return secrets;
}
