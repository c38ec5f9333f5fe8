import { expect, it } from "vitest";
import { CommandError } from "../../../src/cli/command-error.js";
import { live } from "../../../src/contract/record/live.js";
import { reset, serve, TOKEN, json, rejection, type Answer } from "../../support/server.js";
import { likeSandbox, planFile } from "./support.js";

const LISTS = { operation: "movies.lists", case: "typical", path: { movie_id: 603 } };

/** A sandbox that fails the first requests. */
const broken = (count: number, answer: Answer) =>
  serve(...Array.from({ length: count }, () => answer), likeSandbox);

async function call(baseUrl: string, options = {}) {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const run = await live({ baseUrl, token: TOKEN, pause: 0, env: {}, log, ...options });
  const exchanges = run.items.flatMap((item) => ("exchange" in item ? [item.exchange] : []));
  return { ...run, exchanges, lines, sum: lines.at(-1) };
}

it("gives the judge an exchange of each operation that reads", async () => {
  const { url } = await serve(likeSandbox);

  const result = await call(url);
  expect(result).toMatchObject({
    sum: "reached 18 of 18 operations",
    inconclusive: false,
  });
  expect(result.exchanges).toHaveLength(18);
  expect(
    result.items.filter((item) => "skipped" in item && item.skipped === "no response"),
  ).toEqual([]);
  const lists = result.exchanges.find(({ operation }) => operation === "movies.lists")!;
  expect(lists).toMatchObject({ origin: "live", name: "live:movies.lists" });
  expect(lists.locate("/results/0")).toEqual({ file: "live:movies.lists", line: 1, column: 1 });
  expect(lists.response.headers["content-type"]).toContain("application/json");
});

it("is inconclusive below 90 %, whatever the reason, and not at 94 %", async () => {
  const refusal = json(401, { success: false, status_code: 7, status_message: "No." });

  const one = await call((await broken(1, refusal)).url);
  expect(one).toMatchObject({ sum: "reached 17 of 18 operations", inconclusive: false });
  const two = await call((await broken(2, refusal)).url);
  expect(two).toMatchObject({ sum: "reached 16 of 18 operations", inconclusive: true });
  expect(two.exchanges).toHaveLength(18);
});

it.each<[string, object]>([
  ['"a text"', { body: "a text" }],
  ["null", { body: null }],
  ["no JSON", { text: "no JSON" }],
  ["", {}],
])("judges the body of a refusal as it was sent: %s", async (sent, judged) => {
  const { url } = await serve((response) => response.writeHead(404).end(sent));
  const { exchanges } = await call(url, { plan: await planFile([LISTS]) });
  const headers = expect.any(Object);
  expect(exchanges.map(({ response }) => response)).toEqual([{ status: 404, headers, ...judged }]);
});

it("goes on where a refusal nests too deeply to be walked", async () => {
  const deep = "[".repeat(50_000) + "]".repeat(50_000);
  const { url } = await serve((response) => response.writeHead(404).end(deep), likeSandbox);
  const plan = await planFile([LISTS, { ...LISTS, case: "again" }]);
  const { exchanges, lines } = await call(url, { plan });
  expect(lines[0]).toBe(
    "failed movies.lists/typical: holds a body that nests deeper than 256 levels",
  );
  expect(exchanges).toHaveLength(1);
});

it.each<[string, Answer, string]>([
  ["a lost connection", reset, "ECONNRESET"],
  ["a status 501", json(501, {}), "501"],
  ["a redirect", json(302, {}, { location: "/" }), "302"],
])("judges no answer where there is %s", async (_, answer, reason) => {
  // A lost connection is tried again three times.
  const { url } = await serve(...Array.from({ length: 4 }, () => answer));
  const plan = await planFile([LISTS]);

  const result = await call(url, { plan });
  expect(result.items).toEqual([{ file: "movies.lists/typical", skipped: "no response" }]);
  const line = result.lines.find((each) => each.startsWith("failed movies.lists/typical: "));
  expect(line).toContain(reason);
});

it("does not take a short plan for a good service", async () => {
  const { url } = await serve(likeSandbox);
  const plan = await planFile([LISTS, { ...LISTS, case: "page-2", query: { page: 2 } }]);

  const result = await call(url, { plan });
  expect(result).toMatchObject({ sum: "reached 1 of 18 operations", inconclusive: true });
  expect(result.exchanges.map(({ name }) => name)).toEqual([
    "live:movies.lists",
    "live:movies.lists/page-2",
  ]);
});

it("hands a body that is no JSON to the judge as text, with its secrets hidden", async () => {
  const { url } = await serve(json(200, `<html>${TOKEN}`));

  const { exchanges, sum } = await call(url, { plan: await planFile([LISTS]) });
  expect(exchanges).toMatchObject([{ response: { status: 200, text: "<html>scrubbed" } }]);
  expect(sum).toBe("reached 1 of 18 operations");
});

it("refuses plain http to a host that is not loopback", async () => {
  expect(await rejection(call("http://catalogue.example"))).toBeInstanceOf(CommandError);
});
