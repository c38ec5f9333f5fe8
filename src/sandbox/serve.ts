import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/** A server that is listening. */
export interface Listening {
  /** Its address, without a trailing slash: a `baseUrl`. */
  url: string;
  /** Stops listening and closes every connection, idle ones of keep-alive clients too. */
  close(): Promise<void>;
}

/** Answers a request as `fetch` would. */
export type Handler = (request: Request) => Promise<Response>;

/**
 * Serves a fetch handler over HTTP with node:http alone, so that the published command needs no server of its own.
 * @param port 0 picks a free one
 * @throws {Error} of node:net: the port is taken, or the host is not of this machine
 */
export async function serveSandbox(
  handler: Handler,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    answer(handler, incoming, outgoing).catch(() => outgoing.destroy());
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

async function answer(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse) {
  const abort = new AbortController();
  outgoing.once("close", () => abort.abort());
  const request = requestOf(incoming, abort.signal);
  const response = request ? await handler(request) : new Response(null, { status: 400 });
  outgoing.statusCode = response.status;
  outgoing.setHeaders(response.headers);
  // The same streams, as two libraries of types name them.
  if (response.body) await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
  else outgoing.end();
}

/** Undefined where its target or a header is none that `fetch` could have sent. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", url = "/", headersDistinct } = incoming;
  try {
    const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    // `fetch` wants to be told that the answer may come before the body has ended.
    const init: RequestInit & { duplex: "half" } = { method, headers, signal, duplex: "half" };
    if (method !== "GET" && method !== "HEAD") {
      init.body = Readable.toWeb(incoming) as globalThis.ReadableStream<Uint8Array>;
    }
    // The host is nowhere looked at, even if the target has one (RFC 9112, 3.2.2); one of `//x` is a path all the same.
    return new Request(`http://sandbox.invalid${url.replace(/^https?:\/\/[^/?]*/i, "")}`, init);
  } catch {
    return undefined;
  }
}

/** Kept at the first SIGINT or SIGTERM. */
export function interrupted(): Promise<unknown> {
  return new Promise((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"]) process.once(name, resolve);
  });
}

/** Why {@link serveSandbox} could not listen, and what to do. */
export function listenProblem(
  error: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `port ${port} of ${host} is taken; choose another, or --port 0 for a free one`;
    case "EACCES":
      return `port ${port} of ${host} needs more rights; choose one above 1023`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine; choose another --host`;
    default:
      return `${host} port ${port}: ${error.message}; choose another --host or --port`;
  }
}
