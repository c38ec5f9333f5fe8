import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isExchange } from "../../support/exchange.js";
import { scratchFolder } from "../../support/scratch.js";
import { json, serve, type Answer } from "../../support/server.js";
import { canaries, canBeRead, encodings } from "../record/canaries.js";
import { filesIn, likeSandbox, planFile, sandboxServer } from "../record/support.js";
import { bin, buildCommand, command } from "./support.js";

buildCommand();

const LISTS = { operation: "movies.lists", case: "typical", path: { movie_id: 603 } };
const LATEST = { operation: "movies.latest", case: "typical" };
const env = { CATALOGUE_TOKEN: canaries.bearer, CATALOGUE_ACCOUNT: canaries.accountId };

/** `media-catalogue record` of a plan. */
async function record(baseUrl: string, entries: unknown, ...options: string[]) {
  const args = ["record", "--base-url", baseUrl, "--plan", await planFile(entries), ...options];
  return command(args, { env });
}

/** Which of the caller's secrets can be read in texts, in any encoding. */
function readable(...texts: string[]): string[] {
  const text = texts.join("\n");
  return [canaries.bearer, canaries.accountId].filter((secret) => canBeRead(text, secret));
}

const echoed = [canaries.bearer, canaries.accountId].flatMap((secret) =>
  Object.values(encodings).map((encode) => encode(secret)),
);
/** Gives away what it was sent, in every encoding. */
const echo: Answer = (response, { url, headers }) => {
  const note = `${headers.authorization} ${url}`;
  json(200, { note, echoed }, { etag: note.replace("Bearer ", "") })(response, {} as never);
};

describe("media-catalogue record", () => {
  it("records what the plan names, which then passes the contract", async () => {
    const { url, asked } = await sandboxServer();
    const out = join(await scratchFolder(), "not/there/yet");
    const plan = [
      LISTS,
      LATEST,
      { operation: "account.favoriteTv", case: "mine", path: { account_id: "$CATALOGUE_ACCOUNT" } },
      { operation: "account.ratedMovies", case: "mine", path: { account_id: "$CATALOGUE_UNSET" } },
    ];
    const { code, stdout, stderr } = await record(url, plan, "--out", out);
    expect([code, stdout]).toEqual([0, "3 recorded, 0 kept, 0 failed, 1 left out\n"]);
    expect(stderr).toContain("recorded movies.lists/typical (200)\n");
    expect(stderr).toContain("left out account.ratedMovies/mine: set CATALOGUE_UNSET\n");
    expect(asked).toEqual([
      "/3/movie/603/lists",
      "/3/movie/latest",
      `/3/account/${canaries.accountId}/favorite/tv`,
    ]);
    const files = filesIn(out);
    expect([...files.keys()]).toEqual([
      "account.favoriteTv/mine.json",
      "movies.latest/typical.json",
      "movies.lists/typical.json",
    ]);
    for (const [file, text] of files) expect(isExchange(JSON.parse(text)), file).toBe(true);
    expect(readable(...files.values(), stdout, stderr)).toEqual([]);
    expect(await command(["contract", out, "--origin", "repository"])).toMatchObject({ code: 0 });
  });

  it("overwrites a recording with --update alone", async () => {
    const { url, asked } = await sandboxServer();
    const out = await scratchFolder();
    mkdirSync(join(out, "movies.lists"));
    const file = join(out, "movies.lists/typical.json");
    writeFileSync(file, "mine");

    const kept = await record(url, [LISTS], "--out", out);
    expect(kept).toMatchObject({ code: 0, stdout: "0 recorded, 1 kept, 0 failed, 0 left out\n" });
    expect(kept.stderr).toContain("--update records it again");
    expect([readFileSync(file, "utf8"), asked]).toEqual(["mine", []]);

    const again = await record(url, [LISTS], "--out", out, "--update");
    expect(again).toMatchObject({ code: 0, stdout: "1 recorded, 0 kept, 0 failed, 0 left out\n" });
    expect(isExchange(JSON.parse(readFileSync(file, "utf8")))).toBe(true);
  });

  it("names the recording that it cannot write", async () => {
    const { url } = await sandboxServer();
    const out = await scratchFolder();
    const file = join(out, "movies.lists/typical.json");
    mkdirSync(file, { recursive: true });
    const { code, stderr } = await record(url, [LISTS], "--out", out, "--update");
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} cannot be written (E`)]);
  });

  it("changes something with --write alone", async () => {
    const { url, seen } = await serve(likeSandbox);
    const plan = [{ operation: "movies.deleteRating", case: "typical", path: { movie_id: 603 } }];
    const out = await scratchFolder();

    const reading = await record(url, plan, "--out", out);
    expect(reading).toMatchObject({
      code: 0,
      stdout: "0 recorded, 0 kept, 0 failed, 1 left out\n",
    });
    expect([seen, filesIn(out).size]).toEqual([[], 0]);

    const writing = await record(url, plan, "--out", out, "--write");
    expect(writing).toMatchObject({
      code: 0,
      stdout: "1 recorded, 0 kept, 0 failed, 0 left out\n",
    });
    expect(seen.map(({ method }) => method)).toEqual(["DELETE"]);
  });

  it("has nothing of token and account on disk or in what it prints, whatever is echoed", async () => {
    const { url } = await serve(echo, json(404, { status_message: echoed.join(" ") }));
    const out = await scratchFolder();
    const account = { operation: "account.details", path: { account_id: "$CATALOGUE_ACCOUNT" } };
    const plan = [{ ...account, case: "typical" }, LISTS];

    const { code, stdout, stderr } = await record(url, plan, "--out", out);
    expect([code, stdout]).toEqual([1, "1 recorded, 0 kept, 1 failed, 0 left out\n"]);
    expect(stderr).toContain("failed movies.lists/typical: ");
    const files = filesIn(out);
    expect([...files.keys()]).toEqual(["account.details/typical.json"]);
    expect(readable(...files.values(), stdout, stderr)).toEqual([]);
  });

  it.each<[string[], NodeJS.ProcessEnv, string]>([
    [["--base-url", "http://127.0.0.1:9"], { CATALOGUE_TOKEN: "" }, "set CATALOGUE_TOKEN"],
    [[], {}, "No --base-url"],
    [["--base-url", "http://catalogue.example"], {}, "; use https\n"],
    [["--base-url", "http://127.0.0.1:9", "--plan", "no-such-plan.json"], {}, "no-such-plan.json"],
    [["--base-url", "http://127.0.0.1:9", "--plan", "package.json"], {}, "no JSON list"],
    [["--base-url", "http://127.0.0.1:9", "--out="], {}, "--out is empty; give a folder."],
    [["--base-url", "http://127.0.0.1:9", "more"], {}, "Unexpected argument 'more'"],
    [["--base-url", "http://127.0.0.1:9", "--token", "x"], {}, "Unknown option '--token'"],
  ])("refuses %j, and makes no folder", async (args, others, problem) => {
    const out = join(await scratchFolder(), "out");
    const running = { env: { ...env, ...others } };
    const { code, stdout, stderr } = await command(["record", "--out", out, ...args], running);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(problem);
    expect(() => readdirSync(out)).toThrow("ENOENT");
  });

  it.each([
    ["/proc", () => "/proc"],
    ["a folder below /proc", () => "/proc/no/such/folder"],
    ["a file", (folder: string) => join(folder, "file")],
    ["a folder below a file", (folder: string) => join(folder, "file/out")],
  ])("calls nothing where --out is %s, which cannot be written", async (_, outIn) => {
    const { url, asked } = await sandboxServer();
    const folder = await scratchFolder();
    writeFileSync(join(folder, "file"), "");
    const out = outIn(folder);

    const { code, stderr } = await record(url, [LISTS], "--out", out);
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toContain(`media-catalogue: --out ${out} cannot be written (E`);
  });

  // Root may write everywhere.
  it.skipIf(process.getuid?.() === 0)("calls nothing where it may not write", async () => {
    const { url, asked } = await sandboxServer();
    const out = await scratchFolder();
    chmodSync(out, 0o500);
    const { code, stderr } = await record(url, [LISTS], "--out", out);
    chmodSync(out, 0o700);
    expect([code, stderr, asked]).toEqual([2, expect.stringContaining("(EACCES)"), []]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("leaves whole files alone on %s", async (signal) => {
    const { url, seen } = await serve(echo);
    const out = await scratchFolder();
    const path = { account_id: "$CATALOGUE_ACCOUNT" };
    const cases = Array.from({ length: 20 }, (_, index) => ({
      operation: "account.favoriteTv",
      case: `case-${index}`,
      path,
    }));
    const args = ["record", "--base-url", url, "--plan", await planFile(cases), "--out", out];
    const child = spawn(process.execPath, [bin(), ...args], { env: { ...process.env, ...env } });
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => (stderr += text));
    const closed = once(child, "close");
    while (seen.length < 3) await new Promise((done) => setTimeout(done, 5));
    child.kill(signal);

    expect(await closed).toEqual([130, null]);
    expect(seen.length).toBeLessThan(6);
    const files = filesIn(out);
    expect(files.size).toBeGreaterThan(1);
    for (const [file, text] of files) expect(isExchange(JSON.parse(text)), file).toBe(true);
    expect(readable(...files.values(), stderr)).toEqual([]);
  });
});

describe("media-catalogue contract --live", () => {
  it.each<[string, Answer, number]>([
    ["0 where all is as described", likeSandbox, 0],
    ["1 where an answer contradicts the description", json(200, { id: "603" }), 1],
    ["3 where too little is reached", json(503, {}, { "retry-after": "99" }), 3],
  ])("exits with %s", async (_, answer, expected) => {
    const { url } = await serve(answer);
    const { code, stdout, stderr } = await command(["contract", "--live", "--base-url", url], {
      env,
    });
    expect([code, stdout]).toEqual([expected, expect.stringMatching(/\d+ exchanges? judged/)]);
    expect(stderr).toMatch(/^(called|failed) movies.lists/m);
    expect(readable(stdout, stderr)).toEqual([]);
  });
});
