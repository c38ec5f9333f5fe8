import { readFileSync } from "node:fs";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { problemsOf, serveHandler } from "../support/app.js";
import { packed } from "../support/package.js";
import { root } from "../support/paths.js";
import { execute } from "../support/run.js";
import { scratchFolder } from "../support/scratch.js";
import { describeWithTools, toolFile } from "../tools/tools.js";
import { blocksOf, shownIn } from "./page.js";

const page = readFileSync(join(root, "docs/recipes.md"), "utf8");
/** The files of the recipes, by the name in their first line. */
const files = blocksOf("docs/recipes.md", page)
  .filter(({ lang }) => lang === "js")
  .map((block) => ({ ...block, name: /^\/\/ (\S+\.[cm]?js)\n/.exec(block.text)![1]! }));
const recipes = files.filter(({ name }) => name.endsWith(".mjs"));

/** What npm installs for a recipe on a version of Node: packages of this project, or of the tools. */
const inProject = (name: string) => join(root, "node_modules", name);
const PACKAGES = {
  "20.19": { undici: inProject("undici"), msw: inProject("msw") },
  "22": { undici: toolFile("undici-8"), msw: toolFile("msw-3") },
  "24": { undici: toolFile("undici-8"), msw: toolFile("msw-3") },
  "26": { undici: toolFile("undici-8"), msw: toolFile("msw-3") },
};
const SHARED = ["react", "@tanstack/react-query", "openapi-react-query"];

/** A folder in which a user has installed the package and what the recipes need. */
async function createFolder(packages: Readonly<Record<string, string>>): Promise<string> {
  const folder = await scratchFolder();
  const modules = join(folder, "node_modules");
  // Otherwise the package's name would mean this project.
  await writeFile(join(folder, "package.json"), "{}");
  await cp(join(packed().app, "node_modules"), modules, { recursive: true });
  const all = { ...Object.fromEntries(SHARED.map((name) => [name, inProject(name)])), ...packages };
  for (const [name, target] of Object.entries(all)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(target, join(modules, name), "junction");
  }
  return folder;
}

describeWithTools.each(Object.entries(PACKAGES))("on Node %s", (version, packages) => {
  test.each(recipes)("$name runs as pasted, and prints its comments", async (recipe) => {
    const folder = await createFolder(packages);
    await writeFile(join(folder, recipe.name), recipe.text);
    const seen: string[] = [];
    const env = { CATALOGUE_BASE_URL: await serveCached(seen), CATALOGUE_TOKEN: "any" };
    const node = toolFile(`node-${version}/bin/node`);
    const ran = await execute(node, [recipe.name], { cwd: folder, env });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    if (recipe.name.endsWith(".test.mjs")) expect(ran.stdout).toMatch(/^\S pass 1$/m);
    else expect(`${recipe.name}\n${ran.stdout}`).toBe(shownIn(recipe));
    if (recipe.name === "cache-responses.mjs") expect(seen).toEqual(["", '"v1"']);
  });
});

/** Serves languages that a cache may store but must revalidate. @param seen receives each `if-none-match` */
async function serveCached(seen: string[]): Promise<string> {
  const headers = { etag: '"v1"', "cache-control": "public, max-age=0" };
  return serveHandler(async (request) => {
    const etag = request.headers.get("if-none-match") ?? "";
    seen.push(etag);
    return etag ? new Response(null, { status: 304, headers }) : Response.json([], { headers });
  });
}

describeWithTools("Jest", () => {
  test("runs the test of the recipe in jsdom", async () => {
    const names = [
      "jest",
      "jest-environment-jsdom",
      "whatwg-fetch",
      "babel-jest",
      "@babel/plugin-transform-modules-commonjs",
    ];
    const folder = await createFolder(
      Object.fromEntries(names.map((name) => [name, toolFile(name)])),
    );
    const parts = files.filter(({ name }) => !recipes.some((each) => each.name === name));
    expect(parts.map(({ name }) => name)).toEqual(["jest.config.cjs", "catalogue.test.js"]);
    for (const { name, text } of parts) await writeFile(join(folder, name), text);
    const ran = await execute(process.execPath, ["node_modules/jest/bin/jest.js"], { cwd: folder });
    expect(ran.stderr).toMatch(/Tests: +1 passed/);
    expect(ran.code).toBe(0);
  });
});

describe("types", () => {
  test("every recipe compiles strictly", async () => {
    const folder = await createFolder(PACKAGES["20.19"]);
    const paths = recipes.map(({ name }) => join(folder, name));
    for (const [index, { text }] of recipes.entries()) await writeFile(paths[index]!, text);
    expect(problemsOf(paths)).toEqual([]);
  });
});
