import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { execute } from "../support/run.js";
import { serve, type LocalServer } from "../support/server.js";
import { createRecipes, files } from "./recipes.js";

const recipe = files.find(({ name }) => name === "several-machines.mjs")!;
const PAGES = 30;

let folder: string;
beforeAll(async () => (folder = await createRecipes()));

/** Starts a new Redis server, which the Debian package `redis-server` contains. */
async function startRedis(): Promise<string> {
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address() as { port: number };
      server.close(() => resolve(free));
    });
  });
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(new Error("redis-server has ended")));
    child.stdout.on("data", (text) => String(text).includes("Ready to accept") && resolve());
  });
  return `redis://127.0.0.1:${port}`;
}

/** Serves lists of people, which no response header allows to be cached. */
const servePeople = () =>
  serve((response, { url }) => {
    const page = Number(new URL(url, "http://a").searchParams.get("page"));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ page, results: [{ id: page }], total_pages: PAGES }));
  });

const settings = ({ url }: LocalServer, redis: string) => ({
  REDIS_URL: redis,
  CATALOGUE_BASE_URL: url,
  CATALOGUE_TOKEN: "any",
});

test("two processes that share a Redis fetch each page once", async () => {
  const server = await servePeople();
  const env = settings(server, await startRedis());
  const crawl = () => execute(process.execPath, [recipe.name], { cwd: folder, env });
  const done = { code: 0, stdout: `${PAGES}\n`, stderr: "" };
  expect(await Promise.all([crawl(), crawl()])).toEqual([done, done]);
  const urls = server.seen.map(({ url }) => url);
  expect(new Set(urls).size).toBe(PAGES);
  expect(urls).toHaveLength(PAGES);
});

test("two processes that share a Redis stay below one rate limit together", async () => {
  const server = await servePeople();
  const env = settings(server, await startRedis());
  // The second period starts only after the test.
  const slow = recipe.text.replace("duration: 1 ", "duration: 600 ");
  await writeFile(join(folder, "slow.mjs"), slow);
  const processes = [1, 2].map(() =>
    spawn(process.execPath, ["slow.mjs"], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    }),
  );
  try {
    await vi.waitFor(() => expect(server.seen.length).toBeGreaterThanOrEqual(10), 60_000);
    // Gives the processes time to exceed the limit.
    await setTimeout(2_000);
    expect(server.seen).toHaveLength(10);
    expect(processes.map(({ exitCode }) => exitCode)).toEqual([null, null]);
  } finally {
    for (const each of processes) each.kill();
  }
});
