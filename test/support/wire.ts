import type { Socket } from "node:net";

/** What a server does with the n-th request, on the bare socket. */
export type Behaviour = (socket: Socket, index: number) => unknown;

/** The head of an answer; `Connection: close` lets a test see that the client lets go. */
export function head(status: string, ...headers: string[]): string {
  return [`HTTP/1.1 ${status}`, "Connection: close", ...headers, "", ""].join("\r\n");
}

/** The head of an answer after which the connection is to stay. */
export function keptHead(status: string, ...headers: string[]): string {
  return [`HTTP/1.1 ${status}`, ...headers, "", ""].join("\r\n");
}

/** A whole answer. */
export function whole(status: string, body: string | Buffer, ...headers: string[]): Behaviour {
  return (socket) => {
    socket.write(head(status, ...headers, `Content-Length: ${Buffer.byteLength(body)}`));
    socket.write(body);
  };
}

/** Just these bytes; the connection stays open. */
export function bytes(...parts: (string | Buffer)[]): Behaviour {
  return (socket) => {
    for (const part of parts) socket.write(part);
  };
}

/** Does something, then closes in good order. */
export function thenClose(behave: Behaviour): Behaviour {
  return (socket, index) => {
    behave(socket, index);
    socket.end();
  };
}

/** Does something, then cuts the connection. */
export function thenReset(behave: Behaviour): Behaviour {
  return (socket, index) => {
    behave(socket, index);
    setTimeout(() => socket.resetAndDestroy(), 20).unref();
  };
}

/** Sends some bytes, then one more every 10 ms, for ever. */
export function drip(start: string, each: string): Behaviour {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(each), 10).unref();
    socket.on("close", () => clearInterval(timer));
  };
}

/** One behaviour after another; the last stands for all that follow. */
export function inTurn(...behaviours: Behaviour[]): Behaviour {
  return (socket, index) => behaviours[Math.min(index, behaviours.length - 1)]!(socket, index);
}
