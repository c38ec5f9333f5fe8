import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createApp } from "./app.js";
import { anchorsOf, blocksOf, linksOf, tablesOf } from "./blocks.js";
import { commandsOf, problemWith } from "./command.js";
import { problemsOf } from "./compile.js";
import { execute } from "./execute.js";
import { printedBy, programOf, shownIn } from "./program.js";
import { serveHandler } from "./serve.js";
import { root } from "../support/paths.js";

const folders = ["bench", "docs", "examples"];
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  ),
].filter((name) => name.endsWith(".md"));
const read = (page: string) => readFileSync(join(root, page), "utf8");

/** A page without such blocks has no such test. */
const none = () => {};

let app: string;

beforeAll(async () => {
  const { folder, remove } = await createApp();
  app = folder;
  return remove;
});

test("the pages are found", () => {
  expect(pages).toEqual(
    expect.arrayContaining(["README.md", "bench/README.md", "docs/findings.md"]),
  );
});

describe.each(pages)("%s", (page) => {
  const blocks = blocksOf(read(page));

  test("has blocks of known languages alone", () => {
    const langs = new Set(blocks.map(({ lang }) => lang));
    expect(
      [...langs].filter((each) => !["js", "ts", "sh", "yaml", "json", "text"].includes(each)),
    ).toEqual([]);
  });

  test("links to what is there", () => {
    const dead = linksOf(read(page)).filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  const programs = blocks.filter(({ lang }) => lang === "ts" || lang === "js");
  const withPrograms = programs.length > 0 ? test : none;
  withPrograms("has programs that compile and print what is shown", async () => {
    const url = await serveHandler();
    const file = join(app, `${page.replaceAll("/", "-")}.ts`);
    await writeFile(file, programOf(programs, url));
    expect(problemsOf([file], app)).toEqual([]);
    const { code, stdout, stderr } = await execute(`node --import tsx ${file}`, app, {
      CATALOGUE_BASE_URL: url,
      CATALOGUE_TOKEN: "any-token",
    });
    expect([code, stderr]).toEqual([0, ""]);
    const printed = printedBy(stdout);
    expect(printed).toHaveLength(programs.length);
    programs.forEach((block, index) => {
      expect(printed[index], `${page}:${block.line}`).toBe(shownIn(block));
    });
  });

  const commands = blocks
    .filter(({ lang }) => lang === "sh")
    .flatMap(({ text }) => commandsOf(text));
  const withCommands = commands.length > 0 ? test : none;
  withCommands("has commands that work", async () => {
    const url = await serveHandler();
    const problems: string[] = [];
    // One after the other: the second may need what the first has written.
    for (const each of commands) problems.push(...(await problemWith(each, app, url)));
    expect(problems).toEqual([]);
  });
});

test.each(pages)("the commands that %s names in passing are there", (page) => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...read(page).matchAll(/`npm (?:run )?(?:-\S+ )*([a-z:]+)/g)].map(
    ([, name]) => name!,
  );
  expect(named.filter((name) => name !== "ci" && !(name in scripts))).toEqual([]);
});

test("a newcomer finds how to run it, and how to test it, on the first screen", () => {
  const [run, tests] = blocksOf(read("README.md")).filter(({ lang }) => lang === "sh");
  expect([run!.text, tests!.text]).toEqual(["npm ci && npm start", "npm test"]);
  expect(tests!.line).toBeLessThan(30);
});

test("the workflow of the README is that of the examples, which is run", () => {
  const workflow = blocksOf(read("README.md")).find(({ lang }) => lang === "yaml");
  expect(parse(workflow!.text)).toEqual(parse(read("examples/contract.yml")));
});

test("the faults of docs/compared.md end as its table says", async () => {
  await cp(join(root, "docs/compared.mjs"), join(app, "docs/compared.mjs"));
  const { code, stdout, stderr } = await execute("node docs/compared.mjs", app);
  expect(code, stderr).toBe(0);
  const [told] = tablesOf(read("docs/compared.md"));
  const [seen] = tablesOf(stdout);
  expect(seen!.map(([fault]) => fault)).toEqual(told!.map(([fault]) => fault));
  // Those that are not installed here are not asked.
  const clients = seen![0]!;
  expect(clients).toEqual(
    expect.arrayContaining(["`fetch` by hand", "openapi-fetch", "media-catalogue"]),
  );
  const columns = clients.map((client) => told![0]!.indexOf(client));
  expect(seen).toEqual(told!.map((row) => columns.map((column) => row[column])));
});
