/** A script for `node --expose-gc` that makes many calls, and prints the heap size in bytes after each round. */
import { CatalogueError, createCatalogue } from "../../src/index.js";

const ROUNDS = 10;
const CALLS = 10_000;

// Shortens the pauses before retries to 0 ms.
const { setTimeout: real } = globalThis;
globalThis.setTimeout = ((run: () => void, ms = 0) =>
  real(run, ms < 10_000 ? 0 : ms)) as typeof setTimeout;

const page = JSON.stringify({ page: 1, results: [] });
let sent = 0;
let last: unknown;
const catalogue = createCatalogue({
  baseUrl: "https://catalogue.example",
  token: () => `token-${sent}-of-this-attempt`,
  // Of every 100 calls, ten fail with 401 twice, one succeeds after a retry, and one loses its connection. The client has
  // refreshed as many tokens as it remembers after the first round.
  fetch: async (url) => {
    sent += 1;
    const number = Number(new URL(String(url)).searchParams.get("page")) % 100;
    const isRetry = url === last;
    last = url;
    if (number % 10 === 1) return Response.json({ status_code: 7 }, { status: 401 });
    if (number === 2 && !isRetry) {
      return new Response("busy", { status: 503 });
    }
    if (number === 50) throw new TypeError("fetch failed");
    return new Response(page, { headers: { "content-type": "application/json" } });
  },
});

// All calls share one signal, as in an app that aborts its calls when a page closes.
const { signal } = new AbortController();
const heaps: number[] = [];
let failed = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  for (let call = 0; call < CALLS; call += 1) {
    try {
      await catalogue.people.popular({
        query: { page: call },
        signal,
        retries: call % 100 === 50 ? 0 : 2,
      });
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error;
      failed += 1;
    }
  }
  for (let time = 0; time < 3; time += 1) {
    await new Promise((resolve) => real(resolve, 10));
    gc!();
  }
  heaps.push(process.memoryUsage().heapUsed);
}
console.log(JSON.stringify({ heaps, calls: ROUNDS * CALLS, failed, sent }));
