import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { serveHandler } from "../support/app.js";
import { chromiumPath } from "../support/chromium.js";
import { expectedOutcome } from "../support/outcome.js";
import { describeInstalled, tools, useApp } from "./app.js";

const isMissing = !existsSync(chromiumPath) && !process.env.CI;
const hint = isMissing ? ` (skipped: ${chromiumPath} does not exist)` : "";
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };

describeInstalled("a page bundled by vite", () => {
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

  test.skipIf(isMissing)(`uses every entry point in Chromium${hint}`, async () => {
    const sandbox = createSandbox();
    const url = await serveHandler(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/3/")) return sandbox.fetch(request);
      const file = join(app.folder, "dist", pathname === "/" ? "index.html" : pathname);
      return new Response(await readFile(file), {
        headers: { "content-type": TYPES[extname(file)] ?? "" },
      });
    });
    const browser = await chromium.launch({
      executablePath: chromiumPath,
      args: ["--no-sandbox"],
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(url);
    await page.waitForFunction("document.title === 'called'", undefined, { timeout: 0 });
    expect(problems).toEqual([]);
    expect(JSON.parse(await page.innerText("body"))).toEqual(expectedOutcome());
  });
});
