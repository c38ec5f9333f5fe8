import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { record, type RecordOptions } from "../../../src/contract/record/record.js";
import { scratchFolder } from "../../support/scratch.js";
import { json, rejection, reset, serve, TOKEN } from "../../support/server.js";
import { filesIn, likeSandbox, LISTS, planFile, sandboxServer } from "./support.js";

const LANGUAGES = { operation: "configuration.languages", case: "typical" };
const LATEST = { operation: "movies.latest", case: "typical" };

const run = (baseUrl: string, out: string, options: Partial<RecordOptions> = {}) =>
  record({ baseUrl, out, token: TOKEN, pause: 0, env: {}, ...options });

it("writes path, query, described headers and body, and placeholders for undeclared values", async () => {
  const body = { id: 603, results: [], page: 1, total_pages: 0, total_results: 0 };
  const extra = { note: "Jane", list: [2, [2.5, true, null, ""]], by: { "jane@mail.test": 7 } };
  const { url } = await serve(json(200, { ...body, ...extra }, { etag: '"1"', server: "x" }));
  const plan = await planFile([{ ...LISTS, query: { page: 2 } }]);
  const out = await scratchFolder();
  const { recorded } = await run(`${url}/prefix`, out, { plan });

  expect(recorded).toEqual([join(out, "movies.lists/typical.json")]);
  const placeholders = {
    note: "placeholder",
    list: [1, [0.5, true, null, ""]],
    by: { "key-1": 1 },
  };
  expect(JSON.parse(readFileSync(recorded[0]!, "utf8"))).toEqual({
    operation: "movies.lists",
    source: { kind: "live", note: expect.any(String) },
    request: { method: "GET", path: "/3/movie/603/lists", query: { page: 2 } },
    response: {
      status: 200,
      headers: { "content-type": "application/json" },
      body: { ...body, ...placeholders },
    },
  });

  await run(url, out, { plan, update: true, keepUndeclared: true });
  expect(readFileSync(recorded[0]!, "utf8")).toContain('"note": "Jane"');
});

it("keeps existing recordings without sending a request, unless --update replaces them", async () => {
  const { url, asked } = await sandboxServer();
  const out = await scratchFolder();
  const file = join(out, "movies.lists/typical.json");
  mkdirSync(join(out, "movies.lists"));
  writeFileSync(file, "mine");
  const plan = await planFile([LISTS]);
  const lines: string[] = [];

  const first = await run(url, out, { plan, log: (line) => lines.push(line) });
  expect(first).toMatchObject({ recorded: [], kept: [file] });
  expect(lines).toEqual([expect.stringContaining("--update replaces it")]);
  expect([readFileSync(file, "utf8"), asked]).toEqual(["mine", []]);

  const second = await run(url, out, { plan, update: true });
  expect(second).toMatchObject({ recorded: [file], kept: [] });
  expect(readFileSync(file, "utf8")).toContain('"movies.lists"');
});

it("records a 4xx response only if the plan expects one", async () => {
  const envelope = { success: false, status_code: 34, status_message: "No such thing." };
  const { url } = await serve(json(404, envelope));
  const plan = await planFile([LISTS, { ...LISTS, case: "not-found", error: true }]);
  const summary = await run(url, await scratchFolder(), { plan });

  expect(summary.recorded).toEqual([expect.stringMatching(/not-found\.json$/)]);
  expect(summary.failed).toEqual([
    { name: "movies.lists/typical", reason: `status 404 ${JSON.stringify(envelope)}` },
  ]);
});

it.each([
  ["a success instead of a planned refusal", json(200, {}), { error: true }, /^status 200 /],
  ["an HTML page", json(200, "<html>"), {}, /not JSON/],
  ["a key that occurs twice", json(200, '{"id":1,"id":2}'), {}, /repeats a key/],
  ["a redirect", json(302, {}, { location: "/elsewhere" }), {}, /^status 302 /],
  ["a lost connection", reset, {}, /ECONNRESET/],
  [
    "a body that nests too deeply",
    json(200, `${"[".repeat(5e4)}${"]".repeat(5e4)}`),
    {},
    /nested more than/,
  ],
  ["a nested query", likeSandbox, { query: { a: { b: 1 } } }, /query parameter "a"/],
])("does not record %s", async (_, answer, entry, reason) => {
  const { url } = await serve(...Array.from({ length: 5 }, () => answer));
  const out = await scratchFolder();
  const { failed } = await run(url, out, { plan: await planFile([{ ...LISTS, ...entry }]) });
  expect(failed).toEqual([
    { name: "movies.lists/typical", reason: expect.stringMatching(reason) as string },
  ]);
  expect(filesIn(out).size).toBe(0);
});

it("respects Retry-After, and stops calling if it is too long", async () => {
  const patient = await serve(json(429, {}, { "retry-after": "1" }), likeSandbox);
  const plan = await planFile([LISTS, LANGUAGES]);
  expect((await run(patient.url, await scratchFolder(), { plan })).recorded).toHaveLength(2);
  expect(patient.seen[1]!.at - patient.seen[0]!.at).toBeGreaterThan(950);

  const busy = await serve(json(429, {}, { "retry-after": "3600" }));
  const { failed, leftOut } = await run(busy.url, await scratchFolder(), { plan });
  expect(failed).toMatchObject([{ name: "movies.lists/typical" }]);
  expect(leftOut).toMatchObject([{ name: "configuration.languages/typical" }]);
  expect(busy.seen).toHaveLength(1);
});

it("stops calling if the host cannot be reached", async () => {
  const plan = await planFile([LISTS, LANGUAGES]);
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  const url = `http://127.0.0.1:${port}`;
  const { failed, leftOut } = await run(url, await scratchFolder(), { plan });
  expect(failed).toMatchObject([{ reason: expect.stringContaining("ECONNREFUSED") as string }]);
  expect(leftOut).toMatchObject([{ reason: "the host cannot be reached" }]);
});

it("pauses between calls, and logs each call and each failure on one line", async () => {
  const red = json(404, { status_message: "\u001b[31mred\r\nline" });
  const { url, seen } = await serve(red, likeSandbox);
  const lines: string[] = [];
  const plan = await planFile([LISTS, LANGUAGES]);
  const log = (line: string) => lines.push(line);
  await run(url, await scratchFolder(), { plan, log, pause: 150 });

  expect(seen[1]!.at - seen[0]!.at).toBeGreaterThan(140);
  expect(lines).toEqual([
    "[1/2] movies.lists/typical: 404",
    "[2/2] configuration.languages/typical: 200",
    'failed movies.lists/typical: status 404 {"status_message":"\\u001b[31mred\\r\\nline"}',
  ]);
});

it("changes nothing without --write, and never repeats a change", async () => {
  const { url, seen } = await serve(likeSandbox);
  const rating = { operation: "movies.deleteRating", case: "typical", path: { movie_id: 603 } };
  const out = await scratchFolder();
  const plan = await planFile([rating]);
  const { leftOut } = await run(url, out, { plan });
  expect(leftOut).toEqual([
    { name: "movies.deleteRating/typical", reason: "it changes data; pass --write to call it" },
  ]);
  expect(seen).toEqual([]);

  await run(url, out, { plan, write: true });
  await run(url, out, { plan: await planFile([rating, LATEST]), write: true });
  expect(seen.map(({ method }) => method)).toEqual(["DELETE", "GET"]);
});

it("deletes every recording that contains a secret of the run, and only names other files", async () => {
  const { url } = await sandboxServer();
  const out = await scratchFolder();
  mkdirSync(join(out, "a/b"), { recursive: true });
  const secret = `x ${encodeURIComponent(btoa(`a:${TOKEN}`))}`;
  const old = { request: {}, response: { body: secret } };
  const files: [string, string, boolean][] = [
    [".hidden", secret, false],
    ["a/b/notes.txt", JSON.stringify({ secret }), false],
    ["old.json", JSON.stringify(old), true],
  ];
  for (const [name, text] of files) writeFileSync(join(out, name), text);
  writeFileSync(join(out, "clean.txt"), "nothing");
  symlinkSync(out, join(out, "a/loop"));
  const plan = join(out, "plan.json");
  const convert = { operation: "authentication.convertV4Session", case: "typical" };
  const v4 = { ...convert, body: { access_token: "$CATALOGUE_V4" } };
  writeFileSync(plan, JSON.stringify([LATEST, v4]));

  const { leaks, recorded } = await run(url, out, { plan });
  const kinds = ["a known secret"];
  expect(leaks).toEqual(
    files.map(([name, , isRemoved]) => ({ file: join(out, name), kinds, isRemoved })),
  );
  expect(recorded).toHaveLength(1);
  const left = [".hidden", "a/b/notes.txt", "clean.txt", "movies.latest/typical.json", "plan.json"];
  expect([...filesIn(out).keys()]).toEqual(left);
});

it("deletes a new file if the scan finds a secret that the scrubber missed", async () => {
  const four = [1, 2, 3, 4].reduce((text) => btoa(text), `${TOKEN}..`);
  const { url } = await serve(json(200, { title: four }));
  const out = await scratchFolder();
  const { recorded, leaks } = await run(url, out, { plan: await planFile([LATEST]) });
  const file = join(out, "movies.latest/typical.json");
  expect([recorded, leaks]).toEqual([[], [{ file, kinds: ["a known secret"], isRemoved: true }]]);
  expect(filesIn(out).size).toBe(0);
});

it("replaces the account id in paths, the username in declared texts, and every entity tag", async () => {
  const details = { operation: "account.details", case: "typical", path: { account_id: 548 } };
  const token = { operation: "authentication.createRequestToken", case: "typical" };
  const { url } = await serve(
    json(200, { title: "By Jane-Doe-4" }),
    json(200, { username: "jane-doe-4" }),
    json(200, { success: true }, { etag: 'W/"jane"' }),
  );
  const out = await scratchFolder();
  await run(url, out, { plan: await planFile([LATEST, details, token]) });
  const text = [...filesIn(out).values()].join("");
  expect(text).toContain('"path": "/3/account/1"');
  expect(text).toContain('"title": "By scrubbed"');
  expect(text).toContain('"etag": "\\"scrubbed\\""');
  expect(text).not.toMatch(/jane/i);
});

it("keeps recordings if a password equals a field name", async () => {
  const words = ["response", "operation", "vote_average"].map((password) => ({ password }));
  const { url } = await serve(json(200, words), likeSandbox);
  const out = await scratchFolder();
  const { recorded, leaks } = await run(url, out, { plan: await planFile([LISTS, LATEST]) });
  expect([recorded.length, leaks]).toEqual([2, []]);
  expect(filesIn(out).get("movies.latest/typical.json")).toContain('"vote_average": ');
});

it("refuses a project folder, because it would delete recordings with secrets from it", async () => {
  const { url, asked } = await sandboxServer();
  const out = await scratchFolder();
  writeFileSync(join(out, "package.json"), `{"x":"${TOKEN}"}`);
  const error = await rejection(run(url, out));
  expect((error as Error).message).toContain(
    "contains package.json; pass a folder that contains only recordings",
  );
  expect([asked, filesIn(out).size]).toEqual([[], 1]);
});
