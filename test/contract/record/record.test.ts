import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CommandError } from "../../../src/cli/command-error.js";
import { record, type RecordOptions } from "../../../src/contract/record/record.js";
import { isExchange } from "../../support/exchange.js";
import { scratchFolder } from "../../support/scratch.js";
import { json, rejection, serve, TOKEN } from "../../support/server.js";
import { filesIn, likeSandbox, planFile, sandboxServer } from "./support.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");

const LISTS = { operation: "movies.lists", case: "typical", path: { movie_id: 603 } };
const LANGUAGES = { operation: "configuration.languages", case: "typical" };
const LATEST = { operation: "movies.latest", case: "typical" };

const run = (baseUrl: string, out: string, options: Partial<RecordOptions> = {}) =>
  record({ baseUrl, out, token: TOKEN, pause: 0, env: {}, ...options });

it("records every operation that reads and needs no account", async () => {
  const { url, asked } = await sandboxServer();
  const out = await scratchFolder();

  const summary = await run(url, out);

  expect(summary.recorded).toHaveLength(18);
  expect(summary.leftOut.map(({ name }) => name)).toEqual([
    "authentication.convertV4Session",
    "account.details",
    "account.ratedMovies",
    "account.favoriteTv",
    "movies.deleteRating",
  ]);
  expect(asked).toHaveLength(18);
  for (const [file, text] of filesIn(out)) {
    expect(isExchange(JSON.parse(text)), file).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ source: { kind: "live" } });
  }
});

it("writes what the service answered, with the query and the path that were sent", async () => {
  const body = { id: 603, results: [], page: 1, total_pages: 0, total_results: 0, list: [1, [2]] };
  const { url } = await serve(json(200, body, { etag: '"1"', server: "x", "x-request-id": "y" }));
  const out = await scratchFolder();
  const plan = await planFile([{ ...LISTS, query: { page: 2 } }]);

  const { recorded } = await run(`${url}/prefix`, out, { plan });

  expect(recorded).toEqual([join(out, "movies.lists/typical.json")]);
  expect(JSON.parse(readFileSync(recorded[0]!, "utf8"))).toEqual({
    operation: "movies.lists",
    source: { kind: "live", note: expect.any(String), recordedAt: expect.any(String) },
    request: { method: "GET", path: "/3/movie/603/lists", query: { page: 2 } },
    response: { status: 200, headers: { "content-type": "application/json", etag: '"1"' }, body },
  });
});

it("keeps what is recorded, without a request, until it is told to update", async () => {
  const { url, asked } = await sandboxServer();
  const out = await scratchFolder();
  const file = join(out, "movies.lists/typical.json");
  mkdirSync(join(out, "movies.lists"));
  writeFileSync(file, "mine");
  const plan = await planFile([LISTS]);
  const lines: string[] = [];

  const first = await run(url, out, { plan, log: (line) => lines.push(line) });
  expect(first).toMatchObject({ recorded: [], kept: [file] });
  expect(lines).toEqual([expect.stringContaining(file)]);
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect(asked).toEqual([]);

  const second = await run(url, out, { plan, update: true });
  expect(second).toMatchObject({ recorded: [file], kept: [] });
  expect(readFileSync(file, "utf8")).toContain('"movies.lists"');
});

it("keeps a recording that appeared while it was waiting for the answer", async () => {
  const out = await scratchFolder();
  const file = join(out, "movies.lists/typical.json");
  const { url } = await serve((response, seen) => {
    mkdirSync(join(out, "movies.lists"));
    writeFileSync(file, "theirs");
    return likeSandbox(response, seen);
  });

  expect(await run(url, out, { plan: await planFile([LISTS]) })).toMatchObject({ kept: [file] });
  expect([...filesIn(out)]).toEqual([["movies.lists/typical.json", "theirs"]]);
});

it("records a refusal where the plan asks for one, and calls it a failure elsewhere", async () => {
  const envelope = { success: false, status_code: 34, status_message: "No such thing." };
  const { url } = await serve(json(404, envelope));
  const plan = await planFile([LISTS, { ...LISTS, case: "not-found", error: true }]);

  const summary = await run(url, await scratchFolder(), { plan });
  expect(summary.recorded).toEqual([expect.stringMatching(/not-found\.json$/)]);
  expect(summary.failed).toEqual([
    {
      name: "movies.lists/typical",
      reason: expect.stringMatching(/^status 404 .*No such thing/) as string,
    },
  ]);
});

it.each([
  ["a success where a refusal is planned", json(200, {}), { error: true }, /^status 200 /],
  ["a broken service, also where a refusal is planned", json(501, {}), { error: true }, /501/],
  ["a page of HTML", json(200, "<html>"), {}, /not JSON/],
  ["a redirect", json(302, {}, { location: "/elsewhere" }), {}, /^status 302 /],
])("does not record %s", async (_, answer, entry, reason) => {
  const { url } = await serve(answer);
  const out = await scratchFolder();

  const { failed } = await run(url, out, { plan: await planFile([{ ...LISTS, ...entry }]) });
  expect(failed).toEqual([
    { name: "movies.lists/typical", reason: expect.stringMatching(reason) as string },
  ]);
  expect(filesIn(out).size).toBe(0);
});

it.each([
  ["a nested query", { query: { a: { b: 1 } } }, /query parameter "a" is an object/],
  ["a path parameter that is none", { path: { movie_id: true } }, /path parameter movie_id/],
  ["a body where none is taken", { body: {} }, /body/],
])("sends nothing of a case with %s", async (_, entry, reason) => {
  const { url, seen } = await serve(likeSandbox);
  const plan = await planFile([{ ...LISTS, ...entry }]);

  const { failed } = await run(url, await scratchFolder(), { plan });
  expect(failed).toMatchObject([{ reason: expect.stringMatching(reason) as string }]);
  expect(seen).toEqual([]);
});

it("waits as long as Retry-After says", async () => {
  const { url, seen } = await serve(json(429, {}, { "retry-after": "1" }), likeSandbox);

  const { recorded } = await run(url, await scratchFolder(), { plan: await planFile([LISTS]) });
  expect(recorded).toHaveLength(1);
  expect(seen[1]!.at - seen[0]!.at).toBeGreaterThan(950);
});

it("sends nothing more to a service that asks to wait longer than it can", async () => {
  const { url, seen } = await serve(json(429, {}, { "retry-after": "3600" }));
  const plan = await planFile([LISTS, LANGUAGES, LATEST]);

  const { failed, leftOut } = await run(url, await scratchFolder(), { plan });
  expect(failed).toEqual([
    { name: "movies.lists/typical", reason: expect.stringContaining("429") as string },
  ]);
  const reason = "the service asked to wait";
  expect(leftOut).toEqual([
    { name: "configuration.languages/typical", reason },
    { name: "movies.latest/typical", reason },
  ]);
  expect(seen).toHaveLength(1);
});

it("goes on after a failure and says in one line what it was", async () => {
  const { url } = await serve(json(404, { status_message: "\u001b[31mred\r\nline" }), likeSandbox);
  const lines: string[] = [];
  const plan = await planFile([LISTS, LANGUAGES]);

  await run(url, await scratchFolder(), { plan, log: (line) => lines.push(line) });
  expect(lines).toEqual([
    'failed movies.lists/typical: status 404 {"status_message":"\\u001b[31mred\\r\\nline"}',
    "recorded configuration.languages/typical (200)",
  ]);
});

it("pauses between two calls", async () => {
  const { url, seen } = await serve(likeSandbox);
  const plan = await planFile([LISTS, LANGUAGES]);

  await run(url, await scratchFolder(), { plan, pause: 150 });
  expect(seen[1]!.at - seen[0]!.at).toBeGreaterThan(140);
});

it("changes nothing unless it is told to write", async () => {
  const { url, asked } = await sandboxServer();
  const rating = { operation: "movies.deleteRating", case: "typical", path: { movie_id: 603 } };
  const plan = await planFile([rating]);

  const reading = await run(url, await scratchFolder(), { plan });
  expect(reading.leftOut).toEqual([
    { name: "movies.deleteRating/typical", reason: "it changes something; --write calls it" },
  ]);
  expect(asked).toEqual([]);

  const writing = await run(url, await scratchFolder(), { plan, write: true });
  expect(writing.recorded).toHaveLength(1);
});

it("removes a recording when a later answer shows that it holds a secret", async () => {
  const secret = "opaque-value-31415926";
  const { url } = await serve(
    json(200, { description: `see ${secret}` }),
    json(200, [], { "set-cookie": `sid=${secret}; Path=/` }),
  );
  const out = await scratchFolder();
  const error = await rejection(run(url, out, { plan: await planFile([LISTS, LANGUAGES]) }));

  expect(error).toMatchObject({ exitCode: 1 });
  expect((error as Error).message).toContain("movies.lists/typical.json (removed)");
  expect((error as Error).message).not.toContain(secret);
  expect([...filesIn(out).keys()]).toEqual(["configuration.languages/typical.json"]);
});

it("records on where a password is a word of the recording's own form", async () => {
  const words = ["response", "operation", "cache-control"].map((password) => ({ password }));
  const headers = { "cache-control": "no-store" };
  const { url } = await serve(json(200, words, headers), json(200, []));
  const out = await scratchFolder();

  const { recorded } = await run(url, out, { plan: await planFile([LISTS, LANGUAGES]) });
  expect(recorded).toHaveLength(2);
});

it("writes nothing of an answer in which the scan finds what the scrubber does not know to hide", async () => {
  const { url } = await serve(
    json(200, { description: base64(base64(base64(base64(`${TOKEN}..`)))) }),
  );
  const out = await scratchFolder();
  const error = await rejection(run(url, out, { plan: await planFile([LISTS]) }));

  expect(error).toMatchObject({ exitCode: 1 });
  expect((error as Error).message).toContain("movies.lists/typical (not written)");
  expect(filesIn(out).size).toBe(0);
});

it("stops at once when its signal is aborted, and leaves whole files alone", async () => {
  const controller = new AbortController();
  const { url } = await serve(likeSandbox, () => controller.abort(new Error("stopped")));
  const out = await scratchFolder();
  const plan = await planFile([LISTS, LANGUAGES, LATEST]);

  const error = await rejection(run(url, out, { plan, signal: controller.signal }));
  expect((error as Error).message).toBe("stopped");
  expect([...filesIn(out).keys()]).toEqual(["movies.lists/typical.json"]);
});

it.each([
  ["http://catalogue.example", "plain http"],
  ["https://user:pass@catalogue.example", "credentials"],
  ["catalogue.example", "not an absolute"],
])("refuses %s before anything is sent", async (baseUrl, problem) => {
  const out = join(await scratchFolder(), "out");
  const error = await rejection(run(baseUrl, out));
  expect(error).toBeInstanceOf(CommandError);
  expect((error as Error).message).toContain(problem);
  expect(existsSync(out)).toBe(false);
});
