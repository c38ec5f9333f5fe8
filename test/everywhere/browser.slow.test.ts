import { expect } from "vitest";
import { openPage, serveHandler, skipWithoutChromium } from "../support/app.js";
import { serve, TOKEN } from "../support/server.js";
import { bundleFile } from "./bundle.js";
import { catalogue, EXPECTED } from "./service.js";
import type { outcomes } from "./scenarios.js";

type Outcomes = Awaited<ReturnType<typeof outcomes>>;

const WORKER = `import { outcomes } from "/scenarios.js";
  onmessage = async ({ data }) => postMessage(await outcomes(...data));`;

/** The source code of functions that run the scenarios in a page and in a web worker. */
const IN_PAGE = `(data) => import("/scenarios.js").then(({ outcomes }) => outcomes(...data))`;
const IN_WORKER = `(data) => new Promise((resolve, reject) => {
  const worker = new Worker("/worker.js", { type: "module" });
  worker.addEventListener("message", (event) => resolve(event.data));
  worker.addEventListener("error", (event) => reject(new Error(event.message)));
  worker.postMessage(data);
})`;

skipWithoutChromium.each([
  ["a page", IN_PAGE],
  ["a web worker", IN_WORKER],
])("calls from %s to a different origin succeed and fail as documented", async (_, run) => {
  const preflights = new Set<string>();
  const api = await serve(catalogue(preflights));
  const { text } = await bundleFile("scenarios.ts");
  const site = await serveHandler(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response("<!doctype html><link rel=icon href=data:,>", html);
    return new Response(pathname === "/worker.js" ? WORKER : text, script);
  });
  const { page, noise } = await openPage(site);
  const seen = await page.evaluate<Outcomes>(`(${run})(${JSON.stringify([api.url, TOKEN])})`);

  // Browsers hide the status of a redirect.
  const redirect = expect.objectContaining({
    name: "ApiError",
    status: 0,
    message: expect.stringContaining("redirect not followed"),
  });
  expect(seen).toEqual({ ...EXPECTED, redirect });
  expect([...preflights].toSorted()).toEqual(["authorization", "authorization,content-type"]);
  // The console messages of a worker arrive after the worker's result.
  const others = () => noise.filter((line) => !line.startsWith("error: Failed to load resource"));
  await expect.poll(others).toEqual(["info: all called"]);
  expect(JSON.stringify([seen, noise])).not.toContain(TOKEN);
});

const html = { headers: { "content-type": "text/html" } };
const script = { headers: { "content-type": "text/javascript" } };
