import { existsSync } from "node:fs";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installApp, type App } from "./install.js";
import { expectedOutcome } from "../support/outcome.js";
import { startSandbox } from "./sandbox.js";
import { servePage } from "./serve-page.js";
import { describeInstalled, runIn, tools } from "./tools.js";

const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
// CI installs Chromium, so a missing one fails there.
const there = existsSync(CHROMIUM) || process.env.CI !== undefined;

describeInstalled("an app in a browser", () => {
  let app: App;
  beforeAll(async () => {
    app = await installApp("browser");
  });
  afterAll(() => app?.remove());

  /** Builds the page into a folder of the app with the command of a bundler. */
  const bundlers: Record<string, (folder: string) => Promise<{ code: number; stderr: string }>> = {
    vite: (folder) =>
      runIn(app.folder, process.execPath, tools("vite/bin/vite.js"), "build", "--outDir", folder),
    esbuild: async (folder) => {
      const built = await runIn(
        app.folder,
        tools(".bin/esbuild"),
        ...["main.js", "--bundle", "--minify", "--format=esm", "--target=es2022"],
        ...["--log-level=warning", `--outdir=${folder}`],
      );
      await cp(join(app.folder, "index.html"), join(app.folder, folder, "index.html"));
      return built;
    },
  };

  describe.each(Object.keys(bundlers))("a page bundled by %s", (name) => {
    const folder = `built-by-${name}`;
    let built: { code: number; stderr: string };
    beforeAll(async () => {
      built = await bundlers[name]!(folder);
    });

    test("is bundled without a warning and without Node APIs", async () => {
      expect(built).toMatchObject({ code: 0, stderr: "" });
      const names = await readdir(join(app.folder, folder), { recursive: true });
      const scripts = names.filter((each) => each.endsWith(".js"));
      expect(scripts).toHaveLength(1);
      const text = await readFile(join(app.folder, folder, scripts[0]!), "utf8");
      expect(text).not.toMatch(/["']node:|\brequire\(/);
    });

    test.skipIf(!there)(
      `uses every entry point in Chromium${there ? "" : ` (skipped: ${CHROMIUM} does not exist)`}`,
      async () => {
        const sandbox = await startSandbox(app);
        const page = await servePage(join(app.folder, folder), sandbox.url);
        try {
          expect(await visit(page.url)).toEqual({ outcome: expectedOutcome(), problems: [] });
        } finally {
          page.close();
          await sandbox.stop();
        }
      },
    );
  });

  /** Opens a page, waits for its calls, and reads the outcome. */
  async function visit(url: string): Promise<{ outcome: unknown; problems: string[] }> {
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
    });
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      await page.goto(url);
      await page.waitForFunction("document.title === 'called'", undefined, { timeout: 30_000 });
      return { outcome: JSON.parse(await page.innerText("body")), problems };
    } finally {
      await browser.close();
    }
  }
});
