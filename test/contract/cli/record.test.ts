import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isExchange } from "../../support/exchange.js";
import { scratchFolder } from "../../support/scratch.js";
import { json, reset, serve, skipPauses, type Responder } from "../../support/server.js";
import { canaries, canBeRead, encodings } from "../record/canaries.js";
import { filesIn, likeSandbox, LISTS, planFile, sandboxServer } from "../record/support.js";
import { bin, buildCommand, command, run } from "./support.js";

buildCommand();

const env = { CATALOGUE_TOKEN: canaries.bearer, CATALOGUE_ACCOUNT: canaries.accountId };

async function record(baseUrl: string, entries: unknown, ...options: string[]) {
  const plan = await planFile(entries);
  const args = ["record", "--base-url", baseUrl, "--plan", plan, "--delay", "0", ...options];
  return run(args, { env });
}

/** Returns the caller's secrets that appear in the given strings, in any encoding. */
function readable(...texts: string[]): string[] {
  const text = texts.join("\n");
  return [canaries.bearer, canaries.accountId].filter((secret) => canBeRead(text, secret));
}

const echoed = [canaries.bearer, canaries.accountId].flatMap((secret) =>
  Object.values(encodings).map((encode) => encode(secret)),
);
/** Responds with the secrets from the request, in every encoding. */
const echo: Responder = (response, { url, headers }) => {
  const note = `${headers.authorization} ${url}`;
  json(200, { note, echoed }, { etag: note.replace("Bearer ", "") })(response, {} as never);
};
const envelope = { success: false, status_code: 34, status_message: "No." };
const account = { operation: "account.favoriteTv", path: { account_id: "$CATALOGUE_ACCOUNT" } };

it("media-catalogue record records the planned cases, and a second run does not change the files", async () => {
  const { url, asked } = await sandboxServer();
  const out = join(await scratchFolder(), "not/there/yet");
  const unset = { account_id: "$CATALOGUE_UNSET" };
  const mine = { ...account, case: "mine" };
  const plan = [LISTS, mine, { operation: "account.ratedMovies", case: "mine", path: unset }];
  const { code, stdout, stderr } = await record(url, plan, "--out", out);
  expect([code, stdout]).toEqual([0, "2 recorded, 0 kept, 0 failed, 1 skipped\n"]);
  const check = `npx media-catalogue contract ${out}`;
  expect(stderr).toBe(
    `skipped account.ratedMovies/mine: set CATALOGUE_UNSET\nthe recordings are in ${out}; to check them, run ${check}\n`,
  );
  expect(asked).toEqual(["/3/movie/701/lists", `/3/account/${canaries.accountId}/favorite/tv`]);
  const files = filesIn(out);
  expect([...files.keys()]).toEqual(["account.favoriteTv/mine.json", "movies.lists/typical.json"]);
  for (const [file, text] of files) expect(isExchange(JSON.parse(text)), file).toBe(true);
  expect(readable(...files.values(), stdout, stderr)).toEqual([]);

  for (const options of [[], ["--overwrite"]])
    expect((await record(url, plan, "--out", out, ...options)).code).toBe(0);
  expect(filesIn(out)).toEqual(files);
  expect(await run(["contract", out])).toMatchObject({ code: 0 });
});

it("media-catalogue record exits with 1 if a call fails, and prints no secret", async () => {
  const { url } = await serve(echo, json(404, { status_message: echoed.join(" ") }));
  const out = await scratchFolder();
  const plan = [{ ...account, case: "mine" }, LISTS];
  const { code, stdout, stderr } = await record(url, plan, "--out", out);
  expect([code, stdout]).toEqual([1, "1 recorded, 0 kept, 1 failed, 0 skipped\n"]);
  expect(stderr).toContain(
    "failed movies.lists/typical: status 404, application/json; the plan expects a 2xx response\n",
  );
  const files = filesIn(out);
  expect([...files.keys()]).toEqual(["account.favoriteTv/mine.json"]);
  expect(readable(...files.values(), stdout, stderr)).toEqual([]);
});

it.each<[string[], NodeJS.ProcessEnv, string]>([
  [["--base-url", "http://127.0.0.1:9"], { CATALOGUE_TOKEN: "" }, "set CATALOGUE_TOKEN"],
  [[], {}, "--base-url is missing"],
  [["--base-url", "http://127.0.0.1:9", "--delay", "x"], {}, "--delay must be a whole number"],
  [["--base-url", "http://127.0.0.1:9", "--delay", "-1"], {}, '1,000,000, not "-1"'],
  [["--base-url", "http://127.0.0.1:9", "--delay=-1"], {}, '1,000,000, not "-1"'],
  [["--base-url", "http://127.0.0.1:9", "--timeout", "-1"], {}, 'from 1 to 9,999, not "-1"'],
  [["--base-url", "--full"], {}, 'option "--base-url" needs a value; write --base-url=VALUE'],
  [["--base-url", "http://127.0.0.1:9", "--out="], {}, "--out must name a folder"],
  [["--base-url", "http://catalogue.example"], {}, "--base-url is plain http, which exposes"],
  [["--base-url", "https://u:p@catalogue.example"], {}, "--base-url must not contain credentials"],
])(
  "media-catalogue record rejects the arguments %j, and creates no folder",
  async (args, others, problem) => {
    const folder = await scratchFolder();
    const all = ["record", "--out", join(folder, "out"), ...args];
    const { code, stdout, stderr } = await run(all, { env: { ...env, ...others } });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(problem);
    expect(stderr).not.toMatch(/createCatalogue|allowHttp/);
    expect(filesIn(folder).size).toBe(0);
  },
);

it("media-catalogue record advises to check full recordings with --full, and names no folder without recordings", async () => {
  const { url } = await sandboxServer();
  const out = join(await scratchFolder(), "my recordings");
  const { stderr } = await record(url, [LISTS], "--full", "--out", out);
  expect(stderr).toContain(`run npx media-catalogue contract "${out}" --full\n`);
  const failing = await serve(json(404, envelope));
  const none = await record(failing.url, [LISTS], "--out", await scratchFolder());
  expect(none.stderr).not.toContain("npx media-catalogue contract");
});

it("media-catalogue record makes no calls if the --out folder is not writable", async () => {
  const { url, asked } = await sandboxServer();
  const folder = await scratchFolder();
  writeFileSync(join(folder, "file"), "");
  const out = join(folder, "file/out");
  const unusable = await record(url, [LISTS], "--out", out);
  expect([unusable.code, asked]).toEqual([2, []]);
  expect(unusable.stderr).toContain(`media-catalogue: --out ${out} cannot be written (E`);
});

it("media-catalogue record works on a file system that has no hard links (such as exFAT), and keeps an existing recording", async () => {
  const { url } = await sandboxServer();
  const out = await scratchFolder();
  const plan = await planFile([LISTS]);
  const withoutLinks = `import fs from "node:fs/promises"; import { syncBuiltinESMExports } from "node:module";
    fs.link = async () => { throw Object.assign(new Error(), { code: "EPERM" }); }; syncBuiltinESMExports();`;
  const node = ["--import", `data:text/javascript,${encodeURIComponent(withoutLinks)}`];
  const args = ["record", "--base-url", url, "--plan", plan, "--out", out];
  const ran = await command(args, { env, node });
  expect(ran).toMatchObject({ code: 0, stdout: "1 recorded, 0 kept, 0 failed, 0 skipped\n" });
  const files = filesIn(out);
  expect([...files.keys()]).toEqual(["movies.lists/typical.json"]);
  // Another process writes the file during the call.
  rmSync(join(out, "movies.lists/typical.json"));
  const late = await serve((...given) => {
    writeFileSync(join(out, "movies.lists/typical.json"), "mine");
    return likeSandbox(...given);
  });
  const again = await command(args.with(2, late.url), { env, node });
  expect(again).toMatchObject({ code: 0, stdout: "0 recorded, 1 kept, 0 failed, 0 skipped\n" });
  expect([...filesIn(out).values()]).toEqual(["mine"]);
});

it.each(["SIGINT", "SIGTERM"] as const)(
  "media-catalogue record writes the responses that it received before %s",
  async (signal) => {
    const { url, seen } = await serve(echo);
    const out = await scratchFolder();
    const cases = Array.from({ length: 20 }, (_, index) => ({ ...account, case: `case-${index}` }));
    const args = ["record", "--base-url", url, "--plan", await planFile(cases), "--out", out];
    const child = spawn(process.execPath, [bin(), ...args], { env: { ...process.env, ...env } });
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => (stderr += text));
    const closed = once(child, "close");
    while (seen.length < 3) await new Promise((done) => setTimeout(done, 5));
    child.kill(signal);

    expect(await closed).toEqual([130, null]);
    const files = filesIn(out);
    expect(files.size).toBeGreaterThan(1);
    expect(files.size).toBeLessThan(20);
    for (const [file, text] of files) expect(isExchange(JSON.parse(text)), file).toBe(true);
    expect(stderr).toContain("skipped account.favoriteTv/case-19: interrupted\n");
    expect(readable(...files.values(), stderr)).toEqual([]);
  },
);

it("a second signal ends media-catalogue record, even if the process is blocked", async () => {
  const { url, seen } = await serve(() => {});
  const out = await scratchFolder();
  const args = ["record", "--base-url", url, "--plan", await planFile([LISTS]), "--out", out];
  // The process cannot react to a signal while this code runs.
  const block = "data:text/javascript,process.on('exit', () => { for (;;); })";
  const given = ["--import", block, bin(), ...args];
  const child = spawn(process.execPath, given, { env: { ...process.env, ...env } });
  const [closed, printed] = [once(child, "close"), once(child.stdout, "data")];
  while (seen.length === 0) await new Promise((done) => setTimeout(done, 5));
  child.kill("SIGINT");
  await printed;
  child.kill("SIGTERM");
  expect(await closed).toEqual([null, "SIGTERM"]);
});

it.skipIf(!existsSync("/proc"))(
  "a report or a recording in a folder that cannot be created ends with an error",
  async () => {
    const recording = ["record", "--base-url", "http://127.0.0.1:1", "--out", "/proc/nope/out"];
    const recorded = await command(recording, { env });
    expect([recorded.code, recorded.stderr]).toEqual([
      2,
      expect.stringContaining("--out /proc/nope/out cannot be written (ENOENT)"),
    ]);
    const contract = ["contract", "test/example-responses", "--format", "json=/proc/nope/x.json"];
    const { code, stderr } = await command(contract);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("/proc/nope/x.json cannot be written (ENOENT)"),
    ]);
  },
);

const CASES = [LISTS, { operation: "movies.latest", case: "typical" }];
/** Runs `contract --live` with the calls in `CASES`. */
async function checkLive(url: string, ...options: string[]) {
  const plan = ["--plan", await planFile(CASES), "--delay", "0"];
  const args = ["contract", "--live", "--base-url", url, ...plan, ...options];
  return run(args, { env, cwd: await scratchFolder() });
}

/** Responds like the sandbox, except that `answer` responds to requests for the latest movie. */
const broken =
  (answer: Responder): Responder =>
  (response, request) =>
    (request.url === "/3/movie/latest" ? answer : likeSandbox)(response, request);
it.each<[string, Responder, number, string]>([
  ["0 if every response matches the description", likeSandbox, 0, "2 validated, 0 not validated"],
  ["1 after a 404 response", json(404, envelope), 1, "http/unexpected-status"],
  ["1 after a 500 response without the error envelope", json(500, {}), 1, "schema/required"],
  ["1 after a redirect", json(302, {}, { location: "/login" }), 1, "http/undocumented-status"],
  ["3 after a closed connection", reset, 3, "no response: 1"],
])("contract --live exits with %s", async (_, answer, expected, text) => {
  skipPauses();
  const { url } = await serve(broken(answer));
  const { code, stdout, stderr } = await checkLive(url);
  expect([code, stdout]).toEqual([expected, expect.stringContaining(text)]);
  expect(readable(stdout, stderr)).toEqual([]);
});

it("contract --live does not report an unused accepted entry, because the plan might omit the entry's operation", async () => {
  const { url } = await serve(likeSandbox);
  const accepted = { rule: "schema/type", operation: "movies.lists", pointer: "/id", reason: "x" };
  const config = join(await scratchFolder(), "gate.json");
  writeFileSync(config, JSON.stringify({ accepted: [accepted] }));
  expect((await checkLive(url, "--config", config)).code).toBe(0);
});

it("an interrupt exits with 130, even if a call failed before the interrupt", async () => {
  const { url } = await serve(json(404, envelope), (response) => {
    process.emit("SIGINT");
    response.end("{}");
  });
  const cases = ["a", "b", "c"].map((name) => ({ ...LISTS, case: name }));
  const { code, stdout } = await record(url, cases, "--out", await scratchFolder());
  expect([code, stdout]).toEqual([130, "0 recorded, 0 kept, 1 failed, 2 skipped\n"]);
});

it("contract --live calls the operations of the description that the configuration chooses", async () => {
  const { url, seen } = await serve(json(404, envelope));
  const cwd = await scratchFolder();
  writeFileSync(join(cwd, "contract.config.json"), JSON.stringify({ description: "full" }));
  const popular = { operation: "movies.popular", case: "missing", expectError: true };
  const plan = await planFile([popular]);
  const args = ["contract", "--live", "--base-url", url, "--plan", plan, "--format", "sarif"];
  const { stdout } = await run([...args, "--notes"], { cwd, env });
  expect(seen.map((each) => each.url)).toEqual(["/3/movie/popular"]);
  // The response is in no file, so all locations are in the description.
  const { results } = JSON.parse(stdout).runs[0];
  expect(results.length).toBeGreaterThan(0);
  expect(JSON.stringify(results)).not.toContain("live:");
});
