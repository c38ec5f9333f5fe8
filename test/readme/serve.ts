import { serve } from "srvx";
import { onTestFinished } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";

/**
 * Serves a handler of requests over HTTP, for the time of one test.
 * @returns its URL, without a slash at the end
 */
export async function serveHandler(
  handler: (request: Request) => Promise<Response> = createSandbox().fetch,
): Promise<string> {
  const server = serve({
    fetch: handler,
    ...{ hostname: "127.0.0.1", port: 0, silent: true, gracefulShutdown: false },
  });
  onTestFinished(() => server.close(true));
  await server.ready();
  return server.url!.replace(/\/$/, "");
}
