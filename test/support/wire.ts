import type { Socket } from "node:net";

/** How a server behaves on the raw socket of its n-th request. */
export type Behaviour = (socket: Socket, index: number) => unknown;

/** The head of a response. `Connection: close` lets a test see that the client closes the connection. */
export function head(status: string, ...headers: string[]): string {
  return [`HTTP/1.1 ${status}`, "Connection: close", ...headers, "", ""].join("\r\n");
}

/** The head of a response that keeps the connection alive. */
export function keptHead(status: string, ...headers: string[]): string {
  return [`HTTP/1.1 ${status}`, ...headers, "", ""].join("\r\n");
}

/** A complete response. */
export function whole(status: string, body: string | Buffer, ...headers: string[]): Behaviour {
  return (socket) => {
    socket.write(head(status, ...headers, `Content-Length: ${Buffer.byteLength(body)}`));
    socket.write(body);
  };
}

/** Sends these bytes and keeps the connection open. */
export function bytes(...parts: (string | Buffer)[]): Behaviour {
  return (socket) => {
    for (const part of parts) socket.write(part);
  };
}

/** Then closes the connection cleanly. */
export function thenClose(behave: Behaviour): Behaviour {
  return (socket, index) => {
    behave(socket, index);
    socket.end();
  };
}

/** Then resets the connection. */
export function thenReset(behave: Behaviour): Behaviour {
  return (socket, index) => {
    behave(socket, index);
    setTimeout(() => socket.resetAndDestroy(), 20).unref();
  };
}

/** Sends some bytes, then a piece every 10 ms forever. */
export function drip(start: string, each: string): Behaviour {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(each), 10).unref();
    socket.on("close", () => clearInterval(timer));
  };
}

/** Behaves differently for each request; the last behavior is repeated. */
export function inTurn(...behaviours: Behaviour[]): Behaviour {
  return (socket, index) => behaviours[Math.min(index, behaviours.length - 1)]!(socket, index);
}
