import createClient, { type Client, type Middleware } from "openapi-fetch";
import { withDeadline } from "./deadline.js";
import type { paths } from "./generated/schema.js";
import { checkTimeout, type Settings } from "./options.js";
import { fillPath } from "./path.js";
import { queryString } from "./query.js";
import { send, type Call, type StandIn } from "./transport.js";
import type { Result } from "./answer.js";

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
  redirect?: RequestRedirect;
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

/** openapi-fetch builds a Request and fetch builds another; where no hook sees it, the first is not needed. */
function LightRequest(url: string, init: RequestInit) {
  return Object.assign(init, { url });
}

/** The plain client with our transport beneath it, and the function that methods send through. */
export function createHttp(settings: Settings): { http: Http; run: Run } {
  const client = createClient<paths, "application/json">({
    baseUrl: settings.baseUrl,
    headers: settings.headers,
  });
  const hooks = new Set<Middleware>();

  const run: Run = async (operation, method, path, { timeout, signal, ...init }, finish) => {
    const ms = timeout === undefined ? settings.timeout : checkTimeout(timeout, operation);
    return withDeadline(operation, ms, signal, async (deadline) => {
      const { fetch = settings.fetch, ...rest } = init;
      const hooked = hooks.size > 0 || (init.middleware ?? []).length > 0;
      const streamed = !["json", "text", undefined].includes(init.parseAs);
      const call: Call = {
        operation,
        settings,
        deadline,
        fetch,
        // A redirect would carry the body, and the token in it, to wherever it leads.
        redirect: init.redirect ?? "manual",
        reader: finish ? (hooked ? "all" : "transport") : streamed ? "caller" : "all",
        secrets: secretsOf(init.body),
      };
      const result = await (client as unknown as Untyped).request(method, path, {
        ...rest,
        params: { ...init.params, path: init.params?.path ?? {} },
        signal: deadline.signal,
        redirect: call.redirect,
        pathSerializer: (template, values) => fillPath(operation, template, values),
        querySerializer: (query) => queryString(operation, query),
        ...(finish && { parseAs: "stream" }),
        Request: hooked ? globalThis.Request : LightRequest,
        fetch: (request) => send(request, call),
      });
      return finish ? finish(result, call) : (result as never);
    });
  };

  const verbs = VERBS.map((verb) => [
    verb,
    (path: string, init: Init = {}) => run(`${verb} ${path}`, verb, path, init),
  ]);
  const http = {
    ...Object.fromEntries(verbs),
    request: (method: string, path: string, init: Init = {}) =>
      run(`${method.toUpperCase()} ${path}`, method, path, init),
    use(...middleware: Middleware[]) {
      client.use(...middleware);
      for (const each of middleware) hooks.add(each);
    },
    eject(...middleware: Middleware[]) {
      client.eject(...middleware);
      for (const each of middleware) hooks.delete(each);
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
      Request: unknown;
      fetch: (request: Request | StandIn) => Promise<Response>;
    },
  ): Promise<Result>;
}

/** Tokens in a body, such as `access_token`: a service may echo them like the bearer token. */
function secretsOf(body: unknown): Set<string> {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (/token|secret|password/i.test(name) && typeof value === "string") secrets.add(value);
  }
  return secrets;
}
