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
  isTemporary,
  reply,
  scriptService,
  type Reply,
  type SentRequest,
} from "./scripted-service.js";

const BASE = "https://catalogue.example";
const HOOKS = ["none", "looks", "replaces", "moves", "throws"] as const;
const METHODS = ["GET", "DELETE", "POST", "http", "withResponse"] as const;
const realm = createContext();

/** A call and its client. Times are in milliseconds. */
interface Call {
  method: (typeof METHODS)[number];
  hook: (typeof HOOKS)[number];
  /** The kind of object that holds the options. */
  options: "literal" | "instance" | "without prototype" | "of another realm";
  token: string;
  provides: "string" | "function" | "later";
  query: Record<string, string | string[]>;
  secret: string;
  timeout: number;
  retries: number | undefined;
  signal: "none" | "null" | "fresh" | "listened to" | "polyfill";
  /** The time at which the caller aborts; a negative number means before the call. */
  abortsAt: number;
}

const secretOf = (character: string[]) =>
  fc.string({ unit: fc.constantFrom(...character), maxLength: 12 }).map((end) => `canary--${end}`);
const ascii = secretOf([..."abc19+/=\"\\'%!()*~&?#<>{}[]:;,.@"]);
const text = secretOf([..."abc19+/=\"\\'%!()*~&?#<>{} \n\té\u2028", "😀", "é"]);

const call: fc.Arbitrary<Call> = fc.record({
  method: fc.constantFrom(...METHODS),
  hook: fc.constantFrom(...HOOKS),
  options: fc.constantFrom("literal", "instance", "without prototype", "of another realm"),
  token: ascii,
  provides: fc.constantFrom("string", "function", "later"),
  query: fc.dictionary(
    fc.constantFrom("session_id", "guest_session_id", "request_token", "api_key", "access_token"),
    fc.oneof(text, fc.array(text, { maxLength: 2 })),
    { maxKeys: 2 },
  ),
  secret: text,
  timeout: fc.constantFrom(1, 5, 950, 2_000, 30_000, 300_000),
  retries: fc.constantFrom(undefined, 0, 1, 3),
  signal: fc.constantFrom("none", "null", "fresh", "listened to", "polyfill"),
  abortsAt: fc.constantFrom(-1, 0, 3, 905, 1_000, 45_000, 400_000),
});

const script = fc.array(reply, { minLength: 1, maxLength: 4 });

/** The outcome of a call, as its caller and the service see it. */
interface Seen {
  data?: unknown;
  error?: unknown;
  /** The time until the call settled, in milliseconds; Infinity if it never did. */
  settledAt: number;
  sent: SentRequest[];
  /** Timers, listeners, and body streams that the client left behind. */
  left: { timers: number; listeners: number; bodies: number };
}

const OWN_ERROR = new Error("thrown by a hook");
const REASON = Object.freeze({ left: true });

const MIDDLEWARE: Record<Call["hook"], Middleware | undefined> = {
  none: undefined,
  looks: {
    onRequest: async ({ request }) => void (await request.clone().text()),
    onResponse: async ({ response }) => void (await response.clone().text()),
    onError: () => {},
  },
  replaces: {
    onResponse: async ({ response }) =>
      new Response(await response.text(), { status: response.ok ? 404 : 503 }),
  },
  moves: {
    onRequest: async ({ request: { method, headers, ...rest }, request }) =>
      new Request(request.url.replace("catalogue", "elsewhere"), {
        ...rest,
        method,
        headers,
        body: (await request.clone().text()) || null,
      }),
  },
  throws: {
    onResponse() {
      throw OWN_ERROR;
    },
  },
};

/** Makes a call in virtual time, until the service has nothing left to do. */
async function observe(it: Call, replies: readonly Reply[]): Promise<Seen> {
  const service = scriptService(replies);
  const token = it.provides === "string" ? it.token : () => provide(it);
  const catalogue = createCatalogue({ baseUrl: BASE, token, fetch: service.fetch });
  const middleware = MIDDLEWARE[it.hook];
  if (middleware) catalogue.http.use(middleware);
  const { signal, abort, listeners } = createSignal(it.signal);
  const start = performance.now();
  let outcome = { settledAt: Infinity };
  const settle = (result: object) => {
    outcome = { ...result, settledAt: performance.now() - start };
  };
  if (it.abortsAt < 0) abort();
  else setTimeout(abort, it.abortsAt);
  // The end of a call must not end other calls with the same signal.
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
  const left = {
    timers: vi.getTimerCount(),
    listeners: listeners(),
    bodies: service.openBodies(),
  };
  vi.clearAllTimers();
  return { ...outcome, sent: service.sent, left };
}

function provide({ token, provides }: Call): string | Promise<string> {
  if (provides === "function") return token;
  return new Promise((resolve) => setTimeout(resolve, 2, token));
}

function createSignal(kind: Call["signal"]) {
  let listeners = 0;
  const old = new OldController();
  const controller =
    kind === "polyfill" ? (old as unknown as AbortController) : new AbortController();
  const { signal } = controller;
  if (kind === "listened to") signal.addEventListener("abort", () => {});
  // Counts listeners as polyfills do, which add the same listener twice.
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
    abort: () => controller.abort(REASON),
    listeners: () => listeners,
  };
}

/** Copies options to the given kind of object. */
function shapeOptions<Options extends object>(kind: Call["options"], options: Options): Options {
  class Instance {}
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
  { method, options: kind, query: secrets, secret, timeout, retries }: Call,
  signal: AbortSignal | null | undefined,
): Promise<unknown> {
  const query = shapeOptions(kind === "instance" ? "literal" : kind, secrets);
  const all: CallOptions = { query, timeout, retries, signal };
  const options = shapeOptions(kind, all);
  const body = { access_token: secret, more: [{ session_id: { a: [secret] } }] };
  if (method === "GET") return movies.latest(options);
  if (method === "DELETE") return movies.deleteRating("a/b", options);
  if (method === "withResponse") return movies.latest.withResponse(options);
  if (method === "POST") return authentication.convertV4Session(Object.assign(options, { body }));
  const init = shapeOptions(kind, { params: { query }, timeout, retries, signal });
  return http.GET("/3/movie/latest", init as Record<string, unknown>);
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Checks a property with random calls. CI generates the same calls each time. */
function holds(
  title: string,
  check: (seen: Seen, it: Call, replies: readonly Reply[]) => void | Promise<void>,
): void {
  test(title, () =>
    fc.assert(
      fc.asyncProperty(call, script, async (it, replies) => {
        await check(await observe(it, replies), it, replies);
      }),
      { numRuns: 150, ...(process.env["CI"] && { seed: 603 }) },
    ),
  );
}

holds("a call settles by its timeout or abort, with a TimeoutError or the reason", (seen, it) => {
  const hasSignal = !["none", "null"].includes(it.signal);
  const abortsAt = hasSignal ? Math.max(it.abortsAt, 0) : Infinity;
  expect(seen.settledAt).toBeLessThanOrEqual(Math.min(it.timeout, abortsAt));
  const { error } = seen;
  if (error instanceof TimeoutError) expect(seen.settledAt).toBe(it.timeout);
  else if (error === REASON || (error as Error | undefined)?.name === "AbortError")
    expect(seen.settledAt).toBe(abortsAt);
  else if (error && error !== OWN_ERROR) expect(error).toBeInstanceOf(CatalogueError);
});

holds(
  "a call makes at most `retries` more attempts, and only after temporary failures",
  (seen, it, replies) => {
    const retries = it.method === "POST" ? 0 : (it.retries ?? 2);
    expect(seen.sent.length).toBeLessThanOrEqual(retries + 1);
    for (let index = 0; index < seen.sent.length - 1; index += 1) {
      expect(replies[Math.min(index, replies.length - 1)]).toSatisfy(isTemporary);
    }
  },
);

holds("the token goes to the origin of `baseUrl`, and only there", ({ sent }, it) => {
  for (const { url, headers } of sent) {
    const expected = new URL(url).origin === BASE ? `Bearer ${it.token}` : null;
    expect(headers.get("authorization")).toBe(expected);
  }
});

holds("no error of the client contains a secret or a request", ({ error }) => {
  if (!(error instanceof CatalogueError)) return;
  expect(tracesOf(error)).not.toMatch(/canary|\\u0063\\u0061|SentRequest|\bHeaders \{[^}]*cookie/i);
});

holds("a call leaves no timer, listener, or unread body", ({ left }) => {
  expect(left).toEqual({ timers: 0, listeners: 0, bodies: 0 });
});

holds("middleware that only looks changes nothing", async (seen, it, replies) => {
  const plain = it.hook === "none" ? seen : await observe({ ...it, hook: "none" }, replies);
  const looked = await observe({ ...it, hook: "looks" }, replies);
  expect(summaryOf(looked)).toEqual(summaryOf(plain));
});

/** The part of an outcome that can be compared. */
function summaryOf({ data, error, settledAt, sent }: Seen): unknown {
  const requests = sent.map(({ headers, ...rest }) => ({ ...rest, headers: [...headers] }));
  const { name, message, cause, ...fields } = Object(error) as Error;
  const { response, ...rest } = Object(data) as { response?: Response };
  const { status, statusText, headers = [] } = Object(response) as Response;
  const head = [status, statusText, ...headers];
  return { rest, head, name, message, cause: String(cause), fields, settledAt, requests };
}
