import { beforeAll, describe, expect } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { openPage, skipWithoutChromium } from "../support/app.js";
import { freePort, TOKEN } from "../support/server.js";
import { frameworkFile, serveForFile, startApp } from "./frameworks.js";
import { FIRST_LINE, inFolder, recipe, shared } from "./recipe-files.js";

const inNext = "app/api/catalogue/[...path]/route.ts";
const inNuxt = "server/routes/api/catalogue/[...path].ts";
const inSvelteKit = "src/routes/api/catalogue/[...path]/+server.ts";
const next = frameworkFile("next/dist/bin/next");
const vite = frameworkFile("vite/bin/vite.js");

/** How to build and start each framework's app, which files the recipe adds, and where the page is. */
const apps: [name: string, build: string[], start: string[], files: object, page?: string][] = [
  ["astro", [frameworkFile("astro/bin/astro.mjs"), "build"], ["dist/server/entry.mjs"], shared],
  ["hono", ["build.mjs"], ["server.mjs"], shared],
  ["next", [next, "build"], [next, "start"], { ...shared, [inNext]: recipe(inNext) }, "/first"],
  [
    "nuxt",
    [frameworkFile("nuxt/bin/nuxt.mjs"), "build"],
    [".output/server/index.mjs"],
    { ...shared, [inNuxt]: recipe(inNuxt) },
  ],
  [
    "react-router",
    [frameworkFile("@react-router/dev/bin.cjs"), "build"],
    [frameworkFile("@react-router/serve/bin.cjs"), "build/server/index.js"],
    shared,
  ],
  [
    "sveltekit",
    [vite, "build"],
    ["build"],
    { ...inFolder("src"), "proxy.mjs": shared["proxy.mjs"], [inSvelteKit]: recipe(inSvelteKit) },
    "/first",
  ],
];

describe.each(apps)("%s", (name, build, start, files, path = "/") => {
  let app: string;
  const credentials: (string | null)[] = [];
  beforeAll(async () => {
    const sandbox = createSandbox();
    const baseUrl = await serveForFile((request) => {
      credentials.push(request.headers.get("authorization"));
      return sandbox.fetch(request);
    });
    const PORT = `${await freePort()}`;
    app = `http://127.0.0.1:${PORT}`;
    const env = { CATALOGUE_BASE_URL: baseUrl, CATALOGUE_TOKEN: TOKEN, HOST: "127.0.0.1", PORT };
    await startApp({ name, files: { ...files }, build, start, env });
  });

  skipWithoutChromium(
    "a page shows the README's first call, and calls the service through the proxy, which alone has the token",
    async () => {
      const { page, noise } = await openPage(app + path);
      expect(await page.locator("h1").textContent()).toBe(FIRST_LINE);
      await expect.poll(() => page.locator("p").textContent()).toBe("Night Ferry");
      expect(credentials).toEqual([`Bearer ${TOKEN}`]);
      expect(noise).toEqual([]);
      expect(await page.content()).not.toContain(TOKEN);
    },
  );
});
