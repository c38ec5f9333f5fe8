import { expect, it } from "vitest";
import { live } from "../../../src/contract/record/calls.js";
import { json, reset, serve, TOKEN, type Answer } from "../../support/server.js";
import { likeSandbox, LISTS, planFile } from "./support.js";

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

it("passes an exchange of each read-only operation to the gate, including undeclared values", async () => {
  const { url } = await serve((response, request) =>
    request.url.endsWith("/lists")
      ? json(200, { id: 603, extra: "a value" })(response, request)
      : likeSandbox(response, request),
  );
  const { exchanges, ...result } = await call(url);
  expect(result).toMatchObject({ sum: "reached 18 of 18 operations", inconclusive: false });
  expect(exchanges).toHaveLength(18);
  const lists = exchanges.find(({ operation }) => operation === "movies.lists")!;
  const name = "live:movies.lists";
  expect(lists).toMatchObject({ name, response: { body: { extra: "a value" } } });
  expect(lists.locate("/results/0")).toEqual({ file: name, line: 1, column: 1 });
});

it("is inconclusive if it reaches fewer than 90% of the operations, even if a short plan succeeds", async () => {
  const refusal = json(401, { success: false, status_code: 7, status_message: "No." });
  const one = await call((await broken(1, refusal)).url);
  expect(one).toMatchObject({ sum: "reached 17 of 18 operations", inconclusive: false });
  const two = await call((await broken(2, refusal)).url);
  expect(two).toMatchObject({ sum: "reached 16 of 18 operations", inconclusive: true });
  expect(two.exchanges).toHaveLength(18);
  const short = await call((await serve(likeSandbox)).url, { plan: await planFile([LISTS]) });
  expect(short).toMatchObject({ sum: "reached 1 of 18 operations", inconclusive: true });
});

it.each<[string, object]>([
  ['"a text"', { body: "a text" }],
  [`not JSON ${TOKEN}`, { text: "not JSON scrubbed" }],
  ["", {}],
  [`{"a":1,"a":2,"${TOKEN}":1,"${TOKEN}":2}`, { repeated: ["/a", "/scrubbed"] }],
])("checks the body of a refusal as it was sent: %s", async (sent, checked) => {
  const { url } = await serve((response) => response.writeHead(404).end(sent));
  const { exchanges } = await call(url, { plan: await planFile([LISTS]) });
  const headers = expect.any(Object) as object;
  expect(exchanges.map(({ response }) => response)).toMatchObject([
    { status: 404, headers, ...checked },
  ]);
});

it.each<[string, Answer, string]>([
  ["a lost connection", reset, "ECONNRESET"],
  ["a status 501", json(501, {}), "501"],
])("does not check %s", async (_, answer, reason) => {
  const { url } = await serve(...Array.from({ length: 4 }, () => answer));
  const { items, lines } = await call(url, { plan: await planFile([LISTS]) });
  expect(items).toEqual([{ file: "movies.lists/typical", skipped: "no response" }]);
  expect(lines.join("\n")).toMatch(`failed movies.lists/typical: `);
  expect(lines.join("\n")).toContain(reason);
});
