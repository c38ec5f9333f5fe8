import createClient, { type Client, type Middleware } from "openapi-fetch";
import { withDeadline } from "./deadline.js";
import type { paths } from "./generated/schema.js";
import { checkTimeout, type Settings } from "./options.js";
import { fillPath } from "./path.js";
import { queryString } from "./query.js";
import { send, type Call, type StandIn } from "./transport.js";
import { notJson, type Result } from "./answer.js";

/** The openapi-fetch client of the description, over the transport of this package. */
export type Http = Client<paths, "application/json">;

/** What a request takes besides its path; the rest is for openapi-fetch and fetch. */
interface Init {
  params?: { path?: object; query?: unknown };
  body?: unknown;
  headers?: unknown;
  timeout?: number | undefined;
  signal?: AbortSignal | null | undefined;
  fetch?: typeof globalThis.fetch;
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

const VERBS = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"] as const;

/** The plain client with our transport beneath it, and the function that methods send through. */
export function createHttp(settings: Settings): { http: Http; run: Run } {
  const client = createClient<paths, "application/json">({
    baseUrl: settings.baseUrl,
    headers: settings.headers,
  });
  const hooks: Middleware[] = [];

  const run: Run = (operation, method, path, init, finish) => {
    const { timeout, signal } = init;
    const ms = timeout === undefined ? settings.timeout : checkTimeout(timeout, operation);
    return withDeadline(operation, ms, signal, async (deadline) => {
      const direct = finish && hooks.length === 0;
      const call: Call = {
        operation,
        settings,
        deadline,
        fetch: init.fetch ?? settings.fetch,
        // A redirect would carry the body, and the token in it, to wherever it leads.
        redirect: init.redirect ?? "manual",
        reader: direct ? "transport" : !finish && isStreamed(init) ? "caller" : "all",
        secrets: secretsOf(init.body),
      };
      if (direct) {
        // openapi-fetch builds a Request and fetch builds another, which is most of the time of a call.
        const response = await send(standIn(operation, method, path, init, settings), call);
        return await finish({ response }, call);
      }
      const result = (client as unknown as Untyped).request(method, path, {
        ...init,
        params: { ...init.params, path: init.params?.path ?? {} },
        signal: deadline.signal,
        redirect: call.redirect,
        pathSerializer: (template, values) => fillPath(operation, template, values),
        querySerializer: (query) => queryString(operation, query),
        ...(finish && { parseAs: "stream" }),
        fetch: (request) => send(request, call),
      });
      if (finish) return await finish(await result, call);
      return result.catch((error: unknown) => {
        const { response, text = "" } = call;
        if (response?.ok && error instanceof SyntaxError) throw notJson(response, text, call);
        throw error;
      }) as never;
    });
  };

  const verbs = VERBS.map((verb) => [
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
      fetch: (request: Request) => Promise<Response>;
    },
  ): Promise<Result>;
}

function isStreamed({ parseAs }: Init): boolean {
  return !["json", "text", undefined].includes(parseAs);
}

/** The request that openapi-fetch would make of the same init. */
function standIn(
  operation: string,
  method: string,
  path: string,
  { params, body, headers }: Init,
  { baseUrl, headers: ours }: Settings,
): StandIn {
  const search = queryString(operation, params?.query ?? {});
  const target = fillPath(operation, path, { ...params?.path }) + (search && `?${search}`);
  const json = (JSON.stringify(body) as string | undefined) ?? null;
  const merged = {
    ...(json !== null && { "content-type": "application/json" }),
    ...ours,
    ...(headers !== undefined && Object.fromEntries(headers as Headers)),
  };
  return { url: baseUrl + target, method: method.toUpperCase(), headers: merged, body: json };
}

/** Tokens in a body, such as `access_token`: a service may echo them like the bearer token. */
function secretsOf(body: unknown): Set<string> {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (/token|secret|password/i.test(name) && typeof value === "string") secrets.add(value);
  }
  return secrets;
}
