import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import {
  createServer as createNetServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import { onTestFinished, vi } from "vitest";
import { createCatalogue, type Catalogue, type CatalogueOptions } from "../../src/index.js";

/** The access token that tests use. Errors and logs must not contain this token, and middleware must not receive it. */
export const TOKEN = "canary-4f1d8c2b9e7a";

/** The default client timeout in tests, in milliseconds. */
export const TIMEOUT = 20_000;

/** A received request. */
interface ReceivedRequest {
  method: string;
  /** The request target, exactly as received. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The arrival time in milliseconds. */
  at: number;
}

/** A function that responds to one request. */
export type Responder = (response: ServerResponse, request: ReceivedRequest) => unknown;

/** A server on loopback that is closed after the test. */
export interface LocalServer {
  url: string;
  /** The requests, in the order in which they arrived. */
  seen: ReceivedRequest[];
  /** The number of unfinished requests; idle connections do not count. */
  busy(): number;
  close(): Promise<void>;
}

/** Starts a server that uses the responders in order, one per request. Later requests use the last responder. */
export async function serve(...responders: Responder[]): Promise<LocalServer> {
  const seen: ReceivedRequest[] = [];
  const busy = new Set<unknown>();
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    busy.add(response);
    response.on("close", () => busy.delete(response));
    const arrived: ReceivedRequest = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: "",
      at: performance.now(),
    };
    const index = seen.push(arrived) - 1;
    for await (const chunk of request.setEncoding("utf8")) arrived.body += chunk as string;
    await responders[Math.min(index, responders.length - 1)]?.(response, arrived);
  };
  const server = createServer(
    { keepAliveTimeout: 60_000 },
    (request, response) => void receive(request, response),
  );
  return listen(server, seen, busy);
}

/** Starts a server that passes the raw socket of each request to a function, so that the response can violate HTTP. */
export async function serveSocket(
  behave: (socket: Socket, index: number) => unknown,
): Promise<LocalServer> {
  const seen: ReceivedRequest[] = [];
  const busy = new Set<unknown>();
  const server = createNetServer((socket) => {
    socket.on("error", () => {});
    socket.on("close", () => busy.delete(socket));
    socket.on("data", (data) => {
      const [method = "", url = ""] = data.toString("latin1").split(" ");
      const arrived = { method, url, headers: {}, body: "", at: performance.now() };
      busy.add(socket);
      behave(socket, seen.push(arrived) - 1);
    });
  });
  return listen(server, seen, busy);
}

async function listen(
  server: Server,
  seen: ReceivedRequest[],
  busy: Set<unknown>,
): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { url, seen, busy: () => busy.size, close };
}

/** Returns a free port on loopback. */
export async function freePort(): Promise<number> {
  const server = createNetServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Creates a responder that sends JSON. @param body a value to serialize, or a string to send unchanged */
export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Responder {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Creates a responder that sends a status without a body. */
export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Responder {
  return (response) => response.writeHead(status, headers).end();
}

/** Resets the connection. */
export const reset: Responder = (response) => response.socket?.resetAndDestroy();

/** Never responds. */
export const stall: Responder = () => {};

/** Creates a client for a local server. */
export function clientOf(
  server: { url: string },
  options: Partial<CatalogueOptions> = {},
): Catalogue {
  return createCatalogue({
    baseUrl: server.url,
    token: TOKEN,
    timeout: TIMEOUT,
    ...options,
  });
}

/** Returns the value that a promise rejects with. @throws {Error} if the promise does not reject */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("the promise did not reject");
}

/**
 * Makes retries start without a pause until the test ends.
 * @returns the lengths of the skipped pauses, in milliseconds
 */
export function skipPauses(): number[] {
  const { setTimeout: real } = globalThis;
  const pauses: number[] = [];
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    run: (...all: unknown[]) => void,
    ms = 0,
    ...all: unknown[]
  ) => {
    // Retry pauses last from 250 ms to 30 s. This check excludes the client's timeout, and undici's timers,
    // which pass arguments to their callbacks.
    const isPause = ms >= 250 && ms <= 30_000 && ms !== TIMEOUT && all.length === 0;
    if (isPause) pauses.push(ms);
    return real(run, isPause ? 0 : ms, ...all);
  }) as typeof setTimeout);
  onTestFinished(() => spy.mockRestore());
  return pauses;
}

/** Returns the number of timers that keep the process alive. */
export function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}

/** Waits at most five minutes for a condition. @returns whether the condition holds */
export async function eventually(holds: () => boolean): Promise<boolean> {
  for (const end = performance.now() + 300_000; performance.now() < end;) {
    if (holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return holds();
}
