import { createProxy, type OperationId, type ProxyOptions } from "../../src/proxy/index.js";
import { TIMEOUT, TOKEN } from "../support/server.js";

/** The visitor's side of a proxy. */
export interface Visitor {
  /** Sends a request to a path below the default prefix, or below `root`. */
  visit(path: string, init?: RequestInit, root?: string): Promise<Response>;
  /** The errors that `onError` has received. */
  errors: unknown[];
}

/** Creates a proxy to a server, and sends requests to the proxy. */
export function visitorOf(
  server: { url: string },
  allow: readonly OperationId[],
  options: Partial<Omit<ProxyOptions, "token" | "apiKey">> & {
    apiKey?: string;
    token?: () => string;
  } = {},
): Visitor {
  const errors: unknown[] = [];
  const credentials = options.apiKey === undefined ? { token: TOKEN } : {};
  const proxy = createProxy({
    baseUrl: server.url,
    allow,
    timeout: TIMEOUT,
    onError: (error: unknown) => errors.push(error),
    ...credentials,
    ...options,
  } as object as ProxyOptions);
  const visit = (path: string, init?: RequestInit, root = "/api/catalogue") =>
    proxy(new Request(`https://app.example${root}${path}`, init));
  return { visit, errors };
}
