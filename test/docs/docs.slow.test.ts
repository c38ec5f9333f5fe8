import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { buildDocs } from "../../scripts/docs/build.js";
import { callOf } from "../../scripts/docs/calls.js";
import { buildClientReference } from "../../scripts/docs/client.js";
import { gapUrl } from "../../scripts/docs/gaps.js";
import { readDescription } from "../../scripts/generate/description.js";
import { sourceGaps as gaps } from "../support/ledger.js";
import { chromiumPath } from "../support/chromium.js";
import { descriptionFile, operations } from "../support/description.js";
import { copyProject } from "../support/package.js";
import { root } from "../support/paths.js";
import { scratchFolder } from "../support/scratch.js";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 1000 };
const SHOTS = join(root, ".tmp/screenshots");
const WATCH_PROVIDERS = "#/movies/movies.watchproviders";

/** axe findings that a theme cannot fix, each with the reason. */
const OF_THE_TOOLS: Readonly<Record<string, string>> = {
  "heading-order": "Redoc uses h4 for a request, right below the h2 of its operation.",
  "landmark-one-main": "TypeDoc has no main landmark.",
  "nested-interactive": "TypeDoc puts links into the summaries of its menu.",
  "page-has-heading-one": "Redoc removes the h1 when the first section scrolls away.",
  region: "Redoc puts its menu outside all landmarks.",
};

/** The docs, built once, and the text of each file by its path. */
let folder = "";
let files: Map<string, string>;
beforeAll(async () => {
  await mkdir(SHOTS, { recursive: true });
  folder = await mkdtemp(join(root, ".tmp/docs-"));
  await buildDocs(root, folder);
  files = await filesOf(folder);
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

  it("link only to pages that exist", () => {
    const links = pages()
      .filter(([name]) => name !== "service.html")
      .flatMap(([name, text]) =>
        [...text.matchAll(/<a\b[^>]*?\shref="([^"#:]+)(?:#[^"]*)?"/g)].map(([, link]) => ({
          name,
          target: normalize(join(dirname(name), decodeURI(link!))),
        })),
      );
    expect(links.length).toBeGreaterThan(pages().length);
    expect(links.filter(({ target }) => !files.has(target))).toEqual([]);
  });

  it.each(["index.html", "service.html"])(
    "%s runs its own scripts only and connects to nothing",
    (name) => {
      const [, policy] = /content="(default-src [^"]*)"/.exec(files.get(name)!)!;
      expect(policy).toMatch(/^default-src 'none'; script-src( 'sha256-[\w+/]{43}=')+; /);
      expect(policy).toMatch(/connect-src 'none'; base-uri 'none'; form-action 'none'$/);
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
    },
  );

  it("fill every placeholder", () => {
    const names = ["index.html", "service.html", "llms.txt"];
    expect(names.filter((name) => /<!--[a-zA-Z.-]+-->/.test(files.get(name)!))).toEqual([]);
  });

  it("contain a Try it script of less than 25 kB", () => {
    const scripts = [...files.get("index.html")!.matchAll(/<script>([^]*?)<\/script>/g)];
    expect(scripts).toHaveLength(1);
    expect(gzipSync(scripts[0]![1]!).length).toBeLessThan(25_000);
  });

  it("list every method in llms.txt and on the landing page", () => {
    for (const { operation, path } of operations) {
      const method = `catalogue.${operation.operationId}(`;
      expect(files.get("index.html")).toContain(`<code>${method}`);
      const line = files
        .get("llms.txt")!
        .split("\n")
        .find((each) => each.includes(method));
      expect(line).toContain(path);
    }
    expect(files.get("llms.txt")).toContain("`catalogue.movies.lists(movie_id)`");
    expect(files.get("llms.txt")).toContain("images({ series_id, season_number, episode_number })");
    expect(files.get("llms.txt")).toContain("(client/index.html#install)");
  });

  it("name every gap by its title and link each one to its section", () => {
    for (const { id } of gaps) {
      expect(files.get("index.html")).toMatch(
        new RegExp(`href="service.html#/section/gaps/${id.toLowerCase()}-[^"]+">${id} \\w`),
      );
    }
  });

  it("show the options of the client with their defaults", () => {
    expect(files.get("index.html")).toMatch(/<td><code>timeout<\/code><\/td>\s*<td><code>10_000</);
    expect(files.get("index.html")).toMatch(/<td><code>baseUrl<\/code><\/td>\s*<td>required</);
  });
});

describe("the reference of the client", () => {
  it("starts with the README and shows fields, documents, and error classes", () => {
    expect(files.get("client/index.html")).toMatch(/id="install"[^]*id="first-call"/);
    const model = files.get("client/interfaces/media-catalogue.MovieDetail.html")!;
    expect(model).toContain('href="media-catalogue.Genre.html"');
    const create = files.get("client/functions/media-catalogue.createCatalogue.html")!;
    expect(create).toMatch(/tsd-tag-throws[^]*?TypeError/);
    const methods = files.get("client/interfaces/media-catalogue.MoviesMethods.html")!;
    expect(methods).toMatch(/tsd-tag-throws[^]*?ApiError/);
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        "client/documents/docs_findings.html",
        "client/documents/CHANGELOG.html",
      ]),
    );
  });

  it("publishes no source files that its documents name", () => {
    const published = [...files.keys()].filter((name) => name.startsWith("client/media/"));
    expect(published).toContain("client/media/LICENSE");
    expect(published.filter((name) => /\.(html|m?[jt]s|yml)$/.test(name))).toEqual([]);
    const examples = files.get("client/documents/examples_README.html");
    expect(examples).toMatch(/<td>browser<\/td>\s*<td>a page without a bundler, and its server</);
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
    await expect(buildClientReference(project, join(project, "out"))).rejects.toThrow("incomplete");
    expect(warn.mock.calls.join("\n")).toContain("media-catalogue.Genre");
    warn.mockRestore();
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
        if (!/^(file|data):/.test(request.url())) noise.push(request.url());
      });
      onTestFinished(async () => {
        await context.close();
        expect(noise).toEqual([]);
      });
      await page.goto(pathToFileURL(folder).href + path);
      return page;
    }

    it("links to every operation and gap, and highlights each in the menu", async () => {
      const page = await open("/service.html");
      const { operations: described } = await readDescription(descriptionFile);
      const tags = new Map(
        operations.map(({ operation }) => [operation.operationId, operation.tags[0]!]),
      );
      const links = [
        ...described.map((each) => callOf(each, tags.get(each.id)!).link),
        ...gaps.map(({ id }) => gapUrl(id)),
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
      expect(new Map(found).get(gapUrl("G12"))).toContain("G12 Query parameters");
    });

    it("shows samples, a short note about gaps and title-case families at an operation", async () => {
      const page = await open(`/service.html${WATCH_PROVIDERS}`);
      const section = page.locator(`[data-section-id="${WATCH_PROVIDERS.slice(1)}"]`);
      await section.getByRole("heading").first().waitFor();
      const text = await section.innerText();
      expect(text).toMatch(/Not specified: G12 Query parameters\n/);
      expect(text).toMatch(/Observed: facts about G12\n/);
      expect(text.match(/G12/g)).toHaveLength(2);
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
      expect(await landing.getByLabel("Operation").inputValue()).toBe("movies.watchProviders");
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

    it("shows buttons beside the text on a phone, and no keyboard shortcuts", async () => {
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

    it("fits a phone on every page", async () => {
      const page = await open("/index.html", PHONE);
      const wide: string[] = [];
      for (const [name] of pages()) {
        await page.goto(`${pathToFileURL(folder).href}/${name}`);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        if (width > PHONE.width) wide.push(`${name} ${width}`);
      }
      expect(wide).toEqual([]);
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
        if (viewport === PHONE) continue;
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
