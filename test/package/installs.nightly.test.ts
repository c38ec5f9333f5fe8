import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { serveForFile } from "../frameworks/frameworks.js";
import { packed } from "../support/package.js";
import { root } from "../support/paths.js";
import { execute } from "../support/run.js";
import { toolFile } from "../tools/tools.js";
import { blocksOf, shownIn } from "./page.js";
import { files } from "./recipes.js";

/** Recipes whose own tests start a server, a browser, or Redis. This test only installs their packages. */
const NOT_STARTED = new Set([
  "express-server.mjs",
  "hono-server.mjs",
  "page-with-sandbox.mjs",
  "proxy.mjs",
  "several-machines.mjs",
  "worker.mjs",
]);

const sections = readFileSync(join(root, "docs/recipes.md"), "utf8").split(/^(?=## )/m);
/** The commands and programs of each section that installs packages. */
const recipes = sections.flatMap((text) => {
  const commands = blocksOf("docs/recipes.md", text).flatMap((block) =>
    block.lang === "sh" && block.text.includes("npm install") ? block.text : [],
  );
  const title = /^## (.*)/.exec(text)?.[1] ?? "";
  const own = files.filter(({ name }) => text.includes(`\n// ${name}\n`));
  return commands.length > 0 ? { title, commands, own } : [];
});
const cases = recipes.flatMap((recipe) => {
  const [, oldest] = /^# Node (\d+\.\d+) or later\n/.exec(recipe.commands[0]!) ?? [];
  return [oldest, "26"].map((version) => ({ ...recipe, version }));
});

let url: string;
beforeAll(async () => {
  url = await serveForFile(createSandbox().fetch);
});

test("each recipe states the versions of Node and the major versions of its packages", () => {
  expect(recipes.length).toBeGreaterThan(10);
  for (const { commands } of recipes)
    for (const command of commands) {
      const [heading, ...lines] = command.split("\n");
      expect(heading).toMatch(/^# Node 2\d\.19 or later$/);
      const words = lines
        .join(" ")
        .split(/[ \\]+/)
        .slice(2);
      for (const word of words) expect(word).toMatch(/^--save-dev$|^@?[\w/-]+@\d+(\.\d+)?$/);
    }
});

test.concurrent.for(cases)(
  "$title: the printed command installs packages that run on Node $version",
  async ({ commands, own, version }, { onTestFinished }) => {
    const bin = toolFile(`node-${version}/bin`);
    const cwd = await mkdtemp(join(tmpdir(), "installs-"));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    await writeFile(join(cwd, "package.json"), "{}");
    for (const { name, text } of files) {
      await mkdir(dirname(join(cwd, name)), { recursive: true });
      await writeFile(join(cwd, name), text);
    }
    const env = {
      PATH: [bin, join(cwd, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
      CATALOGUE_BASE_URL: url,
      CATALOGUE_TOKEN: "any",
      // Rejects a package that does not support this version of Node.
      npm_config_engine_strict: "true",
    };
    const shell = (command: string) => execute("sh", ["-e", "-c", command], { cwd, env });
    for (const command of [`npm install ${packed().tarball}`, ...commands])
      expect(await shell(command)).toMatchObject({ code: 0 });
    for (const file of own.filter(({ name }) => !NOT_STARTED.has(name))) {
      const { name } = file;
      if (name === "catalogue.test.js" || name.endsWith(".spec.mjs")) {
        const { code, stdout, stderr } = await shell(
          name.endsWith(".spec.mjs") ? `vitest run ${name}` : `jest ${name}`,
        );
        expect([code, stdout + stderr]).toEqual([0, expect.stringMatching(/Tests.* [12] passed/)]);
      } else if (name.endsWith(".mjs")) {
        const ran = await shell(`node ${name}`);
        expect({ ...ran, stdout: `${name}\n${ran.stdout}` }).toMatchObject({
          code: 0,
          stdout: shownIn(file),
        });
      }
    }
  },
);
