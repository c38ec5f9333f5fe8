import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { problemsOf, serveHandler } from "../support/app.js";
import { freePort } from "../support/server.js";
import { describeWithTools, toolFile } from "../tools/tools.js";
import { allFiles, createRecipes } from "./recipes.js";

const TOKEN = "canary-of-the-proxy-recipes";
const names = [
  "hono",
  "@hono/node-server",
  "express",
  "@types/express",
  "@types/express-serve-static-core",
];
const packages = {
  ...Object.fromEntries(names.map((name) => [name, toolFile(name)])),
  h3: toolFile("h3-1"),
};
/** The files of the recipe, from the proxy to the servers. */
const files = allFiles.filter(({ text }) => /\bproxy\b|^export const connect/m.test(text));

/** Servers that the recipe does not show, because their frameworks start them. */
const SERVERS: Record<string, string> = {
  "h3-server.mjs": `
    import { createServer } from "node:http";
    import { createApp, createRouter, toNodeListener } from "h3";
    import handler from "./server/routes/api/catalogue/[...path].ts";
    const app = createApp().use(createRouter().use("/api/catalogue/**", handler));
    createServer(toNodeListener(app)).listen(Number(process.env.PORT));`,
  "next-server.mjs": serverOf(
    "app/api/catalogue/[...path]/route.ts",
    "handler[request.method]?.(request) ?? new Response(null, { status: 405 })",
  ),
  "sveltekit-server.mjs": serverOf(
    "src/routes/api/catalogue/[...path]/+server.ts",
    "handler.fallback({ request })",
  ),
  "worker-server.mjs": serverOf("worker.mjs", "handler.default.fetch(request, process.env)"),
};

/** Returns a server that calls the handler of a recipe. */
function serverOf(file: string, call: string): string {
  return `
    import { serve } from "@hono/node-server";
    import * as handler from "./${file}";
    serve({ fetch: async (request) => ${call}, port: Number(process.env.PORT) });`;
}

let folder: string;
beforeAll(async () => {
  folder = await createRecipes(packages, files);
  // The frameworks run the recipe's TypeScript as ES modules.
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const [name, text] of Object.entries(SERVERS)) await writeFile(join(folder, name), text);
});

/** Starts a server on a free port, and stops the server after the test. @returns its URL */
async function start(name: string, baseUrl: string): Promise<string> {
  const PORT = `${await freePort()}`;
  const env = { ...process.env, PORT, CATALOGUE_BASE_URL: baseUrl, CATALOGUE_TOKEN: TOKEN };
  const tsx = pathToFileURL(
    join(import.meta.dirname, "../../node_modules/tsx/dist/loader.mjs"),
  ).href;
  const child = spawn(process.execPath, ["--import", tsx, name], {
    cwd: folder,
    env,
    stdio: "inherit",
  });
  onTestFinished(() => void child.kill());
  const url = `http://127.0.0.1:${PORT}`;
  await vi.waitFor(() => fetch(url), { timeout: 60_000, interval: 100 });
  return url;
}

describeWithTools("the proxy recipe", () => {
  test.each(["hono-server.mjs", "express-server.mjs", ...Object.keys(SERVERS)])(
    "%s passes on what the list allows, and sends the token only to the service",
    async (name) => {
      const { fetch: send } = createSandbox();
      const seen: Request[] = [];
      const service = await serveHandler((request) => {
        seen.push(request.clone());
        return send(request);
      });
      const url = `${await start(name, service)}/api/catalogue`;
      const visit = async (path: string, init?: RequestInit) => {
        const response = await fetch(url + path, init);
        const body = await response.text();
        expect(JSON.stringify([body, [...response.headers]])).not.toContain(TOKEN);
        return [response.status, body] as const;
      };
      const movie = await visit("/3/movie/701?language=de", { headers: { cookie: "a=1" } });
      expect([movie[0], JSON.parse(movie[1])]).toEqual([200, expect.objectContaining({ id: 701 })]);
      const body = JSON.stringify({ value: 8.5 });
      const headers = { "content-type": "application/json" };
      const canRate = name !== "worker-server.mjs";
      if (canRate)
        expect(
          (
            await visit("/3/movie/701/rating?guest_session_id=guest", {
              method: "POST",
              body,
              headers,
            })
          )[0],
        ).toBe(201);
      expect((await visit("/3/movie/701/rating", { method: "DELETE" }))[0]).toBe(404);
      expect((await visit("/3/movie/701%2Fvideos"))[0]).toBe(404);
      expect((await visit("/3/movie/latest"))[0]).toBe(404);
      expect((await visit("/3/search/multi?query=night&api_key=mine"))[0]).toBe(400);
      expect(
        seen.map(({ method, url: sent, headers: given }) => [
          method,
          sent.slice(service.length),
          given.get("authorization"),
          given.get("cookie"),
        ]),
      ).toEqual([
        ["GET", "/3/movie/701?language=de", `Bearer ${TOKEN}`, null],
        ...(canRate
          ? [["POST", "/3/movie/701/rating?guest_session_id=guest", `Bearer ${TOKEN}`, null]]
          : []),
      ]);
      if (canRate) expect(await seen[1]!.text()).toBe(body);
    },
  );

  test("every file of the recipe compiles in strict mode", () => {
    expect(files.map(({ name }) => name)).toHaveLength(8);
    expect(problemsOf(files.map(({ name }) => join(folder, name)))).toEqual([]);
  });
});
