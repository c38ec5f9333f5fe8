import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isExchange } from "../../support/exchange.js";
import { scratchFolder } from "../../support/scratch.js";
import { json, serve, type Answer } from "../../support/server.js";
import { canaries, canBeRead, encodings } from "../record/canaries.js";
import { filesIn, likeSandbox, LISTS, planFile, sandboxServer } from "../record/support.js";
import { bin, buildCommand, run } from "./support.js";

buildCommand();

const env = { CATALOGUE_TOKEN: canaries.bearer, CATALOGUE_ACCOUNT: canaries.accountId };

async function record(baseUrl: string, entries: unknown, ...options: string[]) {
  const plan = await planFile(entries);
  const args = ["record", "--base-url", baseUrl, "--plan", plan, "--pause", "0", ...options];
  return run(args, { env });
}

/** The caller's secrets that are readable in texts, in any encoding. */
function readable(...texts: string[]): string[] {
  const text = texts.join("\n");
  return [canaries.bearer, canaries.accountId].filter((secret) => canBeRead(text, secret));
}

const echoed = [canaries.bearer, canaries.accountId].flatMap((secret) =>
  Object.values(encodings).map((encode) => encode(secret)),
);
/** Quotes the request, in every encoding. */
const echo: Answer = (response, { url, headers }) => {
  const note = `${headers.authorization} ${url}`;
  json(200, { note, echoed }, { etag: note.replace("Bearer ", "") })(response, {} as never);
};
const account = { operation: "account.favoriteTv", path: { account_id: "$CATALOGUE_ACCOUNT" } };

it("records the planned cases, with the same files, output and exit code 0 each time", async () => {
  const { url, asked } = await sandboxServer();
  const out = join(await scratchFolder(), "not/there/yet");
  const unset = { account_id: "$CATALOGUE_UNSET" };
  const mine = { ...account, case: "mine" };
  const plan = [LISTS, mine, { operation: "account.ratedMovies", case: "mine", path: unset }];
  const { code, stdout, stderr } = await record(url, plan, "--out", out);
  expect([code, stdout]).toEqual([0, "2 recorded, 0 kept, 0 failed, 1 left out\n"]);
  expect(stderr).toContain("[1/2] movies.lists/typical: 200\n");
  expect(stderr).toContain("left out account.ratedMovies/mine: set CATALOGUE_UNSET\n");
  expect(asked).toEqual(["/3/movie/603/lists", `/3/account/${canaries.accountId}/favorite/tv`]);
  const files = filesIn(out);
  expect([...files.keys()]).toEqual(["account.favoriteTv/mine.json", "movies.lists/typical.json"]);
  for (const [file, text] of files) expect(isExchange(JSON.parse(text)), file).toBe(true);
  expect(readable(...files.values(), stdout, stderr)).toEqual([]);

  for (const options of [[], ["--update"]])
    expect((await record(url, plan, "--out", out, ...options)).code).toBe(0);
  expect(filesIn(out)).toEqual(files);
  expect(await run(["contract", out])).toMatchObject({ code: 0 });
});

it("exits with 1 if a call fails or a file contained a secret, and prints no secret", async () => {
  const { url } = await serve(echo, json(404, { status_message: echoed.join(" ") }));
  const out = await scratchFolder();
  writeFileSync(join(out, "old.txt"), canaries.bearer);
  const old = { request: {}, response: { body: canaries.bearer } };
  writeFileSync(join(out, "old.json"), JSON.stringify(old));
  const plan = [{ ...account, case: "mine" }, LISTS];

  const { code, stdout, stderr } = await record(url, plan, "--out", out);
  const counts = "1 recorded, 0 kept, 1 failed, 0 left out, 1 removed, 1 with secrets\n";
  expect([code, stdout]).toEqual([1, counts]);
  expect(stderr).toContain("failed movies.lists/typical: ");
  expect(stderr).toContain(`removed ${join(out, "old.json")}: it contained a known secret\n`);
  const remedy = "which is not a recording: remove a known secret from it";
  expect(stderr).toContain(`left ${join(out, "old.txt")}, ${remedy}\n`);
  const files = filesIn(out);
  files.delete("old.txt");
  expect([...files.keys()]).toEqual(["account.favoriteTv/mine.json"]);
  expect(readable(...files.values(), stdout, stderr)).toEqual([]);
});

it.each<[string[], NodeJS.ProcessEnv, string]>([
  [["--base-url", "http://127.0.0.1:9"], { CATALOGUE_TOKEN: "" }, "set CATALOGUE_TOKEN"],
  [[], {}, "No --base-url"],
  [["--base-url", "http://127.0.0.1:9", "--pause", "x"], {}, "--pause must be a number"],
  [["--base-url", "http://127.0.0.1:9", "--out="], {}, "--out must name a folder."],
  [["--base-url", "http://catalogue.example"], {}, "--base-url is plain http, which exposes"],
  [["--base-url", "https://u:p@catalogue.example"], {}, "--base-url must not contain credentials"],
  [["--base-url", "catalogue.example"], {}, "--base-url must be an absolute http(s) URL"],
])("refuses %j, and makes no folder", async (args, others, problem) => {
  const folder = await scratchFolder();
  const all = ["record", "--out", join(folder, "out"), ...args];
  const { code, stdout, stderr } = await run(all, { env: { ...env, ...others } });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(problem);
  expect(stderr).not.toMatch(/createCatalogue|allowInsecure/);
  expect(filesIn(folder).size).toBe(0);
});

it("makes no calls if --out is not writable, and names any recording that is not writable", async () => {
  const { url, asked } = await sandboxServer();
  const folder = await scratchFolder();
  writeFileSync(join(folder, "file"), "");
  for (const out of ["/proc/no/such/folder", join(folder, "file/out")]) {
    const { code, stderr } = await record(url, [LISTS], "--out", out);
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toContain(`media-catalogue: --out ${out} cannot be written (E`);
  }
  const file = join(folder, "movies.lists/typical.json");
  mkdirSync(file, { recursive: true });
  const { code, stderr } = await record(url, [LISTS], "--out", folder, "--update");
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} cannot be written (E`)]);
});

it.each(["SIGINT", "SIGTERM"] as const)(
  "writes the responses received before a %s",
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
    expect(stderr).toContain("left out account.favoriteTv/case-19: interrupted\n");
    expect(readable(...files.values(), stderr)).toEqual([]);
  },
);

it.each<[string, Answer, number]>([
  ["0 if everything is as described", likeSandbox, 0],
  ["1 if a response contradicts the description", json(200, { id: "603" }), 1],
  ["3 if too few operations are reached", json(503, {}, { "retry-after": "99" }), 3],
])("contract --live exits with %s", async (_, answer, expected) => {
  const { url } = await serve(answer);
  const args = ["contract", "--live", "--base-url", url, "--pause", "0"];
  const { code, stdout, stderr } = await run(args, { env });
  expect(code).toBe(expected);
  expect(stderr).toMatch(/^\[1\/18\] /m);
  expect(readable(stdout, stderr)).toEqual([]);
});
