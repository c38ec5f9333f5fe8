import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { buildDocs } from "../../scripts/docs/build.js";
import { readDescription, type CheckedDescription } from "../../scripts/generate/description.js";
import { gapsOf } from "../../scripts/generate/read-operations.js";
import { chromiumPath } from "../support/chromium.js";
import { descriptionFile } from "../support/description.js";
import { copyProject } from "../support/package.js";
import { root } from "../support/paths.js";
import { scratchFolder } from "../support/scratch.js";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 1000 };
const SHOTS = join(root, ".tmp/screenshots");
const LINKS = ["guide", "service", "media-catalogue", "try-it", "gaps", "observed-facts"];

/** A page of each kind, in addition to every document and module. */
const EXAMINED = [
  ...["MoviesMethods", "observed.SearchMethods", "MovieDetail", "SearchResult", "ApiError"],
  ...["createCatalogue", "contract.Finding"],
].map((name) => `${name}.html`);

/** The docs, built once, and the text of each file by its path. */
let folder = "";
let files: Map<string, string>;
let description: CheckedDescription;
beforeAll(async () => {
  await mkdir(SHOTS, { recursive: true });
  folder = await mkdtemp(join(root, ".tmp/docs-"));
  await buildDocs(root, folder);
  files = await filesOf(folder);
  description = await readDescription(descriptionFile);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function filesOf(parent: string): Promise<Map<string, string>> {
  const entries = await readdir(parent, { recursive: true, withFileTypes: true });
  const texts = new Map<string, string>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    texts.set(file.slice(parent.length + 1), await readFile(file, "utf8"));
  }
  return texts;
}

const pages = () => [...files].filter(([name]) => name.endsWith(".html"));

/** The text of a part of a page, without its markup. */
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");

describe("the docs", () => {
  it("have the same bytes each time and contain no local paths", async () => {
    const other = await scratchFolder();
    await buildDocs(root, other);
    const again = await filesOf(other);
    expect([...again.keys()].toSorted()).toEqual([...files.keys()].toSorted());
    expect([...files].filter(([name, text]) => again.get(name) !== text)).toEqual([]);
    expect([...files].filter(([, text]) => text.includes(root))).toEqual([]);
  });

  it("load nothing from another host", () => {
    const loads = /<(?:script|link|img|iframe|source)\b[^>]*?\s(?:src|href)="([^"]*)"/g;
    const found = pages().flatMap(([, text]) => [...text.matchAll(loads)].map(([, url]) => url!));
    expect(found.length).toBeGreaterThan(pages().length);
    expect(found.filter((url) => /^(https?:)?\/\//.test(url))).toEqual([]);
    const styles = [...files].filter(([name]) => name.endsWith(".css"));
    expect(styles.filter(([, text]) => /@import|url\(["']?(https?:)?\/\//.test(text))).toEqual([]);
  });

  it("link only to pages and anchors that exist", () => {
    const dead = pages().flatMap(([name, text]) => {
      // Redoc's own links are routes within its page.
      const html = name === "service.html" ? /<header[^]*?<\/header>/.exec(text)![0] : text;
      const links = [...html.matchAll(/<a\b[^>]*?\shref="([^":]*)"/g)].map(([, link]) => link!);
      return links.filter((link) => {
        const [path = "", anchor] = decodeURI(link).split("#");
        const target = files.get(path || name);
        if (target === undefined) return true;
        if (!anchor || path === "service.html") return false;
        return !target.includes(`id="${anchor}"`);
      });
    });
    expect(dead).toEqual([]);
  });

  it("have one header, which marks the current page", () => {
    for (const [name, text] of pages()) {
      const headers = text.match(/<header class="site">[^]*?<\/header>/g) ?? [];
      expect(headers, name).toHaveLength(1);
      const marked = headers[0]!.match(/href="[^"]*" aria-current="\w+"/g);
      const isLinked = ["index", ...LINKS].some((link) => `${link}.html` === name);
      const section = /^[a-z-]+\.html$/.test(name) ? "(guide|media-catalogue)" : "media-catalogue";
      const mark = isLinked
        ? `href="${name}" aria-current="page"`
        : `href="${section}.html" aria-current="true"`;
      expect(marked, name).toEqual([expect.stringMatching(new RegExp(`^${mark}$`))]);
      expect(text, name).not.toContain("tsd-page-toolbar");
    }
  });

  it("fill every placeholder", () => {
    const names = ["service.html", "llms.txt"];
    expect(names.filter((name) => /<!--[a-zA-Z.-]+-->/.test(files.get(name)!))).toEqual([]);
  });

  it("contain a Try it script of less than 25 kB", () => {
    expect(gzipSync(files.get("try.js")!).length).toBeLessThan(25_000);
  });

  it("have a page for the gaps that says what each one leaves open", () => {
    const page = files.get("gaps.html")!;
    const sections = page
      .split(/<h2 [^>]*>/)
      .slice(1)
      .map(textOf);
    const gaps = gapsOf(description.document, [""]);
    expect(sections.map((each) => each.slice(0, 3))).toEqual(gaps.map(({ id }) => id));
    for (const [index, { text }] of gaps.entries()) {
      expect(sections[index]).toContain(`Not specified: ${text}.`);
      expect(sections[index]).toMatch(/Client: \w/);
    }
    expect(page).toContain('href="service.html#/people/people.popular"');
  });
});

describe("the client reference", () => {
  const ERRORS = 'an <a href="ApiError.html"';

  it("has a page for each group, with its methods as functions", () => {
    for (const { id, method, path, pathParameters, gaps } of description.operations) {
      const [group = "", name = ""] = id.split(".");
      const file = `${group[0]!.toUpperCase()}${group.slice(1)}Methods.html`;
      for (const page of [files.get(file)!, files.get(`observed.${file}`)!]) {
        const start = page.indexOf(` id="${name.toLowerCase()}"`, page.indexOf("tsd-member-group"));
        const section = page.slice(start).split("</section>")[0]!;
        const text = textOf(section);
        expect(text, id).toContain(`${name}(`);
        expect(text, id).toContain("): Promise<".replace("<", "&lt;"));
        for (const each of pathParameters) {
          expect(text, id).toContain(`${each.name}: Id`);
          expect(text, id).toContain(textOf(each.description));
        }
        expect(text, id).toMatch(/Returns ?Promise&lt;\w+/);
        expect(section, id).toMatch(/<a href="service\.html#\/[^"]+"><code>/);
        expect(text, id).toContain(`${method.toUpperCase()} ${path}`);
      }
      const page = files.get(file)!;
      expect(textOf(page), id).toMatch(
        /Each method also has a withResponse variant, such as \w+\./,
      );
      for (const gap of gaps)
        expect(page, id).toContain(`href="gaps.html#${gap.id.toLowerCase()}-`);
      expect(page.split(ERRORS), `${group} says once what its methods throw`).toHaveLength(2);
    }
  });

  it("lists the query parameters that were observed", () => {
    const text = textOf(files.get("observed.SearchMethods.html")!);
    expect(text).toMatch(/query ?\(required\): Text to search for\./);
  });

  it("shows models, error classes, and types that two modules share", () => {
    expect(files.get("MovieDetail.html")).toContain('href="Genre.html"');
    expect(files.get("createCatalogue.html")).toMatch(/tsd-tag-throws[^]*?TypeError/);
    expect(files.get("media-catalogue.html")).toContain('href="CallOptions.html"');
    expect(files.get("observed.html")).toContain('href="CallOptions.html"');
  });

  it("publishes no source files that its documents name", () => {
    const published = [...files.keys()].filter((name) => name.startsWith("media/"));
    expect(published).toContain("media/LICENSE");
    expect(published.filter((name) => /\.(html|m?[jt]s)$/.test(name))).toEqual([]);
    expect(textOf(files.get("examples.html")!)).toContain("browser a page that needs no bundler");
  });

  it("is refused if an export has no documentation", async () => {
    const project = await scratchFolder();
    await copyProject(project);
    const file = join(project, "src/generated/models.ts");
    const text = await readFile(file, "utf8");
    const undocumented = text.replace(/\/\*\*.*\*\/\n(?=export interface Genre )/, "");
    expect(undocumented).not.toBe(text);
    await writeFile(file, undocumented);
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    await expect(buildDocs(project, join(project, "out"))).rejects.toThrow("incomplete");
    expect(warn.mock.calls.join("\n")).toContain("media-catalogue.Genre");
  });
});

// Without Chromium, the tests are reported as skipped. In CI they fail instead.
describe.skipIf(!existsSync(chromiumPath) && !process.env.CI)(
  "the docs in a browser, offline",
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
    });
    afterAll(() => browser?.close());

    /** Opens a page offline. Console messages and external requests fail the test. */
    async function open(path: string, viewport = DESKTOP, colorScheme: "light" | "dark" = "light") {
      const context = await browser.newContext({ viewport, colorScheme, offline: true });
      context.setDefaultTimeout(0);
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
        if (!/^(file|data|blob):/.test(request.url())) noise.push(request.url());
      });
      onTestFinished(async () => {
        await context.close();
        expect(noise).toEqual([]);
      });
      await visit(page, path);
      return page;
    }

    /** Loads a page. Redoc covers its page while it loads, and TypeDoc adds its menu. */
    async function visit(page: Page, path: string): Promise<void> {
      await page.goto(`${pathToFileURL(folder).href}/${path}`);
      const ready = path.startsWith("service.html") ? ".menu-content a" : "#tsd-nav-container a";
      await page.locator(ready).first().waitFor({ state: "attached" });
    }

    it("reaches every operation of the service from other pages, and lists all in the menu", async () => {
      const page = await open("service.html");
      const linked = pages().flatMap(
        ([, text]) => text.match(/(?<=service\.html)#\/[\w/.-]+/g) ?? [],
      );
      const found = await page.evaluate(
        async (targets) => {
          const arrived = (link: string) => {
            const section = document.querySelector(`[data-section-id="${link.slice(1)}"]`);
            const top = section?.querySelector("h1, h2")?.getBoundingClientRect().top ?? -1;
            return top >= 0 && top < innerHeight;
          };
          const missed: string[] = [];
          for (const link of targets) {
            location.hash = link;
            for (let frame = 0; frame < 600 && !arrived(link); frame += 1) {
              await new Promise((resolve) => setTimeout(resolve, 20));
            }
            if (!arrived(link)) missed.push(link);
          }
          return missed;
        },
        [...new Set(linked)],
      );
      expect(new Set(linked).size).toBe(description.operations.length);
      expect(found).toEqual([]);
      const menu = page.locator(".menu-content .tag-http");
      expect(await menu.count()).toBe(description.operations.length);
    });

    it("shows an operation with its notes, samples, and sensitive values", async () => {
      const id = "/movies/movies.watchproviders";
      const page = await open(`service.html#${id}`);
      const section = page.locator(`[data-section-id="${id}"]`);
      await section.getByRole("heading").first().waitFor();
      const text = await section.innerText();
      expect(text).toMatch(/Client: catalogue\.movies\.watchProviders\(movie_id, options\?\)\n/);
      expect(text).toMatch(/Not specified: G12 Query parameters\n/);
      expect(text).toMatch(/Observed: facts about movies\.watchProviders\n/);
      expect(text).toContain("catalogue.movies.watchProviders(106646)");
      expect(text).not.toMatch(/int64|one path segment|\\d\{4\}/);
      await page.goto(
        `${page.url().split("#")[0]}#/authentication/authentication.createrequesttoken`,
      );
      const token = page.locator(
        '[data-section-id="/authentication/authentication.createrequesttoken"]',
      );
      const sensitive = "Sensitive: the recorder and the contract gate redact it.";
      await token.locator("p", { hasText: sensitive }).nth(1).waitFor();
    });

    it.each([
      ["service.html", "movies.watchProviders", "#/movies/movies.watchproviders"],
      ["service.html", "flatrate", "#/movies/movies.watchproviders"],
      ["index.html", "movies.watchProviders", "MoviesMethods.html#watchproviders"],
      ["index.html", "flatrate", "WatchProviderCountry.html#flatrate"],
    ])("%s finds %s, and Enter opens the first hit", async (path, words, target) => {
      const page = await open(path);
      await page.getByRole("button", { name: "Search" }).click();
      await page.locator("input:focus").pressSequentially(words);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.href.includes(target));
    });

    it.each(["index.html", "service.html"])("skips the menus by keyboard: %s", async (path) => {
      const page = await open(path);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      const isInContent = () => document.activeElement!.closest("#content, #api-content") !== null;
      expect(await page.evaluate(isInContent)).toBe(true);
      expect(page.url()).toMatch(/html$/);
    });

    it("keeps the chosen theme on every page", async () => {
      const page = await open("index.html");
      const shows = (color: string) =>
        page.waitForFunction(
          (expected) =>
            getComputedStyle(document.querySelector(".site")!).backgroundColor === expected,
          color,
        );
      const [light, dark] = ["rgb(255, 255, 255)", "rgb(34, 36, 43)"] as const;
      await shows(light);
      const button = page.getByRole("button", { name: "Dark theme" });
      await button.click();
      expect(await button.getAttribute("aria-pressed")).toBe("true");
      for (const path of ["index.html", "service.html", "MovieDetail.html"]) {
        await visit(page, path);
        await shows(dark);
      }
      await button.click();
      await visit(page, "service.html");
      await shows(light);
    });

    it("sends every operation to the sandbox, and a failure of each", async () => {
      const page = await open("try-it.html");
      for (const { id, method } of description.operations) {
        await page.getByLabel("Operation").selectOption(id);
        await page.getByRole("button", { name: "Send" }).click();
        const status = page.getByRole("status");
        await status.getByText(`200 from ${method.toUpperCase()} /3/`).waitFor();
        const cases = page.getByLabel("Recorded case");
        const names = await cases.locator("option").allInnerTexts();
        const failure = names.find((name) => /\([45]\d\d\)$/.test(name))!;
        await cases.selectOption(failure);
        const [name = "", code = ""] = failure.split(/ \(|\)/);
        for (const label of ["TypeScript", "curl"]) {
          expect(await page.getByRole("region", { name: label }).innerText()).toContain(name);
        }
        await page.getByRole("button", { name: "Send" }).click();
        await status.getByText(`${code} from`).waitFor();
        const body = await page.getByRole("region", { name: "Body" }).innerText();
        expect(JSON.parse(body)).toMatchObject({ status_code: expect.any(Number) });
      }
    });

    it("follows the fields in its samples, and refuses a body that is not JSON", async () => {
      const page = await open(`service.html#/authentication/authentication.convertv4session`);
      await page.locator('[data-try="authentication.convertV4Session"]').click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Operation").selectOption("movies.lists");
      await dialog.getByLabel("movie_id").fill("a b");
      await dialog.getByLabel("Query").fill("page=2&language=de");
      const [typescript, curl] = [
        await dialog.getByRole("region", { name: "TypeScript" }).innerText(),
        await dialog.getByRole("region", { name: "curl" }).innerText(),
      ];
      expect(typescript).toContain('.lists("a b", { query: { page: "2", language: "de" } })');
      expect(curl).toContain("/3/movie/a%20b/lists");
      expect(curl).toContain("--data-urlencode 'language=de'");
      await dialog.getByLabel("Operation").selectOption("authentication.convertV4Session");
      await dialog.getByLabel("Body").fill("{");
      await dialog.getByRole("button", { name: "Send" }).click();
      await dialog.getByRole("status").getByText("The body is not JSON").waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
    });

    it.each(["index.html", "service.html"])(
      "has all links and its contents in menus on a phone: %s",
      async (path) => {
        const page = await open(path, PHONE);
        const links = page.getByRole("navigation", { name: "Site" }).getByRole("link");
        expect(await links.count()).toBe(0);
        await page.getByRole("button", { name: "Menu" }).click();
        expect(
          await links.evaluateAll((all) => all.map((each) => each.getAttribute("href"))),
        ).toEqual(LINKS.map((name) => `${name}.html`));
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Contents" }).click();
        const entry = path === "index.html" ? "Recipes" : "Get the newest movie";
        const link = page.getByRole("link", { name: entry }).first();
        await link.click({ trial: true });
        // TypeDoc's menu covers the header, and closes with a click beside it.
        if (path === "index.html") await page.mouse.click(5, 24);
        else await page.getByRole("button", { name: "Contents" }).click();
        await link.waitFor({ state: "hidden" });
      },
    );

    it("scrolls code and tables on a phone instead of breaking them", async () => {
      const page = await open("guide.html", PHONE);
      const scrolls = (selector: string) =>
        page
          .locator(selector)
          .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length);
      expect(await scrolls(".tsd-typography pre")).toBeGreaterThan(0);
      expect(await scrolls(".table[tabindex='0']")).toBeGreaterThan(0);
      const buttons = await page.locator("pre > button").count();
      expect(buttons).toBe(await page.locator("pre").count());
    });

    const looks = [
      { width: 1440, scheme: "light", viewport: DESKTOP },
      { width: 390, scheme: "dark", viewport: PHONE },
    ] as const;
    it.each(looks)("fits and has no serious axe finding at $width px, $scheme", async (look) => {
      const { viewport, scheme } = look;
      const page = await open("index.html", viewport, scheme);
      const findings: unknown[] = [];
      const documents = [...files.keys()].filter((name) => /^[a-z-]+\.html$/.test(name));
      for (const name of [...documents, ...EXAMINED]) {
        await visit(page, name);
        await page.screenshot({ path: join(SHOTS, `${viewport.width}-${scheme}-${name}.png`) });
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        if (width > viewport.width) findings.push([name, "too wide", width]);
        await page.evaluate(axe.source);
        const found = await page.evaluate(async () => {
          const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
            preload: false,
          });
          return violations.map(({ id, impact, nodes }) => [id, impact, nodes[0]!.html]);
        });
        const serious = found.filter(([, impact]) => /serious|critical/.test(impact ?? ""));
        findings.push(...serious.map((finding) => [name, ...finding]));
      }
      expect(findings).toEqual([]);
    });
  },
);
