import { expect, test } from "vitest";
import { cache, dedupe, log } from "../../src/interceptors/index.js";
import { rejection, skipPauses, TOKEN } from "../support/server.js";
import { clientWith } from "./support.js";

const collectLines = () => {
  const lines: string[] = [];
  return {
    lines,
    sink: { info: (line: string) => void lines.push(line.replace(/ \d+ ms/, " 0 ms")) },
  };
};

test("log writes one line for each call, with the status, the attempts, and the source", async () => {
  skipPauses();
  const { lines, sink } = collectLines();
  const statuses = [200, 503, 200, 404, 200];
  const { http, movies } = clientWith([log(sink), dedupe(), cache(new Map(), { ttl: 1000 })], {
    respond: () => Response.json({ id: 1 }, { status: statuses.shift()! }),
  });
  await Promise.all([movies.details(701), movies.details(701)]);
  await movies.details(701);
  await movies.popular();
  await rejection(movies.details(702));
  await http.GET("/3/movie/latest");
  expect(lines.toSorted()).toEqual(
    [
      "movies.details 200 in 0 ms (network, 1 attempt)",
      "movies.details 200 in 0 ms (shared, 0 attempts)",
      "movies.details 200 in 0 ms (cache, 0 attempts)",
      "movies.popular 200 in 0 ms (network, 2 attempts)",
      "movies.details 404 in 0 ms (network, 1 attempt)",
      "GET /3/movie/latest 200 in 0 ms (network, 1 attempt)",
    ].toSorted(),
  );
});

test("log writes the name of an error without a status, and no secrets", async () => {
  const { lines, sink } = collectLines();
  const fail = (url: string) => Promise.reject(new TypeError(`no ${url} ${TOKEN}`));
  const { movies } = clientWith([log(sink)], { respond: fail });
  const query = { session_id: "canary-session" };
  await rejection(movies.accountStates(701, { query, retries: 0 }));
  const late = clientWith([log(sink)], { respond: () => new Promise(() => {}), timeout: 5 });
  await rejection(late.movies.details(701));
  const aborted = clientWith([log(sink), () => Promise.reject(undefined)]);
  await rejection(aborted.movies.details(701));
  expect(lines).toEqual([
    "movies.accountStates ConnectionError in 0 ms (network, 1 attempt)",
    "movies.details TimeoutError in 0 ms (network, 1 attempt)",
    "movies.details failed in 0 ms (network, 0 attempts)",
  ]);
});

test("log rejects a sink without an `info` function", () => {
  expect(() => log({} as never)).toThrow(
    new TypeError("log: the argument must be an object with an `info` function, not an object"),
  );
});
