import { readHeader } from "../client/body.js";
import { checkOptions } from "../client/checks.js";
import { withDeadline } from "../client/deadline.js";
import { invalidArgument, unexpectedValue } from "../client/errors.js";
import type { Call, Interceptor } from "../types/interceptor.js";

/** A store for responses, such as a Keyv or a Map. Both functions can return a promise. */
export interface Store {
  get(key: string): unknown;
  /** Stores an entry, which can be dropped after `ttlMs` milliseconds. */
  set(key: string, entry: unknown, ttlMs: number): unknown;
}

/** Options for `cache`. */
export interface CacheOptions {
  /**
   * For how long a response is kept, in milliseconds.
   * @default the `max-age` of the response less its `Age`
   */
  readonly ttl?: number | ((operation: string) => number) | undefined;
  /** A function that is called if the store fails, or does not respond within 250 ms. The call then uses the network. */
  readonly onWarning?: ((warning: Error) => void) | undefined;
}

/** What the cache stores. Any other value in the store counts as missing. */
interface Entry {
  readonly until: number;
  readonly data: unknown;
}

/** How long a call waits for the store, in milliseconds. */
const PATIENCE = 250;
const LRU_ADAPTER =
  "{ get: (key) => lru.get(key), set: (key, entry, ttl) => lru.set(key, entry, { ttl }) }";
/** The longest time for which an entry is kept: about 34 years. JSON cannot represent Infinity. */
const MAX_LIFETIME = 2 ** 40;

/**
 * Answers calls from a store. Keeps only the bodies of public GETs: never an error, a response that is marked `no-store`
 * or `private`, or a call through `withResponse` or `http`. Each caller receives its own copy.
 * @throws {TypeError} if the store or an option is invalid
 * @example cache(new Keyv())
 * @example cache({ get: (key) => lru.get(key), set: (key, entry, ttl) => lru.set(key, entry, { ttl }) })
 * @example cache(new Map(), { ttl: (operation) => (operation === "genres.movieList" ? 86_400_000 : 60_000) })
 */
export function cache(store: Store, options: CacheOptions = {}): Interceptor {
  if (typeof store?.get !== "function" || typeof store.set !== "function")
    throw unexpectedValue("cache", "store", "an object with `get` and `set`", store);
  // lru-cache and its kin take the time as an option, and would store nothing.
  if ("getRemainingTTL" in store && store.set.length < 3)
    throw invalidArgument(
      "cache",
      `the set of an LRUCache takes options instead of a time; pass ${LRU_ADAPTER}`,
    );
  checkOptions("cache", options, ["ttl", "onWarning"]);
  const { ttl, onWarning } = options;
  if (!["undefined", "function"].includes(typeof ttl) && !(typeof ttl === "number" && ttl >= 0))
    throw invalidArgument("cache", `ttl must be a number ≥ 0 or a function, not ${String(ttl)}`);
  const warn = (problem: string, cause: unknown) =>
    onWarning?.(new Error(`cache: ${problem}`, { cause }));

  async function read({ signal }: Call, key: string): Promise<Entry | undefined> {
    try {
      const late = () => new Error(`no response within ${PATIENCE} ms`);
      const entry = await withDeadline(PATIENCE, signal, late, ({ count }) =>
        count(async () => store.get(key)),
      );
      return isFresh(entry) ? entry : undefined;
    } catch (error) {
      if (!signal?.aborted) warn("the store could not be read", error);
      return undefined;
    }
  }

  async function write(key: string, data: unknown, ms: number): Promise<void> {
    try {
      await store.set(key, { until: Date.now() + ms, data: copyJson(data) }, ms);
    } catch (error) {
      warn("the store could not be written", error);
    }
  }

  return async (call, next) => {
    if (!call.isPublic || call.needsResponse) return next();
    const own = typeof ttl === "function" ? ttl(call.operation) : ttl;
    const key = await call.key();
    const entry = await read(call, key);
    if (entry) return { data: copyJson(entry.data), attempts: 0, source: "cache" };
    const result = await next();
    const ms = result.response ? lifetimeOf(result.response, own) : 0;
    // Does not wait for the store.
    if (ms > 0 && result.data !== undefined) void write(key, result.data, ms);
    return result;
  };
}

function isFresh(entry: unknown): entry is Entry {
  const { until, data } = Object(entry) as Partial<Entry>;
  return typeof until === "number" && until > Date.now() && data !== undefined;
}

/** Returns for how many milliseconds a response may be kept. */
function lifetimeOf({ headers }: Response, ttl: number | undefined): number {
  const directives = readHeader(headers, "cache-control") ?? "";
  if (/\b(no-store|no-cache|private)\b/i.test(directives)) return 0;
  const [, maxAge] = /\bmax-age="?(\d+)/i.exec(directives) ?? [];
  const age = Number(readHeader(headers, "age") ?? 0);
  return Math.floor(Math.min(ttl ?? (Number(maxAge) - age) * 1000, MAX_LIFETIME));
}

/** Copies a parsed body, so that its owner can change it. Does not use `structuredClone`, which Hermes does not have. */
function copyJson(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data));
}
