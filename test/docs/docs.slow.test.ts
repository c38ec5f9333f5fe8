import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parseDocument } from "yaml";
import { buildDocs } from "../../scripts/docs/build.js";
import { readDescription, type CheckedDescription } from "../../scripts/description/description.js";
import type { Operation } from "../../src/openapi/description.js";
import { listGaps } from "../../src/openapi/gaps.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { chromiumPath } from "../support/chromium.js";
import { copyProject } from "../support/package.js";
import { root } from "../support/paths.js";
import { pressCtrlC } from "../support/run.js";
import { scratchFolder } from "../support/scratch.js";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 1000 };

/** The folder with the built docs. */
let folder = "";
/** The text of each file in the built docs, keyed by file name. */
let files: Map<string, string>;
let specification: CheckedDescription;
let observed: CheckedDescription;
beforeAll(async () => {
  await mkdir(join(root, ".tmp"), { recursive: true });
  folder = await mkdtemp(join(root, ".tmp/docs-"));
  await buildDocs(root, folder);
  files = await filesOf(folder);
  specification = await readDescription(join(root, "openapi/catalogue.yaml"));
  observed = await readDescription(join(root, "openapi/full.yaml"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function filesOf(parent: string): Promise<Map<string, string>> {
  const names = await readdir(parent);
  const texts = names.map(async (name) => [name, await readFile(join(parent, name), "utf8")]);
  return new Map((await Promise.all(texts)) as [string, string][]);
}

/** Returns the pages that this project renders. Redoc renders `redoc.html`. */
const pages = () => [...files].filter(([name]) => name.endsWith(".html") && name !== "redoc.html");

/** Returns HTML as text, without markup. */
function textOf(html: string): string {
  const text = html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
  return text.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/** Returns the names of the schemas that a response references at any depth. */
function typesOf({ responses }: Operation, status: string): string[] {
  const [content] = responses.find((each) => each.status === status)!.content;
  const schema = content && getAtPointer(observed.document, `${content.pointer}/schema`);
  const names = JSON.stringify(schema ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return [...names].map(([, name]) => name!);
}

/** Copies the project and adds a path to the copy's full description. @returns the path to the copy */
async function projectWith(path: string, item: object): Promise<string> {
  const project = await scratchFolder();
  await copyProject(project);
  const file = join(project, "openapi/full.yaml");
  const yaml = parseDocument(await readFile(file, "utf8"));
  yaml.setIn(["paths", path], yaml.createNode(item));
  await writeFile(file, String(yaml));
  return project;
}

describe("the docs", () => {
  it("npm run docs -- --serve builds the same docs each time, without local paths, and serves them until Ctrl+C", async () => {
    const npm = spawn("npm", ["run", "--silent", "docs", "--", "--serve", "--port", "0"], {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => pressCtrlC(npm));
    let url = "";
    // If the build fails, the pipe closes and the loop ends.
    for await (const line of createInterface({ input: npm.stdout })) {
      [url = ""] = /http:\S+/.exec(line) ?? [];
      if (url) break;
    }
    expect(url, "npm exited before it served the docs; see the errors above").not.toBe("");
    npm.stdout.resume();
    expect(await filesOf(join(root, "dist/docs"))).toEqual(files);
    expect([...files].filter(([, text]) => text.includes(root))).toEqual([]);
    const types = ["index.html", "llms.txt", "missing.html"].map(async (name) => {
      const { status, headers } = await fetch(new URL(name, url));
      return [status, headers.get("content-type")?.split(";")[0]];
    });
    expect(await Promise.all(types)).toEqual([
      [200, "text/html"],
      [200, "text/plain"],
      [404, "text/plain"],
    ]);
    pressCtrlC(npm);
    // The pipe closes only after every process that can write to the pipe has ended.
    await once(npm, "close");
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });

  it("the pages load nothing from other hosts", () => {
    const loads = /<(?:script|link|img|iframe|source)\b[^>]*?\s(?:src|href)="([^"]*)"/g;
    const found = pages().flatMap(([, text]) => [...text.matchAll(loads)].map(([, url]) => url!));
    expect(found.length).toBeGreaterThan(pages().length);
    expect(found.filter((url) => /^(https?:)?\/\//.test(url))).toEqual([]);
    expect(files.get("site.css")).not.toMatch(/@import|url\(/);
  });

  it("the pages, the search, and llms.txt link only to pages and anchors that exist", () => {
    const hits = [...files.get("search-index.js")!.matchAll(/"([^"]+\.html[^"]*)"\]/g)];
    const links = pages().flatMap(([name, text]) =>
      [...text.matchAll(/<(?:a|img)\b[^>]*?\s(?:href|src)="([^":]*)"/g)].map(([, link]) => [
        name,
        link!,
      ]),
    );
    const forTools = [...files.get("llms.txt")!.matchAll(/\]\(([^):]+\.html)\)/g)];
    const all = [
      ...links,
      ...hits.map(([, link]) => ["the search", link!]),
      ...forTools.map(([, link]) => ["llms.txt", link!]),
    ] as [string, string][];
    expect(forTools.length).toBeGreaterThan(3);
    expect(hits.length).toBeGreaterThan(observed.operations.length);
    const dead = all.filter(([name, link]) => {
      const [path = "", anchor] = decodeURI(link).split("#");
      const target = files.get(path || name);
      return target === undefined || (anchor && !target.includes(` id="${anchor}"`));
    });
    expect(dead).toEqual([]);
  });

  it("the heading of each page starts with the title of the page", () => {
    for (const [name, text] of pages()) {
      const [title] = /(?<=<title>).*?(?=( – media-catalogue)?<\/title>)/.exec(text)!;
      const [heading] = /(?<=<h1[^]*?>)[^]*?(?=<\/h1>)/.exec(text)!;
      expect(textOf(heading).startsWith(title), name).toBe(true);
    }
  });

  it("no page repeats an anchor, and no file contains a template placeholder", () => {
    for (const [name, text] of pages()) {
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids.toSorted(), name).toEqual([...new Set(ids)].toSorted());
    }
    expect([...files].filter(([, text]) => /<!--[a-zA-Z.-]+-->/.test(text))).toEqual([]);
  });

  it("every page, the search index, and try.js stay below their size limits", () => {
    const large = pages().filter(([, text]) => gzipSync(text).length > 20_000);
    expect(large.map(([name]) => name)).toEqual([]);
    expect(gzipSync(files.get("search-index.js")!).length).toBeLessThan(25_000);
    // `try.js` contains the sandbox with all example responses: 38 kB for 152 operations.
    expect(gzipSync(files.get("try.js")!).length).toBeLessThan(42_000);
  });

  it("the docs include a Redoc page whose content security policy blocks other hosts", () => {
    const page = files.get("redoc.html")!;
    expect(page).toContain("content=\"default-src 'self' 'unsafe-inline' data: blob:\"");
    for (const { id } of specification.operations) expect(page).toContain(`"${id}"`);
    expect(files.get("service.html")).toContain('href="redoc.html"');
  });

  it("the gaps page says what each gap leaves open, and how the client handles the gap", () => {
    const page = files.get("gaps.html")!;
    const sections = page.split(/<h2 id="g/).slice(1);
    const gaps = listGaps(specification.document, [""]);
    expect(sections.map((each) => textOf(`<h2 ${each}`).slice(0, 3))).toEqual(
      gaps.map(({ id }) => id),
    );
    for (const [index, { text }] of gaps.entries()) {
      expect(textOf(sections[index]!)).toContain(`Not specified: ${text}.`);
      expect(textOf(sections[index]!)).toMatch(/Client: \w/);
    }
    expect(page).toContain('<a href="people.popular.html">');
    expect(files.get("observed-facts.html")).toContain('<td><a href="gaps.html#g18-');
  });

  it("the client page documents the exports, and the docs contain no source files", () => {
    const page = files.get("client.html")!;
    for (const id of ["createCatalogue", "ApiError", "media-catalogue-sandbox-createSandbox"])
      expect(page).toContain(`<details id="${id}">`);
    expect(textOf(page)).toContain("an option is invalid");
    expect(page).not.toContain("project: ");
    expect(files.get("LICENSE")).toContain("MIT");
    expect([...files.keys()].filter((name) => /\.m?ts$|\.mjs$/.test(name))).toEqual([]);
  });
});

describe("a method page", () => {
  it("a method page shows one example, followed by the parameters, the result, the errors, and the gaps", () => {
    for (const { id, method, path, operation, results } of observed.operations) {
      const page = files.get(`${id}.html`)!;
      const main = page.slice(page.indexOf("<main"));
      const text = textOf(main);
      expect(text, id).toContain(`${method.toUpperCase()} ${path}`);
      expect(text.split(`await catalogue.${id}(`), id).toHaveLength(2);
      expect(text.indexOf("await catalogue."), id).toBeLessThan(text.indexOf("Parameters"));
      for (const each of operation.parameters) expect(main, id).toContain(`<code>${each.name}<`);
      const returned = main.split(/ id="(?:returns|errors)"/)[1]!;
      for (const name of results.flatMap(({ status }) => typesOf(operation, status)))
        expect(returned, id).toContain(`href="type-${name}.html"`);
      expect(returned.split("Promise&lt;"), id).toHaveLength(2);
      expect(main, id).toContain('href="client.html#ApiError"');
      const isSpecified = specification.operations.some((each) => each.id === id);
      expect(text.includes("npx media-catalogue sandbox --full"), id).toBe(!isSpecified);
      expect(main.includes('href="observed-facts.html#'), id).toBe(
        files.get("observed-facts.html")!.includes(`"${id}.html"`),
      );
    }
    for (const { id, gaps } of specification.operations)
      for (const gap of gaps)
        expect(files.get(`${id}.html`), id).toContain(`href="gaps.html#${gap.id.toLowerCase()}-`);
  });

  it("the pages mark methods, types, and fields as specified or observed", () => {
    const search = textOf(files.get("search.multi.html")!);
    expect(search).toMatch(/search\.multi specified/);
    expect(search).toMatch(/query string query observed Text to search for\./);
    expect(search).toMatch(/total_pages number observed specification: number, optional/);
    expect(textOf(files.get("type-MovieDetail.html")!)).toMatch(/softcore boolean optional full/);
    expect(textOf(files.get("type-AccountItem.html")!)).toMatch(/AccountItem specified only/);
    expect(textOf(files.get("authentication.createRequestToken.html")!)).toMatch(
      /request_token string sensitive/,
    );
  });

  it("an operation without a tag, summary, example, named schema, or error response gets a page", async () => {
    const project = await projectWith("/3/planet/{planet-id}/moons", {
      post: {
        operationId: "planets.addMoon",
        "x-observed": { level: "several sources", first: "2024-11", seen: "2026-07" },
        parameters: [
          { name: "planet-id", in: "path", required: true, schema: { type: "integer" } },
          { name: "dry", in: "query", required: true, schema: { enum: ["yes", "no"] } },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: { type: "object", properties: { name: { type: ["string", "null"] } } },
            },
          },
        },
        responses: {
          "200": {
            description: "Done.",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["moons"],
                  properties: {
                    moons: {
                      type: "array",
                      "x-observed": { level: "inferred" },
                      items: { type: "object", properties: { radius: { type: "number" } } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    });
    const output = join(project, "out");
    await buildDocs(project, output);
    const read = (name: string) => readFile(join(output, name), "utf8");
    const text = textOf(await read("planets.addMoon.html"));
    expect(text).toContain("planets.addMoon observed only several sources, 2024-11 to 2026-07");
    expect(text).toContain(
      'await catalogue.planets.addMoon(1, { body: { name: "string" }, query: { dry: "yes" } });',
    );
    expect(text).toContain("catalogue.planets.addMoon(planet-id, { query })");
    expect(text).toContain("moons object[] inferred radius number optional");
    expect(text).toContain("name string | null optional");
    expect(await read("methods.html")).toContain('href="planets.addMoon.html"');
    expect(await read("search-index.js")).toContain('["planets.addMoon","Method: ');
    expect(await read("llms.txt")).toContain("`{ moons: object[] }`. Only observed");
    expect(await read("try.js")).toContain("media-catalogue/full");
  });

  it.each([
    [
      "a dead link",
      "docs/recipes.md",
      /$/,
      "\n[x](gone.md)",
      /docs\/recipes\.md:\d+: .* docs\/gone\.md, which/,
    ],
    [
      "an undocumented export",
      "src/client/errors.ts",
      /\/\*\*[^/]*\*\/\n(?=export class ApiError)/,
      "",
      /errors\.ts:\d+: ApiE/,
    ],
    [
      "a gap without a heading in gaps.md",
      "openapi/catalogue.yaml",
      /id: G05/g,
      "id: G22",
      /docs\/site\/gaps\.md has no heading for G22/,
    ],
  ])("the build of the docs reports %s", async (_, name, before, after, message) => {
    const project = await scratchFolder();
    await copyProject(project);
    const file = join(project, name);
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace(before, after));
    await expect(buildDocs(project, join(project, "out"))).rejects.toThrow(message);
  });
});

// Without Chromium, these tests are skipped, except in CI, where they fail.
describe.skipIf(!existsSync(chromiumPath) && !process.env.CI)(
  "the docs in a browser, offline",
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
    });
    afterAll(() => browser?.close());

    /** Opens a page offline. A console message or an external request makes the test fail. */
    async function open(name: string, viewport = DESKTOP, colorScheme: "light" | "dark" = "light") {
      const context = await browser.newContext({ viewport, colorScheme, offline: true });
      context.setDefaultTimeout(0);
      const page = await context.newPage();
      const noise: string[] = [];
      page.on("console", (message) => noise.push(message.text()));
      page.on("pageerror", (error) => noise.push(error.message));
      page.on("request", (request) => {
        if (!/^(file|data|blob):/.test(request.url())) noise.push(request.url());
      });
      onTestFinished(async () => {
        await context.close();
        expect(noise).toEqual([]);
      });
      await visit(page, name);
      return page;
    }

    const visit = (page: Page, name: string) => page.goto(`${pathToFileURL(folder).href}/${name}`);
    const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

    it.each([
      ["movies.watchProviders", "movies.watchProviders.html"],
      ["watch providers by", "movies.watchProviders.html"],
      ["flatrate", "type-WatchProviderCountry.html#flatrate"],
      ["paginate", "client.html#paginate"],
      ["refresh the token", "recipes.html#refresh-the-token"],
    ])(
      'the search finds "%s" and shows the context of each hit, and Enter opens the first hit',
      async (words, url) => {
        const page = await open("index.html");
        await page.keyboard.press("Control+k");
        await page.locator("input:focus").pressSequentially(words);
        const hits = page.getByRole("dialog").getByRole("link");
        await hits.first().waitFor();
        const found = await hits.allInnerTexts();
        expect(
          found.filter((each) => each.startsWith("movies.watchProviders ")).length,
        ).toBeLessThan(2);
        for (const each of found)
          expect(each).toMatch(
            / (Method: |Type$|Field of|Export of|Section of|Page$|Observed facts$)/,
          );
        await page.keyboard.press("Enter");
        await page.waitForURL((target) => target.href.includes(url));
      },
    );

    it("keyboard users can skip the menu", async () => {
      const page = await open("guide.html");
      for (const key of ["Tab", "Enter", "Tab"]) await page.keyboard.press(key);
      expect(await page.evaluate(() => document.activeElement!.closest("main") !== null)).toBe(
        true,
      );
    });

    it("every page uses the chosen theme", async () => {
      const page = await open("index.html");
      const color = () => page.evaluate(() => getComputedStyle(document.documentElement).color);
      const light = await color();
      await page.getByRole("button", { name: "Dark theme", pressed: false }).click();
      for (const name of ["movies.lists.html", "type-MovieDetail.html"]) {
        await visit(page, name);
        expect(await color()).not.toBe(light);
      }
      await page.getByRole("button", { name: "Dark theme", pressed: true }).click();
      expect(await color()).toBe(light);
    });

    it("a link to a collapsed section expands the section", async () => {
      const page = await open("observed-facts.html");
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(height).toBeLessThan(5_000);
      for (const [anchor, part] of [
        ["movies", "tr"],
        ["evidence", "li"],
      ]) {
        await visit(page, `observed-facts.html#${anchor}`);
        await page.locator(`[id="${anchor}"] ${part}`).first().waitFor({ state: "visible" });
      }
    });

    it.each([
      { device: "a desktop", viewport: DESKTOP },
      { device: "a phone", viewport: PHONE },
    ])("the menu shows the current page on $device", async ({ viewport }) => {
      const page = await open("tvSeries.watchProviders.html", viewport);
      if (viewport === PHONE) await page.getByRole("button", { name: "Menu" }).click();
      const link = page.getByRole("navigation").getByRole("link", { name: "watchProviders" });
      const { y } = (await link.first().boundingBox())!;
      expect(y).toBeGreaterThan(48);
      expect(y).toBeLessThan(viewport.height - 48);
      await visit(page, "type-Movie.html");
      if (viewport === PHONE) await page.getByRole("button", { name: "Menu" }).click();
      expect(await page.locator("[aria-current]").innerText()).toBe("Types");
    });

    it("on a phone, the menu lists the general pages, and the methods of the current group", async () => {
      const page = await open("movies.lists.html", PHONE);
      const links = page.getByRole("navigation").getByRole("link");
      expect(await links.count()).toBe(0);
      await page.getByRole("button", { name: "Menu" }).click();
      const names = await links.allInnerTexts();
      for (const name of ["Guide", "Methods", "Types", "Gaps", "people", "watchProviders"])
        expect(names).toContain(name);
      const urls = await links.evaluateAll((all) => all.map((each) => each.getAttribute("href")!));
      const own = observed.operations.filter(({ id }) => id.startsWith("movies."));
      expect(urls.filter((url) => /^\w+\.\w+\.html$/.test(url)).toSorted()).toEqual(
        own.map(({ id }) => `${id}.html`).toSorted(),
      );
      await page.getByRole("link", { name: "latest", exact: true }).click();
      await page.waitForURL(/movies\.latest\.html$/);
      expect(await page.getByRole("button", { name: "Menu" }).count()).toBe(1);
    });

    it("the Try it page can show a successful and a failed response for every operation", async () => {
      const page = await open("try-it.html", PHONE);
      for (const { id, method } of specification.operations) {
        await page.getByLabel("Operation").selectOption(id);
        const send = page.getByRole("button", { name: "Send" });
        await send.click();
        const status = page.getByRole("status");
        await status.getByText(`200 from ${method.toUpperCase()} /3/`).waitFor();
        const cases = page.getByLabel("Example response");
        const names = await cases.locator("option").allInnerTexts();
        const failure = names.find((name) => /\([45]\d\d\)$/.test(name))!;
        await cases.selectOption(failure);
        const [name = "", code = ""] = failure.split(/ \(|\)/);
        for (const label of ["TypeScript program", "curl command"])
          expect(await page.getByLabel(label, { exact: true }).innerText()).toContain(name);
        await send.click();
        await status.getByText(`${code} from`).waitFor();
        const body = await page.getByLabel("Body", { exact: true }).last().innerText();
        expect(JSON.parse(body)).toMatchObject({ status_code: expect.any(Number) });
        expect(await widthOf(page), id).toBe(PHONE.width);
      }
    });

    it("the Try it page updates its samples when a field changes, and rejects a body that is not JSON", async () => {
      const page = await open("try-it.html");
      await page.getByLabel("Operation").selectOption("movies.lists");
      await page.getByLabel("movie_id").fill("a b");
      await page.getByLabel("Query").fill("page=2&language=de");
      expect(await page.getByLabel("TypeScript program").innerText()).toContain(
        '.lists("a b", {\n  query: {\n    page: "2",\n    language: "de"\n  }\n})',
      );
      expect(await page.getByLabel("curl command").innerText()).toContain(
        "/3/movie/a%20b/lists?page=2&language=de'",
      );
      await page.getByLabel("Operation").selectOption("authentication.convertV4Session");
      await page.getByLabel("Body").fill("{");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("status").getByText("The body is not JSON").waitFor();
    });

    it("on every method page, Send is visible on a phone without scrolling, and no sample is cut off on a desktop", async () => {
      const page = await open("index.html", PHONE);
      for (const { id } of observed.operations) {
        await page.setViewportSize(PHONE);
        await visit(page, `${id}.html`);
        // One `evaluate` call per layout is fast. Thousands of separate browser commands would be slow.
        const phone = await page.evaluate(() => {
          const buttonOf = (text: string) =>
            [...document.querySelectorAll("button")].find((each) => each.textContent === text)!;
          buttonOf("Try it").click();
          const { top, bottom } = buttonOf("Send").getBoundingClientRect();
          return { top, bottom, width: document.documentElement.scrollWidth };
        });
        expect(phone.bottom, id).toBeLessThanOrEqual(PHONE.height);
        expect(phone.top, id).toBeGreaterThan(0);
        expect(phone.width, id).toBe(PHONE.width);
        await page.setViewportSize(DESKTOP);
        const desktop = await page.evaluate(() => ({
          cut: [...document.querySelectorAll("pre")]
            .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth)
            .map((each) => each.textContent),
          width: document.documentElement.scrollWidth,
        }));
        expect(desktop, id).toEqual({ cut: [], width: DESKTOP.width });
      }
    });

    // Two combinations are enough: colors do not depend on the width, and the layout does not depend on colors.
    it.each([
      { scheme: "light", viewport: DESKTOP, width: 1440 },
      { scheme: "dark", viewport: PHONE, width: 390 },
    ] as const)(
      "the pages fit a width of $width px, and axe finds no serious issue in the $scheme theme",
      async (look) => {
        const { viewport, scheme, width } = look;
        const page = await open("index.html", viewport, scheme);
        const findings: unknown[] = [];
        const names = pages().map(([name]) => name);
        // All general pages, and examples of method pages and type pages.
        const examined = names.filter((name) =>
          /^[a-z-]+\.html$|^(movies\.(details|watchProviders)|search\.multi|authentication\.convertV4Session)|^type-(Movie|MovieDetail|MultiSearchResult)\.html$/.test(
            name,
          ),
        );
        for (const name of examined) {
          await visit(page, name);
          await page.evaluate(() => {
            for (const each of document.querySelectorAll("details")) each.open = true;
          });
          const button = page.getByRole("button", { name: "Try it" });
          if ((await button.count()) > 0) await button.click();
          const send = page.getByRole("button", { name: "Send" });
          if ((await send.count()) > 0) await send.click();
          if ((await widthOf(page)) > width) findings.push([name, await widthOf(page)]);
          const cut = await page.evaluate(() =>
            [
              ...document.querySelectorAll<HTMLElement>(
                "pre:not([aria-label=JSON], [aria-label=Body])",
              ),
            ]
              .filter((each) => each.scrollWidth > each.clientWidth)
              .map((each) => each.innerText),
          );
          if (viewport === DESKTOP && cut.length > 0) findings.push([name, ...cut]);
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
      },
    );
  },
);
