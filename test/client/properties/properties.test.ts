import { createContext, runInContext } from "node:vm";
import { AbortController as OldController } from "abort-controller";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  CatalogueError,
  TimeoutError,
  createCatalogue,
  type CallOptions,
  type Catalogue,
  type Middleware,
} from "../../../src/index.js";
import { tracesOf } from "../../support/canary.js";
import {
  clientTimers,
  isTemporary,
  later,
  reply,
  scriptService,
  type Reply,
  type SentRequest,
} from "./scripted-service.js";

const BASE = "https://catalogue.example";
const MIDDLEWARE = [
  ...(["none", "looks", "wraps", "replaces", "ignores"] as const),
  ...(["moves", "posts", "throws", "hangs"] as const),
];
const METHODS = ["GET", "DELETE", "POST", "http", "text", "stream", "withResponse"] as const;
const OTHER_ORIGINS = [
  "https://elsewhere.example",
  "https://catalogue.example.evil",
  "https://catalogue.example:444",
  "http://catalogue.example",
];
const REASONS = [
  undefined,
  null,
  0,
  "",
  "left",
  NaN,
  Symbol("left"),
  new Error("left"),
  { left: 1 },
];
const realm = createContext();

/** A random call, with the options of its client. Times are in milliseconds. */
interface Call {
  method: (typeof METHODS)[number];
  middleware: (typeof MIDDLEWARE)[number];
  /** The kind of object that contains the options. */
  options: "literal" | "instance" | "without prototype" | "of another realm";
  token: string;
  provides: "string" | "function" | "later" | "never";
  query: Record<string, string | string[]>;
  bodySecrets: [string, string];
  timeout: number;
  retries: number | undefined;
  signal: "none" | "null" | "fresh" | "listened to" | "stopped" | "polyfill";
  /** The time at which the caller aborts the signal. If the time is negative, the caller aborts before the call. */
  abortsAt: number;
  reason: unknown;
}

const secretOf = (character: string[]) =>
  fc.string({ unit: fc.constantFrom(...character), maxLength: 12 }).map((end) => `canary--${end}`);
const ascii = secretOf([..."abc19+/=\"\\'%!()*~&?#<>{}[]:;,.@"]);
const text = secretOf([..."abc19+/=\"\\'%!()*~&?#<>{} \n\té\u2028", "😀", "é"]);

const anyCall: fc.Arbitrary<Call> = fc.record({
  method: fc.constantFrom(...METHODS),
  middleware: fc.constantFrom("none", "none", ...MIDDLEWARE),
  options: fc.constantFrom("literal", "instance", "without prototype", "of another realm"),
  token: ascii,
  provides: fc.constantFrom("string", "string", "function", "function", "later", "later", "never"),
  query: fc.dictionary(
    fc.constantFrom("session_id", "guest_session_id", "request_token", "api_key", "access_token"),
    fc.oneof(text, fc.array(text, { maxLength: 2 })),
    { maxKeys: 2 },
  ),
  bodySecrets: fc.tuple(text, text),
  timeout: fc.constantFrom(5, 950, 2_000, 30_000, ...Array<number>(5).fill(300_000)),
  retries: fc.constantFrom(undefined, 0, 1, 3),
  signal: fc.constantFrom("none", "null", "fresh", "listened to", "stopped", "polyfill"),
  abortsAt: fc.constantFrom(-1, 0, 3, 100, 100, 905, 45_000, ...Array<number>(6).fill(400_000)),
  reason: fc.constantFrom(...REASONS),
});

// Leaves out middleware that reads a stream, because errors from the stream would then count as errors from the
// middleware.
const call = anyCall.filter(
  ({ method, middleware }) => method !== "stream" || !/looks|replaces/.test(middleware),
);

const script = fc.array(reply, { minLength: 1, maxLength: 4 });

/** The outcome of a call, from the perspective of its caller and of the service. */
interface Seen {
  data?: unknown;
  error?: unknown;
  signal: AbortSignal | null | undefined;
  /** The time from the start of the call until it settled, in milliseconds; Infinity if the call never settled. */
  settledAt: number;
  sent: SentRequest[];
  start: number;
  /** The number of timers that remained when the call settled. */
  timers: number;
  /** The number of abort listeners that remained after the service had finished. */
  listeners: number;
  /** The number of response bodies that remained open after the service had finished. */
  bodies: number;
}

class OwnError extends Error {
  constructor(readonly request: Request) {
    super(`thrown by middleware for ${request.url}`);
  }
}

function createMiddleware(): Record<Call["middleware"], Middleware | undefined> {
  let moves = 0;
  return {
    none: undefined,
    looks: {
      onRequest: async ({ request }) => void (await request.clone().text()),
      onResponse: async ({ response }) => void (await response.clone().text()),
      onError: () => {},
    },
    wraps: {
      onResponse: ({ response: { status, body, headers } }) =>
        new Response(body, { status, headers: Symbol.iterator in headers ? headers : {} }),
    },
    replaces: {
      onResponse: async ({ response }) =>
        new Response(await response.text(), { status: response.ok ? 404 : 503 }),
    },
    ignores: { onResponse: () => Response.json({}) },
    posts: {
      onRequest: ({ request: { url, headers } }) =>
        new Request(url, { method: "POST", headers, body: "{}" }),
    },
    moves: {
      async onRequest({ request }) {
        await new Promise<void>((resolve) => later(4, resolve));
        const body = (await request.clone().text()) || null;
        const url = request.url.replace(BASE, OTHER_ORIGINS[moves++ % OTHER_ORIGINS.length]!);
        return new Request(url, { method: request.method, headers: request.headers, body });
      },
    },
    throws: {
      onResponse({ request }) {
        throw new OwnError(request);
      },
    },
    hangs: { onResponse: () => new Promise<never>(() => {}) },
  };
}

/** Makes a call with fake timers, and waits until the service has finished. */
async function observe(it: Call, replies: readonly Reply[]): Promise<Seen> {
  const service = scriptService(replies);
  const token = it.provides === "string" ? it.token : () => provide(it);
  const catalogue = createCatalogue({ baseUrl: BASE, token, fetch: service.fetch });
  const middleware = createMiddleware()[it.middleware];
  if (middleware) catalogue.http.use(middleware);
  const { signal, abort, listeners } = createSignal(it);
  const start = performance.now();
  let outcome = { settledAt: Infinity, timers: Infinity };
  const settle = (result: object) => {
    outcome = { ...result, settledAt: performance.now() - start, timers: clientTimers() };
  };
  if (it.abortsAt < 0) abort();
  else later(it.abortsAt, abort);
  // Makes a second call with the same signal, which must not affect the observed call.
  const other = createCatalogue({
    baseUrl: BASE,
    token: "t",
    fetch: async () => Response.json({}),
  });
  void other.movies.latest({ signal }).catch(() => {});
  send(catalogue, it, signal).then(
    (data) => settle({ data }),
    (error: unknown) => settle({ error }),
  );
  await vi.advanceTimersByTimeAsync(500_000);
  const left = { listeners: listeners(), bodies: service.openBodies() };
  return { ...outcome, ...left, start, signal, sent: service.sent };
}

function provide({ token, provides }: Call): string | Promise<string> {
  if (provides === "function") return token;
  if (provides === "never") return new Promise(() => {});
  return new Promise((resolve) => later(2, () => resolve(token)));
}

function createSignal({ signal: kind, reason }: Call) {
  let listeners = 0;
  const old = new OldController();
  const controller =
    kind === "polyfill" ? (old as unknown as AbortController) : new AbortController();
  const { signal } = controller;
  if (kind === "listened to") signal.addEventListener("abort", () => {});
  if (kind === "stopped") signal.addEventListener("abort", (it) => it.stopImmediatePropagation());
  // Counts all added listeners, because some polyfills add the same listener twice.
  for (const [name, sign] of [
    ["addEventListener", 1],
    ["removeEventListener", -1],
  ] as const) {
    const real = signal[name].bind(signal) as (...all: unknown[]) => void;
    const counted = (...all: unknown[]) => ((listeners += sign), real(...all));
    Object.defineProperty(signal, name, { value: counted });
  }
  const given = { none: undefined, null: null }[kind as string];
  return {
    signal: kind === "none" || kind === "null" ? given : signal,
    abort: () => controller.abort(reason),
    listeners: () => listeners,
  };
}

/** Copies options to an object of the given kind. */
function shapeOptions<Options extends object>(kind: Call["options"], options: Options): Options {
  class Instance {
    own = undefined;
  }
  const targets = {
    literal: {},
    instance: new Instance(),
    "without prototype": Object.create(null) as object,
    "of another realm": runInContext("({})", realm) as object,
  };
  return Object.assign(targets[kind], options);
}

function send(
  { authentication, movies, http }: Catalogue,
  { method, options: kind, query: secrets, bodySecrets, timeout, retries }: Call,
  signal: AbortSignal | null | undefined,
): Promise<unknown> {
  const query = shapeOptions(kind === "instance" ? "literal" : kind, secrets);
  const all: CallOptions = { query, timeout, retries, signal };
  const options = shapeOptions(kind, all);
  const [first, second] = bodySecrets;
  const body = { access_token: first, more: [{ session_id: { a: [second] } }] };
  if (method === "GET") return movies.latest(options);
  if (method === "DELETE") return movies.deleteRating("a/b", options);
  if (method === "withResponse") return movies.latest.withResponse(options);
  if (method === "POST") return authentication.convertV4Session(Object.assign(options, { body }));
  const parseAs = method === "http" ? undefined : method;
  const init = shapeOptions(kind, { params: { query }, parseAs, timeout, retries, signal });
  const result = http.GET("/3/movie/latest", init as Record<string, unknown>);
  return method === "stream" ? result.then(cancelStream) : result;
}

/** Cancels the response stream on behalf of the caller. */
async function cancelStream({ data, response }: { data?: unknown; response: Response }) {
  await (data as ReadableStream | undefined)?.cancel();
  return { response };
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A function that throws an error if the outcome of a call violates a property. */
type Check = (seen: Seen, it: Call, replies: readonly Reply[]) => void | Promise<void>;

const PROPERTIES: Record<string, Check> = {
  "a call rejects with a TimeoutError on timeout, and with the abort reason on abort": (
    seen,
    it,
  ) => {
    const { error, settledAt, signal, sent, start } = seen;
    const abortsAt = signal ? Math.max(it.abortsAt, 0) : Infinity;
    const isStopped = it.signal === "stopped" && it.abortsAt >= 0;
    // The time that middleware takes does not count.
    const extra = { moves: 4, hangs: Infinity }[it.middleware as string] ?? 0;
    expect(settledAt).toBeLessThanOrEqual(
      Math.min(it.timeout + extra, isStopped ? Infinity : abortsAt),
    );
    for (const { at } of sent) expect(at - start).toBeLessThanOrEqual(abortsAt);
    if (settledAt === Infinity) return;
    if (settledAt > abortsAt) expect(error).not.toBeInstanceOf(CatalogueError);
    if (signal?.aborted && settledAt >= abortsAt && !(error instanceof CatalogueError)) {
      const aborted = { name: "AbortError", message: "This operation was aborted" };
      if (signal.reason === undefined) expect(error).toMatchObject(aborted);
      else expect(error).toBe(signal.reason);
    } else if (error instanceof TimeoutError) {
      expect(settledAt).toBe(it.timeout + (it.middleware === "moves" ? 4 : 0));
    } else if (error !== undefined && !(error instanceof OwnError)) {
      expect(error).toBeInstanceOf(CatalogueError);
    }
    if (signal && it.abortsAt < 0) expect(sent).toEqual([]);
  },

  "a call makes at most `retries` additional attempts, and only after temporary failures": (
    seen,
    it,
    replies,
  ) => {
    const isPost = it.method === "POST" || it.middleware === "posts";
    const retries = isPost ? 0 : (it.retries ?? 2);
    expect(seen.sent.length).toBeLessThanOrEqual(retries + 1);
    for (let index = 0; index < seen.sent.length - 1; index += 1) {
      expect(replies[Math.min(index, replies.length - 1)]).toSatisfy(isTemporary);
    }
  },

  "the client sends the token only to the origin of `baseUrl`": ({ sent }, it) => {
    for (const { url, headers } of sent) {
      const expected = new URL(url).origin === BASE ? `Bearer ${it.token}` : null;
      expect(headers.get("authorization")).toBe(expected);
    }
  },

  "a CatalogueError contains no secret and no request": ({ error }) => {
    if (!(error instanceof CatalogueError)) return;
    expect(tracesOf(error)).not.toMatch(
      /canary|\\u0063\\u0061\\u006e|SentRequest|\bHeaders \{[^}]*cookie/i,
    );
  },

  "a finished call leaves no timer, listener, or unread body behind": ({
    settledAt,
    timers,
    listeners,
    bodies,
  }) => {
    if (settledAt === Infinity) return;
    expect({ timers, listeners, bodies }).toEqual({ timers: 0, listeners: 0, bodies: 0 });
  },

  "on timeout or abort, a call cancels its requests, and sends no more requests": (seen, it) => {
    const { error, signal, sent, start, settledAt } = seen;
    for (const { at } of sent) expect(at - start).toBeLessThanOrEqual(settledAt);
    const isAborted = signal?.aborted && settledAt === it.abortsAt && error === signal.reason;
    if (it.signal === "stopped" && !(error instanceof TimeoutError)) return;
    if (!isAborted && !(error instanceof TimeoutError)) return;
    // While the middleware hangs, all requests have finished.
    if (it.middleware === "hangs") return;
    for (const request of sent) expect(request.signal.aborted).toBe(true);
  },

  "middleware that only reads responses does not change the outcome": async (seen, it, replies) => {
    // Skips streams, because the middleware would read the body before the caller.
    if (it.method === "stream") return;
    const plain =
      it.middleware === "none" ? seen : await observe({ ...it, middleware: "none" }, replies);
    const looked = await observe({ ...it, middleware: "looks" }, replies);
    expect(summaryOf(looked)).toEqual(summaryOf(plain));
  },
};

test("random calls to a service with random failures satisfy every property", async () => {
  const property = fc.asyncProperty(call, script, async (it, replies) => {
    const seen = await observe(it, replies);
    for (const [name, check] of Object.entries(PROPERTIES)) {
      try {
        await check(seen, it, replies);
      } catch (cause) {
        throw new Error(`violated: ${name}`, { cause });
      }
    }
  });
  // In CI, a fixed seed makes every run identical.
  await fc.assert(property, { numRuns: 250, ...(process.env["CI"] && { seed: 603 }) });
});

/** Returns the parts of an outcome that must be equal in two runs of the same call. */
function summaryOf({ data, error, settledAt, sent }: Seen): unknown {
  const requests = sent.map(({ url, method, body, redirect, headers }) => [
    url,
    method,
    body,
    redirect,
    ...headers,
  ]);
  const { name, message, cause, ...fields } = Object(error) as Error;
  const { response, ...rest } = Object(data) as { response?: Response };
  const { status, statusText, headers } = Object(response) as Response;
  const head = [status, statusText, headers?.get("x-sent")];
  return { rest, head, name, message, cause: String(cause), fields, settledAt, requests };
}
