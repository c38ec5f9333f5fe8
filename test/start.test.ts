import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { serveSandbox } from "../src/sandbox/serve.js";
import { operations } from "../src/generated/operations.js";
import { createSandbox } from "../src/sandbox/index.js";
import { root } from "./support/paths.js";

const canary = "canary-4f1c9d2e8b7a";
const ids = Object.keys(operations);
const reads = ids.filter((id) => operations[id as keyof typeof operations][0] === "get");

/** A copy of the project: the script builds, and other tests may be reading what is built here. */
let project: string;
beforeAll(async () => {
  await mkdir(join(root, ".tmp"), { recursive: true });
  project = await mkdtemp(join(root, ".tmp/start-"));
  const parts =
    "package.json tsconfig.json tsconfig.build.json .prettierrc.json contract.config.json";
  for (const part of [...parts.split(" "), "openapi", "scripts", "src", "test/recordings"]) {
    await cp(join(root, part), join(project, part), { recursive: true });
  }
});
afterAll(() => rm(project, { recursive: true, force: true }));

const tokenOf = (request: Request) => request.headers.get("authorization")!;

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  const { FORCE_COLOR: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/start.ts", ...args], {
    cwd: project,
    env: { ...inherited, ...env },
  });
  const run: Run = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (run.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (run.stderr += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ ...run, code }));
  });
}

/** A deployment that answers as the sandbox does, unless the path has an answer of its own here. */
async function deploy(answers: Record<string, (request: Request) => Promise<Response>> = {}) {
  const sandbox = createSandbox();
  const seen: string[] = [];
  const { url, close } = await serveSandbox(
    (request) => {
      const { pathname } = new URL(request.url);
      seen.push(`${request.method} ${pathname}`);
      return (answers[pathname] ?? sandbox.fetch)(request);
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(close);
  return { url, seen };
}

/** The row of an operation, its columns apart. */
function rowOf({ stdout }: Run, operation: string): string[] | undefined {
  const lines = stdout.split("\n").map((line) => line.split(/ {2,}/));
  return lines.find(([name]) => name === operation);
}

describe("npm start", () => {
  it("calls every operation through the built package and passes", async () => {
    const run = await start([]);
    expect(run.stderr).toBe("");
    expect(run.code).toBe(0);
    for (const id of ids) {
      expect(rowOf(run, id)?.join(" ")).toMatch(/^\S+ 2\d\d \d+\.\d ms passed$/);
    }
    expect(run.stdout).toContain(
      `${ids.length} operations: ${ids.length} passed, 0 failed, 0 skipped`,
    );
    const [, total, refused, open] =
      /^(\d+) damaged copies of these answers: (\d+) refused, (\d+) where .*, 0 missed/m
        .exec(run.stdout)!
        .map(Number);
    expect(refused).toBeGreaterThan(4000);
    expect(refused! + open!).toBe(total);
    expect(run.stdout).toContain("\nNext: npm run sandbox");
    expect(run.stdout, "no terminal, no control sequences").not.toContain("\x1b");
    // It generates and builds all of it, on a machine that may be busy.
  }, 180_000);

  it("stops at a stale generated file and names it", async () => {
    const file = join(project, "src/generated/operations.ts");
    const fresh = await readFile(file, "utf8");
    await writeFile(file, `${fresh}\n// edited\n`);
    onTestFinished(() => writeFile(file, fresh));
    const { code, stdout } = await start([]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("src/generated/operations.ts is stale"),
    ]);
    expect(stdout).not.toContain("package is built");
  });
});

describe("npm start -- --base-url", () => {
  // What the tests above have shown need not be waited for again.
  beforeAll(async () => {
    const file = join(project, "package.json");
    const manifest = JSON.parse(await readFile(file, "utf8")) as { scripts: object };
    const scripts = { ...manifest.scripts, generate: "node -e 0 --", build: "node -e 0 --" };
    await writeFile(file, JSON.stringify({ ...manifest, scripts }));
  });

  it("reads only, says what it cannot call, and why", async () => {
    const { url, seen } = await deploy();
    const run = await start(["--base-url", url], { CATALOGUE_TOKEN: canary });
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(rowOf(run, "movies.deleteRating")?.at(-1)).toBe(
      "skipped: changes something; --write calls it",
    );
    for (const id of ["account.details", "account.ratedMovies", "account.favoriteTv"]) {
      expect(rowOf(run, id)?.at(-1)).toBe("skipped: no account_id; give --id account_id=...");
    }
    expect(seen.every((request) => request.startsWith("GET "))).toBe(true);
    expect(seen).toHaveLength(reads.length - 3);
    const skipped = ids.length - reads.length + 3;
    expect(run.stdout).toContain(`${reads.length - 3} passed, 0 failed, ${skipped} skipped`);
  });

  it("calls everything with --write, the ids and the body that it wants", async () => {
    const { url, seen } = await deploy();
    const access = "canary-access-0c3b5a";
    const given = ["--write", "--id", "account_id=77", "--id", "movie_id=11"];
    const run = await start(["--base-url", `${url}/`, ...given], {
      CATALOGUE_TOKEN: canary,
      CATALOGUE_ACCESS_TOKEN: access,
    });
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(seen).toHaveLength(ids.length);
    expect(seen).toContain("DELETE /3/movie/11/rating");
    expect(seen).toContain("GET /3/account/77");
    expect(seen).toContain("POST /3/authentication/session/convert/4");
    expect(run.stdout).not.toContain(access);
  });

  it("fails with each finding where an answer is wrong, and never prints the token", async () => {
    const sandbox = createSandbox();
    const { url } = await deploy({
      // A long value with the token at the cut: no part of it may be left over.
      "/3/movie/603/lists": async (request) => {
        const body = (await (await sandbox.fetch(request)).json()) as { results: object[] };
        const echo = `${"x".repeat(100)}${tokenOf(request)}`;
        return Response.json({
          ...body,
          results: [1, 2].map(() => ({ ...body.results[0], poster_path: echo })),
        });
      },
      // What nobody described is no fault of an answer.
      "/3/movie/latest": async (request) =>
        Response.json(
          { ...((await (await sandbox.fetch(request)).json()) as object), new_field: 1 },
          { headers: { "x-new-header": "1" } },
        ),
      "/3/genre/tv/list": async (request) =>
        Response.json(
          { success: false, status_code: 99, status_message: `no ${tokenOf(request)}` },
          { status: 403 },
        ),
      "/3/authentication/token/new": async (request) =>
        new Response((await sandbox.fetch(request)).body, {
          headers: { "content-type": "application/json" },
        }),
      "/3/configuration/timezones": async () =>
        Response.json(
          { success: false, status_code: 34, status_message: "Not found." },
          { status: 202 },
        ),
      "/3/configuration/languages": async () => new Response("<html>", { status: 200 }),
    });
    const run = await start(["--base-url", url], { CATALOGUE_TOKEN: canary });
    expect(run.code).toBe(1);
    expect(rowOf(run, "movies.lists")).toEqual([
      "movies.lists",
      "200",
      expect.anything(),
      "failed",
    ]);
    expect(rowOf(run, "movies.latest")?.at(-1)).toBe("passed");
    const findings = run.stdout.split("findings:\n")[1]!.split("\n\n")[0]!.split("\n");
    expect(findings).toEqual([
      "authentication.createRequestToken headers: expected the header authentication-callback, got absent",
      expect.stringMatching(
        /^movies\.lists \/results\/0\/poster_path: expected matches \^\/, got "….* \(and 1 more like it\)$/,
      ),
      expect.stringMatching(/^configuration\.languages the body: expected JSON, got /),
      expect.stringMatching(/^genres\.tvList status: expected a success, got 403 .*status_code 99/),
      "configuration.timezones status: expected 200, got 202",
    ]);
    expect(run.stdout + run.stderr).not.toContain(canary.slice(0, 8));
  });

  it("says of a deployment that is not there that no answer came", async () => {
    const { close, url } = await serveSandbox(createSandbox().fetch, {
      host: "127.0.0.1",
      port: 0,
    });
    await close();
    const run = await start(["--base-url", url], { CATALOGUE_TOKEN: canary });
    expect(run.code).toBe(1);
    expect(rowOf(run, "movies.latest")?.at(-1)).toBe("skipped: no answer to the first call");
    expect(run.stdout).toMatch(
      /^authentication\.createRequestToken \(no answer\): expected an answer/m,
    );
  });
});

describe("npm start with wrong arguments", () => {
  const live = ["--base-url", "http://127.0.0.1:9"];
  it.concurrent.each<[what: string, args: string[], env: NodeJS.ProcessEnv, hint: string]>([
    ["an unknown option", ["--base"], {}, "--base"],
    ["no token", live, { CATALOGUE_TOKEN: "" }, "CATALOGUE_TOKEN is not set; put"],
    [
      "a token of two words",
      live,
      { CATALOGUE_TOKEN: `${canary} x` },
      "CATALOGUE_TOKEN holds a space",
    ],
    [
      "an address that is none",
      ["--base-url", "host"],
      { CATALOGUE_TOKEN: canary },
      "--base-url is",
    ],
    [
      "an unknown id",
      [...live, "--id", "film=1"],
      { CATALOGUE_TOKEN: canary },
      "known are account_id",
    ],
    [
      "an id without value",
      [...live, "--id", "movie_id"],
      { CATALOGUE_TOKEN: canary },
      "NAME=VALUE",
    ],
    ["--write for the sandbox", ["--write"], {}, "add --base-url"],
  ])("%s: exits with 2 and says what to do", async (_, args, env, hint) => {
    const { code, stdout, stderr } = await start(args, env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(hint);
    expect(stderr).toContain("npm start -- --help");
    expect(stderr).not.toContain(canary);
  });

  it("prints its usage when asked", async () => {
    const { code, stdout } = await start(["--help"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("--base-url URL")]);
  });
});
