import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "srvx";
import { staticMiddleware } from "srvx/static";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { description } from "../src/generated/description.js";
import { description as full } from "../src/generated/full-description.js";
import { chromiumPath } from "./support/chromium.js";
import { root } from "./support/paths.js";
import { succeed } from "./support/run.js";

const PAGES = [
  "",
  "README.html",
  "CONTRIBUTING.html",
  "docs/methods.html",
  "docs/recipes.html",
  "docs/gaps.html",
  "docs/evidence.html",
  "docs/promises.html",
  "redoc/full.html",
  "redoc/catalogue.html",
  "404.html",
];

const WINDOWS = [
  [390, "light"],
  [1440, "dark"],
] as const;

/** What the test reads from the result of axe. */
interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}

describe.skipIf(!existsSync(chromiumPath))("npm run docs", () => {
  let browser: Browser;
  let url = "";
  let close = async () => {};

  beforeAll(async () => {
    // VitePress fails if a guide has a dead link.
    await succeed("npm", ["run", "docs"]);
    const server = serve({
      fetch: () => new Response("Not found", { status: 404 }),
      middleware: [staticMiddleware({ dir: join(root, "dist/docs") })],
      hostname: "127.0.0.1",
      port: 0,
      silent: true,
    });
    await server.ready();
    url = server.url!;
    const args = ["--no-sandbox", "--disable-background-networking", "--disable-sync"];
    browser = await chromium.launch({ executablePath: chromiumPath, args });
    close = async () => {
      await browser.close();
      await server.close(true);
    };
  });
  afterAll(() => close());

  it("the pages load without errors or other hosts, and fit narrow and wide windows without horizontal scrolling", async () => {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", ({ message }) => problems.push(`${page.url()}: ${message}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()))
        problems.push(`${page.url()}: ${message.text()}`);
    });
    page.on("request", (request) => {
      const target = request.url();
      if (!target.startsWith(url) && !/^(data|blob):/.test(target)) problems.push(target);
    });
    for (const path of PAGES) {
      await page.goto(url + path);
      await page.locator("h1").first().waitFor();
      for (const [width, colorScheme] of WINDOWS) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, `${path} at ${width} pixels`).toBeLessThanOrEqual(0);
      }
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  it("axe finds nothing to criticize in narrow and wide windows", async () => {
    const axe = join(root, "docs/node_modules/axe-core/axe.min.js");
    for (const path of PAGES)
      for (const [width, colorScheme] of WINDOWS) {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
        await page.goto(url + path);
        await page.locator("h1").first().waitFor();
        await page.addScriptTag({ path: axe });
        const { violations } = await page.evaluate<AxeResults>("axe.run()");
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`);
        expect(found, `${path} at ${width} pixels`).toEqual([]);
        await page.close();
      }
  });

  it("the search finds a guide, and the menu leads to both references", async () => {
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("retries");
    await page.locator(".result").first().waitFor();
    await page.goto(`${url}README.html`);
    for (const name of ["Full API", "Specified API"]) {
      await page.getByRole("link", { name }).first().click();
      await page.waitForURL(/\/redoc\/(full|catalogue)\.html/);
      await page.goBack();
    }
    await page.close();
  });

  it.each([
    ["full", full],
    ["catalogue", description],
  ] as const)("Redoc's page of the %s description has a sample for each operation", (name, of) => {
    const html = readFileSync(join(root, `dist/docs/redoc/${name}.html`), "utf8");
    for (const { id } of of.operations) expect(html).toContain(`await catalogue.${id}(`);
  });

  it("Redoc shows the sample and the example response of an operation", async () => {
    const page = await browser.newPage();
    await page.goto(`${url}redoc/full.html#/movies/movies.addRating`);
    await page.getByText("catalogue.movies.addRating(701").waitFor();
    await page.getByText('"The rating was saved."').first().waitFor();
    await page.close();
  });
});
