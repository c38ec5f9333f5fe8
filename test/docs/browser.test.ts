import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { callOf } from "../../scripts/docs/calls.js";
import { gapLink } from "../../scripts/docs/gaps.js";
import { readDescription } from "../../scripts/generate/description.js";
import gaps from "../gaps.json" with { type: "json" };
import { descriptionFile, operations } from "../support/description.js";
import { root } from "../support/paths.js";
import { useDocs } from "./built.js";

const CHROMIUM = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 1000 };
const SHOTS = join(root, ".tmp/screenshots");
const WATCH_PROVIDERS = "#/movies/movies.watchproviders";

/** Findings of axe that no theme can change, with the reason. */
const OF_THE_TOOLS: Readonly<Record<string, string>> = {
  "heading-order": "Redoc uses h4 for a request, right below the h2 of its operation.",
  "landmark-one-main": "TypeDoc has no main landmark.",
  "nested-interactive": "TypeDoc puts links into the summaries of its menu.",
  "page-has-heading-one": "Redoc removes the h1 when the first section scrolls away.",
  region: "Redoc puts its menu outside all landmarks.",
};

// Without Chromium, the tests are reported as skipped. In CI they fail instead.
describe.skipIf(!existsSync(CHROMIUM) && !process.env["CI"])(
  "the docs in a browser, offline",
  () => {
    const docs = useDocs();
    let browser: Browser;
    beforeAll(async () => {
      await mkdir(SHOTS, { recursive: true });
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    });
    afterAll(() => browser?.close());

    /** Opens a page without a network. Its complaints and foreign requests fail the test. */
    async function open(path: string, viewport = DESKTOP, colorScheme: "light" | "dark" = "light") {
      const context = await browser.newContext({ viewport, colorScheme, offline: true });
      const page = await context.newPage();
      const noise: string[] = [];
      page.on("console", (message) => {
        // Chromium reports TypeDoc's icons under file://; its script then inserts them.
        const isNoise =
          /^(error|warning)$/.test(message.type()) && !message.text().includes("icons.svg");
        if (isNoise) noise.push(message.text());
      });
      page.on("pageerror", (error) => noise.push(error.message));
      page.on("request", (request) => {
        if (!/^(file|data):/.test(request.url())) noise.push(request.url());
      });
      onTestFinished(async () => {
        await context.close();
        expect(noise).toEqual([]);
      });
      await page.goto(pathToFileURL(docs.folder).href + path);
      return page;
    }

    it("leads to every operation and gap, and marks each in the menu", async () => {
      const page = await open("/service.html");
      const { operations: described } = await readDescription(descriptionFile);
      const tags = new Map(
        operations.map(({ operation }) => [operation.operationId, operation.tags[0]!]),
      );
      const links = [
        ...described.map((each) => callOf(each, tags.get(each.id)!).link),
        ...gaps.map(({ id }) => gapLink(id)),
      ];
      const found = await page.evaluate(async (targets) => {
        const arrived = (link: string) => {
          const heading = document.querySelector(
            `[data-section-id="${link.slice(1)}"] :is(h1, h2)`,
          );
          const top = heading?.getBoundingClientRect().top ?? -1;
          const active = document.querySelector(`.menu-content [href="${link}"]`);
          return top >= 0 && top < innerHeight && active ? heading!.textContent : undefined;
        };
        const titles: [string, string | null | undefined][] = [];
        for (const link of targets) {
          location.hash = link;
          for (let frame = 0; frame < 600 && !arrived(link); frame += 1) {
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          titles.push([link, arrived(link)]);
        }
        return titles;
      }, links);
      expect(found.filter(([, title]) => !title)).toEqual([]);
      expect(new Map(found).get(gapLink("G12"))).toContain("G12 Query parameters");
    });

    it("shows samples, a short note about gaps and title-case families at an operation", async () => {
      const page = await open(`/service.html${WATCH_PROVIDERS}`);
      const section = page.locator(`[data-section-id="${WATCH_PROVIDERS.slice(1)}"]`);
      await section.getByRole("heading").first().waitFor();
      const text = await section.innerText();
      expect(text).toMatch(/Not specified: G12 Query parameters\n/);
      expect(text.match(/G12/g)).toHaveLength(1);
      expect(text).toContain("catalogue.movies.watchProviders(106646)");
      expect(text).not.toMatch(/int64|one path segment|\\d\{4\}/);
      expect(await page.locator(".menu-content").innerText()).toMatch(/^TV Series$/m);
      const clipped = await section
        .getByTestId("source-code")
        .evaluateAll((blocks) =>
          blocks
            .filter((block) => block.scrollWidth > block.clientWidth + 1)
            .map((block) => block.textContent),
        );
      expect(clipped).toEqual([]);
    });

    it("sends a request to the sandbox from an operation and from the landing page", async () => {
      const service = await open(`/service.html${WATCH_PROVIDERS}`);
      await service.locator('[data-try="movies.watchProviders"]').click();
      await send(service, "Status 200 from GET /3/movie/106646/watch/providers");
      expect(await service.getByRole("region", { name: "Body" }).innerText()).toContain("Netflix");
      expect(await service.getByRole("region", { name: "Headers" }).innerText()).toContain(
        "content-type: application/json",
      );
      await service.keyboard.press("Escape");
      await service.getByRole("dialog").waitFor({ state: "hidden" });

      const landing = await open("/index.html");
      await landing.getByLabel("Operation").selectOption("search.multi");
      await landing.getByLabel("Query").fill("query=arrow&page=2");
      await send(landing, "Status 200 from GET /3/search/multi?query=arrow&page=2");
      await landing.getByLabel("Operation").selectOption("movies.lists");
      await landing.getByLabel("Recorded case").selectOption("not-found");
      await send(landing, "Status 404 from GET /3/movie/603/lists");
    });

    async function send(page: Page, status: string): Promise<void> {
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("status").getByText(status, { exact: true }).waitFor();
    }

    it("covers no text with buttons on a phone and mentions no keyboard", async () => {
      const page = await open(`/service.html${WATCH_PROVIDERS}`, PHONE);
      const code = page
        .locator(`[data-section-id="${WATCH_PROVIDERS.slice(1)}"]`)
        .getByTestId("source-code");
      await code.first().scrollIntoViewIfNeeded();
      const [header, menu] = [page.locator(".site"), page.getByTestId("floating-button")];
      const inside = (await header.boundingBox())!;
      expect(
        (await menu.boundingBox())!.y + (await menu.boundingBox())!.height,
      ).toBeLessThanOrEqual(inside.height);
      expect(inside.y).toBe(0);
      const copy = page.locator(".code-block-header").first();
      const [above, below] = [(await copy.boundingBox())!, (await code.first().boundingBox())!];
      expect(above.y + above.height).toBeLessThanOrEqual(below.y + 1);
      await menu.click();
      const trigger = page.getByTestId("search-trigger").locator("> div");
      await expect
        .poll(() => trigger.evaluate((each) => getComputedStyle(each).fontSize))
        .toBe("0px");
    });

    const PAGES = {
      "/index.html": "h1",
      [`/service.html${WATCH_PROVIDERS}`]: "[data-try='movies.watchProviders']",
      "/client/index.html": "h1",
    };
    const looks = [PHONE, DESKTOP].flatMap((viewport) =>
      (["light", "dark"] as const).map((scheme) => ({ width: viewport.width, scheme, viewport })),
    );
    it.each(looks)("is accessible and fits at $width px, $scheme", async ({ viewport, scheme }) => {
      for (const [path, landmark] of Object.entries(PAGES)) {
        const page = await open(path, viewport, scheme);
        // Redoc covers the page while it loads.
        await page.locator(landmark).first().click({ trial: true });
        const name = path.replaceAll(/\W+/g, "-");
        await page.screenshot({ path: join(SHOTS, `${viewport.width}-${scheme}${name}.png`) });
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width, path).toBe(viewport.width);
        await page.evaluate(axe.source);
        const found = await page.evaluate(async () => {
          const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
            preload: false,
          });
          return violations.map(({ id, nodes }) => ({
            id,
            nodes: nodes.map((each) => each.html.slice(0, 200)),
          }));
        });
        expect(
          found.filter(({ id }) => !(id in OF_THE_TOOLS)),
          path,
        ).toEqual([]);
      }
    });
  },
);
