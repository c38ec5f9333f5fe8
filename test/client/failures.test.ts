import { getEventListeners } from "node:events";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { CatalogueError, type Catalogue } from "../../src/index.js";
import { expectNoSecret } from "../support/canary.js";
import { clientOf, eventually, serveSocket, skipPauses, timers, TOKEN } from "../support/server.js";

/** The expected outcome of a call: its data or error, and the number of requests. */
type Outcome =
  { data: unknown; sent: number } | { error: string; status?: number; says: RegExp; sent: number };

interface CallVariation {
  call?: (catalogue: Catalogue, signal: AbortSignal) => Promise<unknown>;
  /** When the caller aborts: before, during, or after the call. */
  abort?: "before" | "during" | "after";
  https?: boolean;
}

const TIMEOUT = 300;
const JSON_TYPE = "Content-Type: application/json";
const GZIP = "Content-Encoding: gzip";
const CHUNKED = "Transfer-Encoding: chunked";
const OK = whole("200 OK", '{"id":1}', JSON_TYPE);
const ok = { data: { id: 1 } };
const zipped = gzipSync(JSON.stringify({ id: 1, text: "x".repeat(500) + Math.random() }));
const middle = zipped.length >> 1;
const broken = Buffer.concat([
  zipped.subarray(0, middle),
  Buffer.alloc(9, 255),
  zipped.subarray(middle + 9),
]);
const nothing = () => {};
const lost = (says: RegExp, sent = 2): Outcome => ({ error: "ConnectionError", says, sent });
const late: Outcome = { error: "TimeoutError", says: /timed out after 300 ms/, sent: 1 };
const api = (status: number, says: RegExp, sent = 1): Outcome => ({
  error: "ApiError",
  status,
  says,
  sent,
});
const bad = (status: number, says: RegExp): Outcome => ({
  error: "InvalidJsonError",
  status,
  says,
  sent: 1,
});
const limited = (retryAfter: string) =>
  inTurn(whole("429 Too Many Requests", "{}", JSON_TYPE, `Retry-After: ${retryAfter}`), OK);
const NO_RESPONSE =
  /connection failed \((other side closed|(read|write) E\w+|Response does not match the HTTP)/;
const CUT =
  /connection lost while reading the body of a 200 response \((other side closed|closed|terminated|aborted|read E\w+|Response )/;
const POST = (catalogue: Catalogue) =>
  catalogue.authentication.convertV4Session({ body: { access_token: TOKEN } });

const FAILURES: [
  name: string,
  server: Behavior | "refused",
  expected: Outcome,
  variation?: CallVariation,
][] = [
  ["a refused connection", "refused", lost(/connection failed \(connect ECONNREFUSED /, 0)],
  ["a connection that closes without a response", thenClose(nothing), lost(NO_RESPONSE)],
  ["a connection reset before the headers", thenReset(nothing), lost(NO_RESPONSE)],
  [
    "a connection reset within the headers",
    thenReset(bytes("HTTP/1.1 200 OK\r\nContent-")),
    lost(NO_RESPONSE),
  ],
  [
    "a connection reset within the body",
    thenReset(bytes(head("200 OK", "Content-Length: 8"), '{"id"')),
    lost(CUT),
  ],
  [
    "a connection that closes within the body",
    thenClose(bytes(head("200 OK", "Content-Length: 8"), '{"id"')),
    lost(CUT),
  ],
  ["a connection reset during a POST", thenReset(nothing), lost(NO_RESPONSE, 1), { call: POST }],
  ["a connection reset and a successful retry", inTurn(thenReset(nothing), OK), { ...ok, sent: 2 }],
  ["response headers that never arrive", nothing, late],
  ["response headers that never end", drip("HTTP/1.1 200 OK\r\n", "A: b\r\n"), late],
  ["a body that stalls", bytes(head("200 OK", JSON_TYPE, CHUNKED), "4\r\n"), late],
  ["a body that never ends", drip(head("200 OK", JSON_TYPE, CHUNKED), "1\r\n \r\n"), late],
  [
    "a 404 body that never ends",
    drip(head("404 Not Found", JSON_TYPE, CHUNKED), "1\r\n \r\n"),
    late,
  ],
  [
    "a truncated chunked body",
    thenClose(bytes(keptHead("200 OK", JSON_TYPE, CHUNKED), '8\r\n{"id":1}\r\n')),
    lost(CUT),
  ],
  [
    "a Content-Length that is too long",
    thenClose(bytes(head("200 OK", "Content-Length: 99"), '{"id":1}')),
    lost(CUT),
  ],
  [
    "a Content-Length that is too short",
    bytes(head("200 OK", JSON_TYPE, "Content-Length: 4"), '{"id":1}'),
    bad(200, /not JSON or is cut off/),
  ],
  [
    "a chunked body with a Content-Length",
    bytes(head("200 OK", "Content-Length: 2", CHUNKED), "0\r\n\r\n"),
    // Node 26 says which rule of HTTP the response breaks.
    lost(/connection failed \(Response (does not match the HTTP|body length does not match)/),
  ],
  ["a valid gzip body", whole("200 OK", gzipSync('{"id":1}'), JSON_TYPE, GZIP), { ...ok, sent: 1 }],
  [
    "a damaged gzip body",
    whole("200 OK", broken, JSON_TYPE, GZIP),
    lost(/the body of a 200 response \((\w+ .*|terminated)\)$/),
  ],
  [
    "a truncated gzip body",
    whole("200 OK", zipped.subarray(0, middle), JSON_TYPE, GZIP),
    bad(200, /not JSON or is cut off/),
  ],
  ["an undocumented 204 response", bytes(head("204 No Content")), bad(204, /an empty body/)],
  [
    "a 500 response without a reason phrase",
    whole("500 ", "", JSON_TYPE),
    api(500, /500 \(no message\)/, 2),
  ],
  ["a 429 response with a Retry-After of 0", limited("0"), { ...ok, sent: 2 }],
  [
    "a 429 response with a Retry-After beyond the deadline",
    limited("29"),
    api(429, /Too Many Requests/),
  ],
  [
    "two 1xx responses and a 200 response",
    (socket, index) => {
      bytes("HTTP/1.1 102 Processing\r\n\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n")(socket, index);
      OK(socket, index);
    },
    { ...ok, sent: 1 },
  ],
  [
    "a response in a different protocol",
    thenClose(bytes("SSH-2.0-OpenSSH_9.6\r\n")),
    lost(/connection failed \(Response does not match the HTTP\/1\.1 protocol/),
  ],
  [
    "an unencrypted response instead of TLS",
    thenClose(bytes(head("400 Bad Request"))),
    lost(/connection failed \(.*(SSL|EPROTO|ECONN)/),
    { https: true },
  ],
  ["a response with status 999", whole("999 Odd", "{}", JSON_TYPE), api(999, /999 Odd/)],
  [
    "a truncated response with status 999",
    thenClose(bytes(head("999 Odd", "Content-Length: 9"), "{")),
    lost(/connection lost while reading the body of a 999/),
  ],
  ["a reason phrase in UTF-8", whole("404 Não há", "{}", JSON_TYPE), api(404, /404 Não há/)],
  [
    "JSON with __proto__ keys",
    whole("200 OK", '{"__proto__":{"a":1},"id":1}', JSON_TYPE),
    { data: JSON.parse('{"__proto__":{"a":1},"id":1}'), sent: 1 },
  ],
  ["JSON with a byte order mark", whole("200 OK", '\ufeff{"id":1}', JSON_TYPE), { ...ok, sent: 1 }],
  [
    "JSON with invalid UTF-8",
    whole("200 OK", Buffer.from('{"id":"\xff"}', "latin1"), JSON_TYPE),
    { data: { id: "\ufffd" }, sent: 1 },
  ],
  [
    "a connection that closes between two calls",
    inTurn((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nContent-Length: 8\r\n\r\n{"id":1}`, () =>
        socket.end(),
      );
    }, OK),
    { ...ok, sent: 2 },
    { call: async ({ movies }, signal) => (await movies.latest(), movies.latest({ signal })) },
  ],
  [
    "a path parameter that tries to inject a header",
    OK,
    { ...ok, sent: 1 },
    { call: ({ movies }) => movies.lists("1 HTTP/1.1\r\nx: y\r\n\r\n") },
  ],
  ["an abort before the call", OK, { error: "left", says: /left/, sent: 0 }, { abort: "before" }],
  [
    "an abort during the body",
    bytes(head("200 OK", CHUNKED), "1\r\n{\r\n"),
    { error: "left", says: /left/, sent: 1 },
    { abort: "during" },
  ],
  [
    "an abort during the pause before a retry",
    limited("15"),
    { error: "left", says: /left/, sent: 1 },
    { abort: "during" },
  ],
  ["an abort after the response", OK, { ...ok, sent: 1 }, { abort: "after" }],
];

test.each(FAILURES)(
  "a call settles as documented and leaves nothing open in this case: %s",
  async (_, behave, expected, { call, abort, https = false } = {}) => {
    // Does not skip pauses in rows with an abort, because the abort might have to happen during a pause.
    if (abort === undefined && expected !== late) skipPauses();
    // Counts timers before the call, because other test files in the same process might have left timers.
    const timersBefore = timers();
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", onUnhandled);
    onTestFinished(() => void process.off("unhandledRejection", onUnhandled));
    const server = await serveSocket(behave === "refused" ? nothing : behave);
    if (behave === "refused") await server.close();
    const url = https ? server.url.replace("http:", "https:") : server.url;
    // Uses a short timeout only if the call must time out, so that the other rows do not depend on the speed of the
    // machine.
    const timeout = expected === late ? TIMEOUT : 20_000;
    const catalogue = clientOf({ url }, { retries: 1, timeout });
    const controller = new AbortController();
    const { signal } = controller;
    const left = Object.assign(new Error("left"), { name: "left" });
    if (abort === "before") controller.abort(left);
    const running = (call?.(catalogue, signal) ?? catalogue.movies.latest({ signal })).then(
      (data) => ({ data }),
      (error: unknown) => ({ error }),
    );
    if (abort === "during") {
      await eventually(() => server.seen.length > 0);
      // Gives the client time to read the data that the server has already sent.
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.abort(left);
    }
    const outcome: unknown = await running;
    controller.abort(left);
    const { error } = outcome as { error?: Error };
    if ("data" in expected) expect(outcome).toEqual({ data: expected.data });
    else {
      expect(error).toMatchObject({
        name: expected.error,
        message: expect.stringMatching(expected.says),
        ...(expected.status && { status: expected.status }),
      });
      expect(error instanceof CatalogueError).toBe(expected.error !== "left");
      expectNoSecret(error);
    }
    // On a busy machine, the timeout can end the call before the request is sent.
    if (!https)
      expect(server.seen.length).toBeGreaterThanOrEqual(expected === late ? 0 : expected.sent);
    expect(server.seen.length).toBeLessThanOrEqual(expected.sent);

    expect(await eventually(() => server.busy() === 0), "a socket is still open").toBe(true);
    expect(await eventually(() => timers() <= timersBefore), "a timer is still active").toBe(true);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(unhandled).toEqual([]);
  },
);

/** A function that writes the response to the request with the given index to a raw socket. */
type Behavior = (socket: Socket, index: number) => unknown;

/** Formats the status line and headers of a response after which the client must close the connection. */
function head(status: string, ...headers: string[]): string {
  return [`HTTP/1.1 ${status}`, "Connection: close", ...headers, "", ""].join("\r\n");
}

/** Formats the status line and headers of a response that keeps the connection alive. */
function keptHead(status: string, ...headers: string[]): string {
  return [`HTTP/1.1 ${status}`, ...headers, "", ""].join("\r\n");
}

/** Sends a complete response. */
function whole(status: string, body: string | Buffer, ...headers: string[]): Behavior {
  return (socket) => {
    socket.write(head(status, ...headers, `Content-Length: ${Buffer.byteLength(body)}`));
    socket.write(body);
  };
}

/** Sends the given bytes and keeps the connection open. */
function bytes(...parts: (string | Buffer)[]): Behavior {
  return (socket) => {
    for (const part of parts) socket.write(part);
  };
}

/** Performs the given behavior, then closes the connection cleanly. */
function thenClose(behave: Behavior): Behavior {
  return (socket, index) => {
    behave(socket, index);
    socket.end();
  };
}

/** Performs the given behavior, then resets the connection. */
function thenReset(behave: Behavior): Behavior {
  return (socket, index) => {
    behave(socket, index);
    setTimeout(() => socket.resetAndDestroy(), 20).unref();
  };
}

/** Sends the start of a response, and then repeats one part every 10 ms until the connection closes. */
function drip(start: string, each: string): Behavior {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(each), 10).unref();
    socket.on("close", () => clearInterval(timer));
  };
}

/** Uses the behaviors in order, one per request, and repeats the last behavior. */
function inTurn(...behaviors: Behavior[]): Behavior {
  return (socket, index) => behaviors[Math.min(index, behaviors.length - 1)]!(socket, index);
}
