import { expect, it } from "vitest";
import { callDeployment } from "../../../src/contract/record/live.js";
import { json, reset, serve, skipPauses, TOKEN, type Responder } from "../../support/server.js";
import { description as specified } from "../../../src/generated/description.js";
import { description } from "../../../src/generated/full-description.js";
import { likeSandbox, LISTS, planFile } from "./support.js";

async function call(baseUrl: string, options = {}) {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const items = await callDeployment({ baseUrl, token: TOKEN, delay: 0, env: {}, log, ...options });
  return { items, lines };
}

it("a live run passes each response to the gate unchanged, with the outcome that the plan expects", async () => {
  const { url } = await serve(json(200, { id: 701, extra: "a value" }));
  const plan = await planFile([LISTS, { ...LISTS, case: "refused", expectError: true }]);
  const { items } = await call(url, { plan });
  expect(items).toMatchObject([
    { exchange: { name: "live:movies.lists/typical", expectedOutcome: "success" } },
    { exchange: { name: "live:movies.lists/refused", expectedOutcome: "error" } },
  ]);
  const [first] = items;
  const exchange = "exchange" in first! ? first.exchange : undefined;
  expect(exchange?.response.body).toEqual({ id: 701, extra: "a value" });
  expect(exchange?.request).toMatchObject({
    headers: { authorization: `Bearer ${TOKEN}` },
    path: "/3/movie/701/lists",
  });
  // The response is in no file.
  expect(exchange).not.toHaveProperty("locate");
});

it.each<[string, object]>([
  ['"a text"', { body: "a text" }],
  ["not JSON", { text: "not JSON" }],
  ["", {}],
])("a live run passes the response body %j to the gate unchanged", async (sent, received) => {
  const { url } = await serve((response) => response.writeHead(404).end(sent));
  const { items } = await call(url, { plan: await planFile([LISTS]) });
  expect(items).toMatchObject([{ exchange: { response: { status: 404, ...received } } }]);
});

it.each<[string, Responder, string, string]>([
  ["a lost connection", reset, "no response", "ECONNRESET"],
  [
    "a truncated body",
    (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 500 });
      response.write('{"id":');
      setImmediate(() => response.destroy());
    },
    "no response",
    "connection failed",
  ],
  ["a rate-limited response", json(429, {}, { "retry-after": "99" }), "rate limited", "status 429"],
])(
  "a live run counts an exchange as not validated after %s",
  async (_, answer, unvalidated, reason) => {
    skipPauses();
    const { url } = await serve(...Array.from({ length: 4 }, () => answer));
    const { items, lines } = await call(url, { plan: await planFile([LISTS]) });
    expect(items).toEqual([{ name: "live:movies.lists/typical", unvalidated }]);
    expect(lines.join("\n")).toMatch("failed movies.lists/typical: ");
    expect(lines.join("\n")).toContain(reason);
  },
);

it("a live run logs and counts each planned case or operation that it does not call", async () => {
  const { url, seen } = await serve(likeSandbox);
  const rating = { operation: "movies.deleteRating", case: "typical", path: { movie_id: 1 } };
  const unset = { ...LISTS, case: "unset", path: { movie_id: "$CATALOGUE_UNSET" } };
  const { items, lines } = await call(url, { plan: await planFile([rating, unset]) });
  expect(items).toEqual([
    { skipped: "changes data" },
    { name: "live:movies.lists/unset", unvalidated: "not called" },
  ]);
  expect(lines).toEqual([
    "skipped movies.deleteRating/typical: it changes data; pass --allow-writes",
    "skipped movies.lists/unset: set CATALOGUE_UNSET",
  ]);
  expect(seen).toEqual([]);
  const builtIn = await call(url);
  expect(builtIn.items).toHaveLength(specified.operations.length);
  expect(builtIn.items).toContainEqual({ skipped: "changes data" });
  expect(builtIn.lines).toContain(
    "skipped movies.deleteRating: it changes data; add the call to a plan and pass --allow-writes",
  );
  const full = await call(url, { isFull: true });
  expect(full.items).toHaveLength(description.operations.length);
  expect(full.lines).toContain(
    "skipped movies.addRating: it changes data; add the call to a plan and pass --allow-writes",
  );
});

it("the remaining planned cases count as not called if a live run is interrupted", async () => {
  const { url } = await serve(likeSandbox);
  const stop = new AbortController();
  const cases = ["a", "b", "c"].map((name) => ({ ...LISTS, case: name }));
  const showProgress = (text: string) => text.startsWith("[2/3]") && stop.abort();
  const options = { plan: await planFile(cases), signal: stop.signal, showProgress };
  const { items } = await call(url, options);
  expect(items).toMatchObject([
    { exchange: { name: "live:movies.lists/a" } },
    { name: "live:movies.lists/b", unvalidated: "not called" },
    { name: "live:movies.lists/c", unvalidated: "not called" },
  ]);
});

it("a connection that is lost after a 503 response is not an exchange with the status 503", async () => {
  skipPauses();
  const { url } = await serve(json(503, {}), reset, reset, reset);
  const { items } = await call(url, { plan: await planFile([LISTS]) });
  expect(items).toEqual([{ name: "live:movies.lists/typical", unvalidated: "no response" }]);
});

it("a live run reports a deployment that does not respond in time, and stops after two calls", async () => {
  const { url, seen } = await serve(() => {});
  const cases = ["a", "b", "c"].map((name) => ({ ...LISTS, case: name }));
  const { items, lines } = await call(url, { plan: await planFile(cases), timeout: 50 });
  expect(items.map((each) => "unvalidated" in each && each.unvalidated)).toEqual([
    "no response",
    "no response",
    "not called",
  ]);
  expect(lines[0]).toMatch(/^movies\.lists\/a: no response within 0\.05 s; check the deployment/);
  expect(seen).toHaveLength(2);
});
