import { serve } from "srvx";

/** The sandbox could not listen; the message names host and port, and says what to do. */
export class ListenError extends Error {}

/** A server that is listening. */
export interface Listening {
  /** Its address, without a trailing slash: a `baseUrl`. */
  url: string;
  /** Stops listening and closes every connection, idle ones of keep-alive clients too. */
  close(): Promise<void>;
}

/**
 * Serves a fetch handler over HTTP.
 * @param port 0 picks a free one
 * @throws {ListenError} the port is taken, or the host is not of this machine
 */
export async function serveSandbox(
  handler: (request: Request) => Promise<Response>,
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
    throw new ListenError(listenProblem(error, host, port), { cause: error });
  });
  return {
    url: (server.url ?? "").replace(/\/$/, ""),
    close: () => server.close(true),
  };
}

function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `sandbox: port ${port} of ${host} is taken; choose another, or --port 0 for a free one`;
    case "EACCES":
      return `sandbox: port ${port} of ${host} needs more rights; choose one above 1023`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `sandbox: ${host} is no address of this machine; choose another --host`;
    default:
      return `sandbox: ${host} port ${port}: ${error.message}; choose another --host or --port`;
  }
}
