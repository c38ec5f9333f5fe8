import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { describeInstalled, openPage, serveHandler, skipWithoutChromium } from "../support/app.js";
import { expectedOutcome } from "../support/outcome.js";
import { tools, useApp } from "./app.js";

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };

describeInstalled("test/consumers", "a page bundled by vite", () => {
  const app = useApp("browser");

  test("is bundled without a warning or Node APIs", async () => {
    const built = await app.run(process.execPath, tools("vite/bin/vite.js"), "build");
    expect(built).toMatchObject({ code: 0, stderr: "" });
    const names = await readdir(join(app.folder, "dist"), { recursive: true });
    const [script, ...others] = names.filter((each) => each.endsWith(".js"));
    expect(others).toEqual([]);
    const text = await readFile(join(app.folder, "dist", script!), "utf8");
    expect(text).not.toMatch(/["']node:|\brequire\(/);
  });

  skipWithoutChromium("uses every entry point in Chromium", async () => {
    const sandbox = createSandbox();
    const url = await serveHandler(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/3/")) return sandbox.fetch(request);
      const file = join(app.folder, "dist", pathname === "/" ? "index.html" : pathname);
      const headers = { "content-type": TYPES[extname(file)] ?? "" };
      return new Response(await readFile(file), { headers });
    });
    const { page, noise } = await openPage(url);
    await page.waitForFunction("document.title === 'called'", undefined, { timeout: 0 });
    expect(noise.filter((line) => line.startsWith("uncaught"))).toEqual([]);
    expect(JSON.parse(await page.innerText("body"))).toEqual(expectedOutcome());
  });
});
