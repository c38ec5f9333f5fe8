import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { buildDocs } from "../../scripts/docs/build.js";
import { buildClientReference } from "../../scripts/docs/client.js";
import gaps from "../gaps.json" with { type: "json" };
import { operations } from "../support/description.js";
import { copyProject } from "../support/package.js";
import { root } from "../support/paths.js";
import { scratchFolder } from "../support/scratch.js";
import { filesOf, useDocs } from "./built.js";

const docs = useDocs();
let files: Map<string, string>;
beforeAll(async () => {
  files = await filesOf(docs.folder);
});
const pages = () => [...files].filter(([name]) => name.endsWith(".html"));

describe("the docs", () => {
  it("are the same bytes each time and name no folder of this machine", async () => {
    const folder = await scratchFolder();
    await buildDocs(root, folder);
    const again = await filesOf(folder);
    expect([...again.keys()]).toEqual([...files.keys()]);
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
    const landing = files.get("index.html")!;
    expect(landing).toMatch(/<code>timeout<\/code>.*Default: <code>10_000<\/code>/);
    expect(landing).toMatch(/<code>baseUrl<\/code>.*Required\./);
    expect(landing).toMatch(/<code>signal<\/code><\/td><td><code>AbortSignal<\/code>/);
  });
});

describe("the reference of the client", () => {
  it("starts with the README and shows fields, documents and the classes of errors", () => {
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
