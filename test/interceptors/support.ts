import type { Call, CatalogueOptions, Interceptor } from "../../src/full/index.js";
import { createCatalogue } from "../../src/full/index.js";
import type { Fetch } from "../../src/index.js";
import { TIMEOUT, TOKEN } from "../support/server.js";

/** Creates a full client with a stub as `fetch`, and an array to which the stub adds the URLs of its requests. */
export function clientWith(
  interceptors: readonly Interceptor[],
  options: Partial<CatalogueOptions> & {
    respond?: (url: string, init: Parameters<Fetch>[1]) => Response | Promise<Response>;
  } = {},
) {
  const { respond = (url) => Response.json({ url }), ...others } = options;
  const urls: string[] = [];
  const catalogue = createCatalogue({
    baseUrl: "https://a.example",
    token: TOKEN,
    timeout: TIMEOUT,
    interceptors,
    fetch: async (url, init) => {
      urls.push(url.slice("https://a.example".length));
      return respond(url, init);
    },
    ...others,
  } as CatalogueOptions);
  return { ...catalogue, urls };
}

/** Creates an interceptor that collects the calls. */
export function collect(): { calls: Call[]; interceptor: Interceptor } {
  const calls: Call[] = [];
  return {
    calls,
    interceptor: (call, next) => {
      calls.push(call);
      return next();
    },
  };
}

/** Creates a promise that a test settles. */
export function createGate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
