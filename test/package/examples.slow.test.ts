import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import {
  createApp,
  openPage,
  problemsOf,
  serveHandler,
  skipWithoutChromium,
} from "../support/app.js";
import { root } from "../support/paths.js";
import { execute, type RunResult } from "../support/run.js";
import { eventually, serve, stall } from "../support/server.js";

let app: string;
const shell = (command: string, env: NodeJS.ProcessEnv): Promise<RunResult> =>
  execute("sh", ["-ec", command], { cwd: app, env });

beforeAll(async () => {
  app = await createApp();
  await cp(join(root, "examples"), join(app, "examples"), { recursive: true });
});

test("every example has fewer than 40 lines and compiles in strict mode", async () => {
  const names = await readdir(join(app, "examples"), { recursive: true, withFileTypes: true });
  const files = names
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files) {
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    expect(lines.length, file).toBeLessThan(40);
  }
  const code = files.filter((file) => /\.(ts|mjs)$/.test(file));
  expect(code.length).toBeGreaterThanOrEqual(3);
  expect(problemsOf(code)).toEqual([]);
});

describe("examples/where-to-watch.mjs", () => {
  const script = async (ids: string, env: NodeJS.ProcessEnv = {}) =>
    shell(`node examples/where-to-watch.mjs ${ids}`, {
      CATALOGUE_BASE_URL: await serveHandler(),
      CATALOGUE_TOKEN: "any-token",
      ...env,
    });

  test("where-to-watch.mjs prints a movie's streaming services and a list of popular people", async () => {
    const { code, stdout, stderr } = await script("701 US");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")[0]).toBe("Night Ferry streams in US on: Filmhaven");
    expect(stdout).toMatch(/^Popular: Idris Calloway, known for Acting$/m);
  });

  test("where-to-watch.mjs reports an API error in one line, and names a missing environment variable", async () => {
    const { code, stdout, stderr } = await script("999999999");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^movies\.details: 404 .* \(status_code 34\)\n$/);
    const unset = await script("701", { CATALOGUE_TOKEN: "" });
    expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining("CATALOGUE_TOKEN")]);
  });
});

skipWithoutChromium("the example page shows movies in a browser, without a bundler", async () => {
  await symlink(join(app, "node_modules/media-catalogue/dist"), join(app, "dist"), "junction");
  const server = spawn(process.execPath, ["examples/browser/serve.mjs"], {
    cwd: app,
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void server.kill());
  const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
  const url = /http:\S+/.exec(line)![0];

  const { page, noise } = await openPage(url);
  await page.getByRole("status").filter({ hasNotText: "Loading" }).waitFor();
  const titles = await page.getByRole("listitem").allTextContents();
  expect(titles).toContain("Night Ferry");
  expect(await page.getByRole("status").textContent()).toBe(`${titles.length} movies`);
  expect(noise).toEqual([]);
  for (const path of ["/package.json", "/node_modules/openapi-fetch/dist/index.mjs"]) {
    expect((await fetch(new URL(path, url))).status, path).toBe(404);
  }
});

describe("the route handler", () => {
  /** Serves the route handler, which calls the given deployment. @returns the URL of the route */
  async function serveRoute(catalogue: string): Promise<string> {
    vi.stubEnv("CATALOGUE_BASE_URL", catalogue);
    vi.stubEnv("CATALOGUE_TOKEN", "any-token");
    onTestFinished(() => void vi.unstubAllEnvs());
    const file = join(app, "examples/route.ts");
    const { GET } = (await import(`${file}?${catalogue}`)) as {
      GET(request: Request): Promise<Response>;
    };
    return `${await serveHandler(GET)}/api/watch`;
  }

  test("the route handler responds with the data or error that the catalogue returns", async () => {
    const url = await serveRoute(await serveHandler());
    const found = await fetch(`${url}?movie=701`);
    expect([found.status, await found.json()]).toEqual([
      200,
      expect.objectContaining({ US: expect.anything() }),
    ]);
    expect((await fetch(url)).status).toBe(400);
    const missing = await fetch(`${url}?movie=999999999`);
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { error: expect.stringContaining("status_code 34") },
    ]);
  });

  test("the route handler aborts its call to the catalogue when the browser disconnects", async () => {
    const catalogue = await serve(stall);
    const url = await serveRoute(catalogue.url);
    const leaving = new AbortController();
    const call = fetch(`${url}?movie=701`, { signal: leaving.signal });
    expect(await eventually(() => catalogue.busy() === 1)).toBe(true);
    leaving.abort();
    await expect(call).rejects.toThrow();
    expect(await eventually(() => catalogue.busy() === 0)).toBe(true);
    expect(catalogue.seen).toHaveLength(1);
  });
});

describe("the example workflows", () => {
  interface Step {
    name?: string;
    run?: string;
  }
  /** Returns the command of a workflow step. */
  async function commandOf(name: string, workflow = "contract.yml"): Promise<string> {
    const file = parse(await readFile(join(app, "examples", workflow), "utf8")) as {
      jobs: Record<string, { steps: Step[] }>;
    };
    const steps = Object.values(file.jobs).flatMap((job) => job.steps);
    return steps.find((each) => each.name === name)!.run!;
  }
  const summary = () => ({
    GITHUB_STEP_SUMMARY: join(app, "summary.md"),
    CATALOGUE_TOKEN: "any-token",
  });

  test("the workflows pass for new recordings, and fail for a recording with a mismatch, with or without shards", async () => {
    const url = await serveHandler();
    const plan = [{ operation: "movies.latest", case: "typical" }];
    await writeFile(join(app, "plan.json"), JSON.stringify(plan));
    const record = `npx media-catalogue record --full --base-url ${url} --plan plan.json`;
    const made = await shell(record, summary());
    expect(made.code, made.stderr).toBe(0);
    const command = await commandOf("Check the recordings");
    const passed = await shell(command, summary());
    expect(passed.code, passed.stdout + passed.stderr).toBe(0);
    expect(await readFile(join(app, "summary.md"), "utf8")).toContain(
      "Passed: 1 exchange read, 1 matched, 1 validated",
    );

    const file = join(app, "test/recordings/movies.latest/typical.json");
    const recording = JSON.parse(await readFile(file, "utf8")) as {
      response: { body: { title: unknown } };
    };
    recording.response.body.title = 1;
    await writeFile(file, JSON.stringify(recording, null, 2));
    const failed = await shell(command, summary());
    expect([failed.code, failed.stdout]).toEqual([
      1,
      expect.stringMatching(/^::error .*movies\.latest/m),
    ]);

    const shard = await commandOf("Check one shard", "contract-shards.yml");
    const codes = [];
    for (const index of ["1", "2", "3", "4"]) {
      const ran = await shell(shard.replaceAll("${{ matrix.index }}", index), summary());
      codes.push(ran.code);
    }
    expect(codes.toSorted()).toEqual([0, 0, 0, 1]);
    const merge = await commandOf("Merge the reports", "contract-shards.yml");
    const merged = await shell(merge, summary());
    expect([merged.code, merged.stdout]).toEqual([1, failed.stdout]);
  });

  test("the example workflow can check a deployment", async () => {
    // Without pauses between the calls, the responses are the same.
    const command = `${await commandOf("Check the deployment")} --delay 0`;
    const env = { ...summary(), CATALOGUE_BASE_URL: await serveHandler() };
    const { code, stdout, stderr } = await shell(command, env);
    expect(code, stdout + stderr).toBe(0);
  });
});
