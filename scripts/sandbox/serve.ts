import { serve } from "srvx";
import { listenError, type Handler, type Listening } from "../../src/contract/cli/serve.js";

/**
 * Serves a fetch handler over HTTP.
 * @param port 0 picks a free one
 * @throws {ListenError} the port is taken, or the host is not of this machine
 */
export async function serveSandbox(
  handler: Handler,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = serve({
    fetch: handler,
    hostname: host,
    port,
    silent: true,
    // Signals belong to the process that serves, not to the server.
    gracefulShutdown: false,
  });
  await server.ready().catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, host, port);
  });
  return {
    url: (server.url ?? "").replace(/\/$/, ""),
    close: () => server.close(true),
  };
}
