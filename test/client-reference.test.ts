import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { buildClientReference, ENTRIES } from "../scripts/docs/client.js";
import { root } from "./support/paths.js";
import { scratchFolder } from "./support/scratch.js";
import { readConfig } from "./types/install.js";

/** The files of a folder and what is below it, with their bytes. */
async function filesOf(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  const read = files.toSorted().map(async (file) => {
    return [file.slice(folder.length + 1), await readFile(file, "latin1")] as const;
  });
  return new Map(await Promise.all(read));
}

/** Name of everything that users import, by entry point. */
function exportsOf(): [entry: string, name: string][] {
  const entries = Object.entries(ENTRIES);
  const { options } = readConfig("tsconfig.build.json");
  const program = ts.createProgram(
    entries.map(([, file]) => join(root, file)),
    options,
  );
  const checker = program.getTypeChecker();
  return entries.flatMap(([entry, file]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, file))!)!;
    return checker.getExportsOfModule(module).map(({ name }): [string, string] => [entry, name]);
  });
}

describe("the reference of the client", () => {
  const folders = ["a", "b"].map((name) => join(root, ".tmp", `reference-${process.pid}-${name}`));
  let pages: Map<string, string>;
  beforeAll(async () => {
    for (const each of folders) await buildClientReference(each);
    pages = await filesOf(folders[0]!);
    return () => Promise.all(folders.map((each) => rm(each, { recursive: true })));
  }, 300_000);

  test("has a page for everything that is exported", async () => {
    const names = exportsOf();
    expect(names).toContainEqual(["media-catalogue", "MovieDetail"]);
    const titles = new Set(
      [...pages.keys()].map((file) => file.replace(/^\w+\/(.*)\.html$/, "$1")),
    );
    const wanted = names.map(([entry, name]) => `${entry.replace("/", "_")}.${name}`);
    expect(wanted.filter((each) => !titles.has(each))).toEqual([]);
  });

  test("shows the fields of a model, with words and links", () => {
    const page = pages.get("interfaces/media-catalogue.MovieDetail.html")!;
    expect(page).toContain('href="media-catalogue.Genre.html"');
    expect(page).toContain("Image path of the backdrop; null when there is none.");
    expect([...pages.values()].join("")).not.toContain("@description");
  });

  test("leads back to the page of the service", () => {
    expect(pages.get("index.html")).toContain('<a href="../index.html">');
    const page = pages.get("functions/media-catalogue.createCatalogue.html");
    expect(page).toContain('<a href="../../index.html">');
  });

  test("loads nothing from elsewhere", () => {
    const loads =
      /<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)="([^"]*)"|url\(([^)]*)\)|@import/g;
    const found = [...pages].flatMap(([file, text]) =>
      /\.(html|css)$/.test(file)
        ? [...text.matchAll(loads)].map(([, a, b]) => a ?? b ?? "@import")
        : [],
    );
    expect(found.length).toBeGreaterThan(pages.size);
    expect(found.filter((each) => /^["']?(https?:)?\/\//.test(each) || each === "@import")).toEqual(
      [],
    );
  });

  test("has the same bytes each time", async () => {
    const again = await filesOf(folders[1]!);
    expect([...again.keys()]).toEqual([...pages.keys()]);
    expect(
      [...pages].filter(([file, text]) => again.get(file) !== text).map(([file]) => file),
    ).toEqual([]);
  });
});

test.each([
  ["src/credits.ts", /\/\*\*[^]*?\*\/\n(?=export function isMovieCredit)/, "isMovieCredit"],
  ["src/generated/models.ts", /\/\*\*.*\*\/\n(?=export type Genre )/, "Genre"],
  ["src/errors.ts", /\/\*\* The timeout that passed.*\*\/\n/, "TimeoutError.ms"],
])("it is not written where %s lacks a docstring", async (file, docstring, name) => {
  const project = await scratchFolder();
  for (const each of ["src", "package.json", "tsconfig.json", "tsconfig.build.json"]) {
    await cp(join(root, each), join(project, each), { recursive: true });
  }
  const text = await readFile(join(project, file), "utf8");
  expect(text).toMatch(docstring);
  await writeFile(join(project, file), text.replace(docstring, ""));
  await expect(buildClientReference(join(project, "out"), project)).rejects.toThrow(
    `media-catalogue.${name} `,
  );
  expect(await readdir(project)).not.toContain("out");
});
