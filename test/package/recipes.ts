import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { packed } from "../support/package.js";
import { root } from "../support/paths.js";
import { toolFile } from "../tools/tools.js";
import { blocksOf, type Block } from "./page.js";

/** A file in a recipe. */
export interface RecipeFile extends Block {
  name: string;
}

/** The files in the recipes. The first line of each file is a comment with the file's name. */
export const allFiles: readonly RecipeFile[] = blocksOf(
  "docs/recipes.md",
  readFileSync(join(root, "docs/recipes.md"), "utf8"),
).flatMap((block) => {
  const name = /^\/\/ (\S+\.[cm]?[jt]sx?)\n/.exec(block.text)?.[1];
  return name === undefined ? [] : { ...block, name };
});

/** The JavaScript files in the recipes. */
export const files = allFiles.filter(({ lang }) => lang === "js");

/** The folders of packages that recipes import, by name: of this project, and of the tools for slow tests. */
const SHARED = {
  ...foldersOf(["keyv", "ky", "p-limit", "playwright-core"], (name) =>
    join(root, "node_modules", name),
  ),
  ...foldersOf(
    ["react", "@tanstack/react-query", "@keyv/redis", "rate-limiter-flexible"],
    toolFile,
  ),
  ...foldersOf(["@opentelemetry/api", "@opentelemetry/sdk-trace-base"], toolFile),
};

function foldersOf(names: readonly string[], folderOf: (name: string) => string) {
  return Object.fromEntries(names.map((name) => [name, folderOf(name)]));
}

/**
 * Creates a folder with the recipes, the installed package, and the packages that the recipes need, until all tests in
 * the file have run.
 * @param packages the folders of additional packages, by name
 */
export async function createRecipes(
  packages: Readonly<Record<string, string>> = {},
  written = files,
): Promise<string> {
  const parent = join(root, ".tmp");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "recipes-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const installed = join(folder, "node_modules");
  // Without a package.json, Node would resolve `media-catalogue` to this project.
  await writeFile(join(folder, "package.json"), "{}");
  await cp(join(packed().app, "node_modules"), installed, { recursive: true });
  for (const [name, target] of Object.entries({ ...SHARED, ...packages })) {
    await mkdir(dirname(join(installed, name)), { recursive: true });
    await symlink(target, join(installed, name), "junction");
  }
  for (const { name, text } of written) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}
