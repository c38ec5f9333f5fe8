import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe, { type AxeResults } from "axe-core";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { gapLink, operationLink } from "../../scripts/docs/links.js";
import { referencePage } from "../../scripts/docs/reference.js";
import gaps from "../gaps.json" with { type: "json" };
import { description, operations } from "../support/description.js";
import { root } from "../support/paths.js";
import { json, serve } from "../support/server.js";
import { redocsOwn } from "./redocs-own.js";

const CHROMIUM = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const SLOW = 300_000;
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 1000 };

const shots = join(root, ".tmp/screenshots");
const pages = operations.map(({ method, path, operation }) => ({
  name: operation.operationId,
  summary: operation.summary,
  path: `${path}`,
  method: method.toUpperCase(),
  link: operationLink(operation),
}));

let built: string;
let again: string;
beforeAll(async () => {
  [built, again] = (await Promise.all([referencePage(root), referencePage(root)])) as [
    string,
    string,
  ];
}, SLOW);

describe("the page", () => {
  it("is the same bytes each time", () => {
    expect(built === again).toBe(true);
    expect(built).not.toContain(root);
  });

  it("has a language, a title with the version, a description and an icon of its own", () => {
    const { version } = description.info;
    expect(built).toMatch(/^<!doctype html>\s*<html lang="en">/);
    expect(built).toContain(`<title>Media catalogue ${version}</title>`);
    expect(built).toMatch(/<meta name="description" content="[^"]{20,}" \/>/);
    expect(built).toMatch(/<link rel="icon" type="image\/svg\+xml" href="data:image\/svg\+xml,/);
  });

  it("allows nothing from elsewhere, and no script but its own", () => {
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(built)!;
    expect(policy).toMatch(/^default-src 'none'; script-src( 'sha256-[\w+/]{43}=')+; /);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(policy).toMatch(/connect-src 'none'; base-uri 'none'; form-action 'none'$/);
  });
});

// Where there is no Chromium, the tests of this block are reported as skipped.
describe.skipIf(!existsSync(CHROMIUM))("the page in a real browser without network", () => {
  let browser: Browser;
  let folder: string;
  let url: string;
  const noise: string[] = [];

  beforeAll(async () => {
    await mkdir(shots, { recursive: true });
    folder = await mkdtemp(join(root, ".tmp/docs-page-"));
    await writeFile(join(folder, "index.html"), built);
    url = pathToFileURL(join(folder, "index.html")).href;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS.split(" ") });
  }, SLOW);

  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true });
  });

  /** A page that has no network, and whose every complaint and every request is noted. */
  async function open(fragment: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: DESKTOP, offline: true, ...options });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) noise.push(message.text());
    });
    page.on("pageerror", (error) => noise.push(`uncaught: ${error.message}`));
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) noise.push(`request: ${request.url()}`);
    });
    await page.goto(url + fragment);
    return page;
  }

  const section = (page: Page, link: string) =>
    page.locator(`[data-section-id="${link.slice(1)}"]`);

  it("lists every operation of the description below its family", { timeout: SLOW }, async () => {
    const page = await open("#/");
    const tags = new Set(operations.map(({ operation }) => operation.tags[0]));
    const families = description.tags.filter(({ name }) => tags.has(name));
    for (const { name, "x-displayName": family } of families) {
      // "Authentication" is also a section of the introduction, above the families.
      await page.locator(".menu-content").getByText(family, { exact: true }).last().click();
      const own = operations.filter(({ operation }) => operation.tags[0] === name);
      for (const { operation } of own) {
        const item = page.locator(`.menu-content a[href="${operationLink(operation)}"]`);
        await item.waitFor();
        expect(await item.innerText()).toContain(operation.summary);
      }
    }
  });

  it(
    "leads from a link to each operation, with its text, samples and example",
    { timeout: SLOW },
    async () => {
      const page = await open("#/");
      for (const { name, link, summary, method, path } of pages) {
        await page.goto("about:blank");
        await page.goto(url + link);
        const heading = section(page, link).getByRole("heading", { name: summary }).first();
        await heading.waitFor();
        await expect
          .poll(() => isInView(page, link), { timeout: 30_000, message: name })
          .toBe(true);
        const text = await section(page, link).innerText();
        expect(text).toContain(`${method}\n${path}`);
        expect(text).toContain("Not specified (G1");
        expect(text).toContain(`catalogue.${name}`);
        expect(text).toMatch(/Response\n2\d\d\ndefault/);
        await section(page, link).getByRole("button", { name: "TypeScript" }).click();
        await page.getByRole("menuitem", { name: "curl" }).click();
        await section(page, link).getByText("Authorization: Bearer $CATALOGUE_TOKEN").waitFor();
      }
    },
  );

  it(
    "leads from each mark to its gap in the list, and from there to where it applies",
    { timeout: SLOW },
    async () => {
      const page = await open("#/");
      for (const { id, text } of gaps) {
        await page.goto(url + gapLink(id));
        await page.getByRole("heading", { name: id, exact: true }).waitFor();
        await expect
          .poll(() => topOf(page, `#${id.toLowerCase()}`), { timeout: 30_000 })
          .toBeLessThan(DESKTOP.height);
        expect(await page.locator("main").innerText()).toContain(`${text}.`);
      }
      await page.goto("about:blank");
      await page.goto(url + gapLink("G11"));
      await page.getByRole("link", { name: "trending.people" }).last().click();
      await section(page, "#/trending/trending.people")
        .getByRole("link", { name: "G11" })
        .first()
        .click();
      await expect.poll(() => page.url()).toBe(url + gapLink("G11"));
    },
  );

  it(
    "finds “watch providers” in its search, and goes there by keyboard alone",
    { timeout: SLOW },
    async () => {
      const page = await open("#/");
      await page.getByText("Search").first().waitFor();
      await page.keyboard.press("Control+K");
      await page.getByPlaceholder("Search docs...").waitFor();
      await page.keyboard.type("watch providers");
      const found = page.locator('[data-component-name="Search/SearchItem"]').first();
      await found.waitFor();
      expect(await found.innerText()).toContain("List watch providers of a movie by country");
      await found.press("Enter");
      await expect.poll(() => page.url()).toBe(`${url}#/movies/movies.watchproviders`);
    },
  );

  it(
    "is reached link by link with the tabulator key, and shows where that is",
    { timeout: SLOW },
    async () => {
      const page = await open("#/");
      await page.locator("main").getByRole("heading").first().waitFor();
      const seen: string[] = [];
      for (let press = 0; press < 60 && !seen.includes("TypeScript reference"); press += 1) {
        await page.keyboard.press("Tab");
        const [text, outline] = await page.evaluate(() => {
          const focused = document.activeElement as HTMLElement;
          return [focused.innerText, getComputedStyle(focused).outlineWidth] as const;
        });
        expect(outline, text).toBe("2px");
        seen.push(text.trim());
      }
      expect(seen).toEqual(
        expect.arrayContaining(["Acting for a user", "Errors", "Versioning", "Movies"]),
      );
      expect(seen.at(-1)).toBe("TypeScript reference");
    },
  );

  it("scrolls to no side on a phone, at any operation or section", { timeout: SLOW }, async () => {
    const page = await open("#/", { viewport: PHONE });
    for (const link of [
      "#/",
      "#/section/status-codes",
      gapLink("G12"),
      ...pages.map((each) => each.link),
    ]) {
      await page.goto(url + link);
      const shown =
        link.includes("#/section") || link === "#/" ? page.locator("main") : section(page, link);
      await shown.getByRole("heading").first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
      expect(await cutOff(page), link).toEqual([]);
    }
  });

  it("runs no script that is not its own, and connects to nothing", { timeout: SLOW }, async () => {
    const server = await serve(json(200, {}));
    const page = await open("#/", { offline: false });
    const before = noise.length;
    const refused = await page.evaluate(async (address) => {
      const script = document.createElement("script");
      script.textContent = "globalThis.intruder = true";
      document.body.append(script);
      const answer = await fetch(address).then(
        () => "answered",
        () => "refused",
      );
      return [answer, "intruder" in globalThis];
    }, server.url);
    expect(refused).toEqual(["refused", false]);
    expect(server.seen).toEqual([]);
    // The browser reports what was refused here on purpose.
    expect(noise.splice(before).join("\n")).toContain("Content Security Policy");
  });

  describe("is accessible, but for what is Redoc's own", () => {
    const seen = new Set<string>();
    it.each([
      ["light", DESKTOP],
      ["dark", DESKTOP],
      ["light", PHONE],
      ["dark", PHONE],
    ] as const)("on a %s page of %o", { timeout: SLOW }, async (colorScheme, viewport) => {
      const page = await open("#/", { viewport, colorScheme });
      for (const link of [
        "#/",
        "#/section/status-codes",
        "#/movies/movies.deleterating",
        "#/authentication/authentication.convertv4session",
        "#/people/people.combinedcredits",
      ]) {
        await page.goto("about:blank");
        await page.goto(url + link);
        await expect
          .poll(() => isInView(page, link), { timeout: 30_000, message: link })
          .toBe(true);
        await page.getByText("Loading...").first().waitFor({ state: "hidden" });
        await page.screenshot({
          path: join(
            shots,
            `${viewport.width}-${colorScheme}${link.slice(1).replaceAll("/", "-")}.png`,
          ),
        });
        await page.evaluate(axe.source);
        const found = await page.evaluate(async () => {
          const here = globalThis as unknown as { axe: { run(): Promise<AxeResults> } };
          const { violations } = await here.axe.run();
          return violations.map(({ id, impact, nodes }) => ({
            id,
            impact,
            nodes: nodes.map(
              ({ html, failureSummary }) => `${html.slice(0, 150)} ${failureSummary}`,
            ),
          }));
        });
        for (const { id } of found) seen.add(id);
        expect(
          found.filter(({ id }) => !(id in redocsOwn)),
          link,
        ).toEqual([]);
      }
    });

    it("and that list has nothing that Redoc has mended", () => {
      expect([...seen].toSorted()).toEqual(Object.keys(redocsOwn).toSorted());
    });
  });

  it("has written nothing to the console and asked for nothing, all the while", () => {
    expect(noise).toEqual([]);
  });
});

/** What reaches beyond the right edge, and stands in nothing that scrolls by itself: a page may hide it instead. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element): boolean =>
      /auto|scroll/.test(getComputedStyle(element).overflowX) ||
      (element.parentElement !== null && scrolls(element.parentElement));
    return [...document.querySelectorAll("main *")]
      .filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && !scrolls(each))
      .map((each) => each.outerHTML.slice(0, 150));
  });
}

/** Whether the heading of a section is on the screen. */
async function isInView(page: Page, link: string): Promise<boolean> {
  const top = await topOf(page, `[data-section-id="${link.slice(1)}"] :is(h1, h2)`);
  return top >= 0 && top < PHONE.height;
}

function topOf(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => element.getBoundingClientRect().top);
}
