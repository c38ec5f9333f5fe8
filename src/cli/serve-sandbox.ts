import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/** A server that is listening. */
export interface RunningServer {
  /** The server's URL without a trailing slash, to use as `baseUrl`. */
  url: string;
  /** Stops the server and closes every connection, including idle keep-alive connections. */
  close(): Promise<void>;
}

/** A function that responds to a request. */
export type Handler = (request: Request) => Promise<Response>;

/**
 * Serves a handler over HTTP. Uses only `node:http`, so that the published package does not depend on a server package.
 * @param port port to listen on; 0 picks a free port
 * @throws {Error} if the port is already in use, or the host is not an address of this machine
 */
export async function serveSandbox(
  handler: Handler,
  { host, port }: { host: string; port: number },
): Promise<RunningServer> {
  const server = createServer((incoming, outgoing) => {
    handleRequest(handler, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Headers that let pages of every origin call the server and read all response headers. The server keeps no secrets, and
 * a page sends no cookies to it.
 */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  // The wildcard does not include `authorization`.
  "access-control-allow-headers": "*, authorization",
  "access-control-expose-headers": "*",
  "access-control-max-age": "600",
};

/** Checks whether a browser asks for permission to send a request. Such a request has no token. */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

async function handleRequest(
  handler: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
  const abort = new AbortController();
  outgoing.once("close", () => abort.abort());
  for (const [name, value] of Object.entries(CORS)) outgoing.setHeader(name, value);
  if (isPreflight(incoming)) return outgoing.writeHead(204).end();
  const request = toRequest(incoming, abort.signal);
  const response = request ? await handler(request) : new Response(null, { status: 400 });
  outgoing.statusCode = response.status;
  outgoing.setHeaders(response.headers);
  // The cast is necessary because the DOM types and the Node types both declare `ReadableStream`.
  if (response.body) await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
  else outgoing.end();
}

/**
 * Converts a Node request to a Request. Returns undefined if a `Request` cannot represent the URL, the method, or a
 * header.
 */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", url = "/", headersDistinct } = incoming;
  try {
    const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    // A Request whose body is a stream requires the `duplex` option.
    const init: RequestInit & { duplex: "half" } = { method, headers, signal, duplex: "half" };
    if (method !== "GET" && method !== "HEAD") {
      init.body = Readable.toWeb(incoming) as globalThis.ReadableStream<Uint8Array>;
    }
    // The URL is concatenated, because `new URL("//x", base)` would treat `x` as a host.
    return new Request(`http://sandbox.invalid${url}`, init);
  } catch {
    return undefined;
  }
}
