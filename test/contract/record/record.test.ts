import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { record, type RecordOptions } from "../../../src/contract/record/record.js";
import { scratchFolder } from "../../support/scratch.js";
import { json, reset, serve, skipPauses, TOKEN, type Responder } from "../../support/server.js";
import { filesIn, likeSandbox, LISTS, planFile, sandboxServer } from "./support.js";

const LANGUAGES = { operation: "configuration.languages", case: "typical" };
const LATEST = { operation: "movies.latest", case: "typical" };
const POPULAR = { operation: "people.popular", case: "typical" };

const run = (baseUrl: string, out: string, options: Partial<RecordOptions> = {}) =>
  record({ baseUrl, out, token: TOKEN, delay: 0, env: {}, ...options });

it("the recorder writes declared values unchanged, and replaces undeclared or invalid values with placeholders", async () => {
  const body = { id: 701, results: [], page: 1, total_pages: 0, total_results: 0 };
  const extra = { note: "Jane", list: [2, [2.5, true, null, ""]], by: { "jane@mail.test": 7 } };
  const headers = { etag: '"1"', server: "x", "retry-after": "5" };
  const { url } = await serve(json(200, { ...body, ...extra, id: "701" }, headers));
  const plan = await planFile([{ ...LISTS, query: { page: 2, unnamed: "jane", "a b": 1 } }]);
  const out = await scratchFolder();
  const { recorded } = await run(`${url}/prefix`, out, { plan });

  expect(recorded).toEqual([join(out, "movies.lists/typical.json")]);
  const placeholders = {
    id: "redacted",
    note: "redacted",
    list: [1, [0.5, false, null, ""]],
    by: { "(14 characters, #c48e)": 1 },
  };
  expect(JSON.parse(readFileSync(recorded[0]!, "utf8"))).toEqual({
    operation: "movies.lists",
    source: { kind: "recording", values: "redacted", note: expect.any(String) },
    request: {
      method: "GET",
      path: "/3/movie/701/lists",
      query: { page: 2, unnamed: "redacted", "(3 characters, #3892)": 1 },
    },
    response: {
      status: 200,
      headers: { "content-type": "application/json", "retry-after": "5" },
      body: { ...body, ...placeholders },
    },
  });
});

it("the recorder replaces the value of an invalid header with a value that is also invalid", async () => {
  const headers = {
    "content-type": "application/json; by=jane",
    "retry-after": "after jane",
    "authentication-callback": "https://jane doe/",
  };
  const { url } = await serve((response) => response.writeHead(200, headers).end("{}"));
  const token = { operation: "authentication.createRequestToken", case: "typical" };
  const out = await scratchFolder();
  const { recorded } = await run(url, out, { plan: await planFile([token]) });
  expect(JSON.parse(readFileSync(recorded[0]!, "utf8")).response.headers).toEqual({
    "content-type": "application/json; by=redacted",
    "retry-after": "redacted",
    "authentication-callback": "redacted",
  });
});

it("the recorder keeps a declared map key, but replaces an undeclared key that is not a plain identifier", async () => {
  const { url } = await serve(json(200, { certifications: { "US-NY": [], "jane-doe": [] } }));
  const list = { operation: "certifications.movieList", case: "typical" };
  const { recorded } = await run(url, await scratchFolder(), { plan: await planFile([list]) });
  const { body } = JSON.parse(readFileSync(recorded[0]!, "utf8")).response;
  expect(body).toEqual({ certifications: { "US-NY": [], "(8 characters, #44d8)": [] } });
});

it("the recorder keeps an unknown value of a discriminator, but replaces the undeclared values of the object", async () => {
  const results = [{ media_type: "podcast", id: 7, host: "Jane" }];
  const { url } = await serve(json(200, { page: 1, results, total_pages: 1, total_results: 1 }));
  const search = { operation: "search.multi", case: "typical", query: { query: "x" } };
  const { recorded } = await run(url, await scratchFolder(), { plan: await planFile([search]) });
  expect(JSON.parse(readFileSync(recorded[0]!, "utf8")).response.body.results).toEqual([
    { media_type: "podcast", id: 7, host: "redacted" },
  ]);
});

it("if every recording exists, the recorder sends no requests; with --overwrite, the recorder replaces the recordings", async () => {
  const { url, asked } = await sandboxServer();
  const out = await scratchFolder();
  const file = join(out, "movies.lists/typical.json");
  mkdirSync(join(out, "movies.lists"));
  writeFileSync(file, "mine");
  const plan = await planFile([LISTS]);
  const lines: string[] = [];

  const first = await run(url, out, { plan, log: (line) => lines.push(line) });
  expect(first).toMatchObject({ recorded: [], kept: [file] });
  expect(lines).toEqual([expect.stringContaining("pass --overwrite to replace it")]);
  expect([readFileSync(file, "utf8"), asked]).toEqual(["mine", []]);

  const second = await run(url, out, { plan, overwrite: true });
  expect(second).toMatchObject({ recorded: [file], kept: [] });
  expect(readFileSync(file, "utf8")).toContain('"movies.lists"');
});

it("the recorder records a 4xx response only if the plan expects an error", async () => {
  const envelope = { success: false, status_code: 34, status_message: "No such thing." };
  const { url } = await serve(json(404, envelope));
  const plan = await planFile([LISTS, { ...LISTS, case: "not-found", expectError: true }]);
  const summary = await run(url, await scratchFolder(), { plan });

  expect(summary.recorded).toEqual([expect.stringMatching(/not-found\.json$/)]);
  expect(summary.failed).toEqual([
    {
      name: "movies.lists/typical",
      reason: "status 404, application/json; the plan expects a 2xx response",
    },
  ]);
});

it.each([
  [
    "a 2xx response if the plan expects an error",
    json(200, {}),
    { expectError: true },
    /^status 200, application\/json; the plan expects a 4xx response$/,
  ],
  [
    "an HTML page",
    json(200, "<html>"),
    {},
    /^status 200, application\/json; the response body is not JSON/,
  ],
  ["a redirect", json(302, {}, { location: "/elsewhere" }), {}, /^status 302, /],
  ["a lost connection", reset, {}, /ECONNRESET/],
  [
    "a case whose path parameter is missing",
    likeSandbox,
    { path: {} },
    /path parameter movie_id is missing/,
  ],
  [
    "a body that is nested too deeply",
    json(200, `${"[".repeat(5e4)}${"]".repeat(5e4)}`),
    {},
    /nested more than/,
  ],
])("the recorder does not record %s", async (_, answer, entry, reason) => {
  skipPauses();
  const { url } = await serve(...Array.from({ length: 5 }, () => answer));
  const out = await scratchFolder();
  const { failed } = await run(url, out, { plan: await planFile([{ ...LISTS, ...entry }]) });
  expect(failed).toEqual([
    { name: "movies.lists/typical", reason: expect.stringMatching(reason) as string },
  ]);
  expect(filesIn(out).size).toBe(0);
});

it("the recorder stops reading a body of more than 64 MB, and records the other cases", async () => {
  let sent = 0;
  const endless: Responder = (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const write = () => {
      for (let isFree = true; isFree && !response.destroyed; sent += 1)
        isFree = response.write(" ".repeat(2 ** 20));
    };
    response.on("drain", write);
    write();
  };
  const { url, seen } = await serve(endless, likeSandbox);
  const plan = await planFile([LATEST, LANGUAGES]);
  const { recorded, failed } = await run(url, await scratchFolder(), { plan });
  const reason = "the response body is larger than 64 MB; leave the call out of the plan";
  expect(failed).toEqual([{ name: "movies.latest/typical", reason }]);
  expect(recorded).toHaveLength(1);
  expect(seen).toHaveLength(2);
  expect(sent).toBeLessThan(96);
});

it("the recorder respects Retry-After, and sends no more requests if the requested delay is too long", async () => {
  const pauses = skipPauses();
  const patient = await serve(json(429, {}, { "retry-after": "1" }), likeSandbox);
  const plan = await planFile([LISTS, LANGUAGES]);
  expect((await run(patient.url, await scratchFolder(), { plan })).recorded).toHaveLength(2);
  expect(Math.max(...pauses)).toBeGreaterThanOrEqual(1000);

  const three = await planFile([LISTS, LATEST, LANGUAGES]);
  for (const called of [1, 2]) {
    const answers = [likeSandbox, json(429, {}, { "retry-after": "3600" })].slice(-called);
    const busy = await serve(...answers);
    const { failed, skipped } = await run(busy.url, await scratchFolder(), { plan: three });
    const names = [
      "movies.lists/typical",
      "movies.latest/typical",
      "configuration.languages/typical",
    ];
    expect(failed).toMatchObject([{ name: names[called - 1] }]);
    expect(skipped.map(({ name }) => name)).toEqual(names.slice(called));
    expect(busy.seen).toHaveLength(called);
  }
});

it("the recorder sends no more requests if the host cannot be reached", async () => {
  skipPauses();
  const plan = await planFile([LISTS, LANGUAGES]);
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  const url = `http://127.0.0.1:${port}`;
  const { failed, skipped } = await run(url, await scratchFolder(), { plan });
  expect(failed).toMatchObject([{ reason: expect.stringContaining("ECONNREFUSED") as string }]);
  expect(skipped).toMatchObject([{ reason: "the host cannot be reached" }]);
});

it("the recorder pauses between calls, and logs each failure on one line", async () => {
  const red = json(404, { status_message: "\u001b[31mred\r\nline" });
  const { url, seen } = await serve(red, likeSandbox);
  const lines: string[] = [];
  const plan = await planFile([LISTS, LANGUAGES]);
  const log = (line: string) => lines.push(line);
  await run(url, await scratchFolder(), { plan, log, delay: 150 });

  expect(seen[1]!.at - seen[0]!.at).toBeGreaterThan(140);
  expect(lines).toEqual([
    "failed movies.lists/typical: status 404, application/json; the plan expects a 2xx response",
  ]);
});

it("the recorder says before the first call how long its pauses take", async () => {
  const { url, seen } = await serve(likeSandbox);
  const stop = new AbortController();
  const lines: string[] = [];
  const log = (line: string) => {
    lines.push(line);
    stop.abort();
  };
  const plan = await planFile([LISTS, LANGUAGES, LATEST]);
  const options = { plan, log, delay: 30_000, signal: stop.signal };
  await run(url, await scratchFolder(), options);
  expect(lines).toEqual(["making 3 calls, which takes at least 60 s"]);
  expect(seen).toEqual([]);
});

it("the recorder calls a write operation only with --allow-writes, and does not repeat the call if a recording exists", async () => {
  const { url, seen } = await serve(likeSandbox);
  const rating = { operation: "movies.deleteRating", case: "typical", path: { movie_id: 701 } };
  const out = await scratchFolder();
  const plan = await planFile([rating]);
  const { skipped } = await run(url, out, { plan });
  const reason = "it changes data; pass --allow-writes";
  expect(skipped).toMatchObject([{ name: "movies.deleteRating/typical", reason }]);
  expect(seen).toEqual([]);

  await run(url, out, { plan, allowWrites: true });
  await run(url, out, { plan: await planFile([rating, LATEST]), allowWrites: true });
  expect(seen.map(({ method }) => method)).toEqual(["DELETE", "GET"]);
});

it("the recorder ignores unrelated files in its folder, and does not delete them", async () => {
  const { url } = await sandboxServer();
  const out = await scratchFolder();
  const old = { request: {}, response: { body: TOKEN } };
  for (const name of ["old.json", "package.json"])
    writeFileSync(join(out, name), JSON.stringify(old));
  symlinkSync(out, join(out, "loop"));
  const { recorded } = await run(url, out, { plan: await planFile([LATEST]) });
  expect(recorded).toHaveLength(1);
  expect([...filesIn(out).keys()]).toEqual([
    "movies.latest/typical.json",
    "old.json",
    "package.json",
  ]);
});

it("if two recorders write the same files at the same time, each file contains the output of only one recorder", async () => {
  const bodies = ["first", "second"].map((title) => ({ title: title.repeat(100_000) }));
  const servers = await Promise.all(bodies.map((body) => serve(json(200, body))));
  const out = await scratchFolder();
  const plan = await planFile(
    Array.from({ length: 5 }, (_, index) => ({ ...LATEST, case: `case-${index}` })),
  );
  await Promise.all(servers.map(({ url }) => run(url, out, { plan, overwrite: true })));
  const files = filesIn(out);
  expect(files.size).toBe(5);
  const titles = bodies.map(({ title }) => title);
  for (const text of files.values()) expect(titles).toContain(JSON.parse(text).response.body.title);
});

it("the recorder does not replace a file that a second recorder writes during the run, and logs that it kept the file", async () => {
  const out = await scratchFolder();
  const plan = await planFile([LISTS]);
  // The second recorder writes the file during the call of the first recorder.
  const inner = await sandboxServer();
  const outer = await serve(async (...args) => {
    await run(inner.url, out, { plan });
    return likeSandbox(...args);
  });
  const lines: string[] = [];
  const file = join(out, "movies.lists/typical.json");
  const summary = await run(outer.url, out, { plan, log: (line) => lines.push(line) });
  expect(summary).toMatchObject({ recorded: [], kept: [file] });
  expect(lines).toContain(`kept ${file}; pass --overwrite to replace it`);
  // No temporary file remains.
  expect([...filesIn(out).keys()]).toEqual(["movies.lists/typical.json"]);
});

it("if a recording cannot be written, the recorder names the file, and leaves no temporary file", async () => {
  const { url } = await sandboxServer();
  const out = await scratchFolder();
  const file = join(out, "movies.lists/typical.json");
  mkdirSync(file, { recursive: true });
  const plan = await planFile([LISTS]);
  const problem = `${file} cannot be written (E`;
  await expect(run(url, out, { plan, overwrite: true })).rejects.toThrow(problem);
  expect(filesIn(out).size).toBe(0);
});

it("the recorder writes no recording that would still contain a sensitive value", async () => {
  const { url } = await sandboxServer();
  const out = await scratchFolder();
  // A recording always contains the operationId, even if a sensitive value equals the operationId.
  const { failed } = await run(url, out, {
    plan: await planFile([{ ...POPULAR, query: { language: "$CATALOGUE_LANGUAGE" } }]),
    env: { CATALOGUE_LANGUAGE: "people.popular" },
  });
  const reason =
    "status 200, application/json;charset=utf-8; not recorded, because the recording would still contain a sensitive value";
  expect(failed).toEqual([
    { name: "people.popular/typical", reason: expect.stringContaining(reason.split("; ")[1]!) },
  ]);
  expect(filesIn(out).size).toBe(0);
});

it("the recorder replaces the account id in paths, and sensitive values wherever they appear", async () => {
  const details = {
    operation: "account.details",
    case: "typical",
    path: { account_id: "pathLetters" },
  };
  const token = { operation: "authentication.createRequestToken", case: "typical" };
  const body = { access_token: "sent-1234" };
  const convert = { operation: "authentication.convertV4Session", case: "typical", body };
  const { url } = await serve(
    json(200, {
      title: "By jane-doe-4, 12345678, pathLetters, sent-1234, authenticate key-5566",
      tagline: "Jo",
      budget: 12345678,
      revenue: 9,
      pathLetters: 2,
    }),
    json(200, { username: "jane-doe-4", id: 12345678, name: "Jo" }),
    json(
      200,
      { success: true, request_token: "opaque/1" },
      {
        etag: 'W/"opaque%2F1"',
        vary: "Jo",
        "authentication-callback": "https://x.test/authenticate/key-5566",
      },
    ),
    json(200, {}),
    json(200, { id: 548, include_adult: true }),
  );
  const out = await scratchFolder();
  const cases = [
    LATEST,
    details,
    token,
    convert,
    { ...details, case: "short", query: { session_id: 5 } },
  ];
  await run(url, out, { plan: await planFile(cases), allowWrites: true });
  const bodies = [...filesIn(out).values()].map((text) => JSON.parse(text));
  const [short, account, converted, created, latest] = bodies;
  expect(short.response.body).toEqual({ id: 1, include_adult: true });
  expect(short.request.query).toEqual({ session_id: 1 });
  expect(account.request.path).toBe("/3/account/1");
  expect(converted.request.body).toEqual({ access_token: "redacted" });
  expect(account.response.body).toEqual({ username: "redacted", id: 1, name: "redacted" });
  expect(created.response.headers).toMatchObject({ etag: 'W/"redacted"', vary: "redacted" });
  const replaced = {
    title: `By ${"redacted, ".repeat(4)}authenticate redacted`,
    tagline: "redacted",
    budget: 1,
    revenue: 9,
    "key-5": 1,
  };
  expect(latest.response.body).toEqual(replaced);
});
