import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { createApp, problemsOf, serveHandler } from "../support/app.js";
import { root } from "../support/paths.js";
import { execute, succeed } from "../support/run.js";
import {
  anchorsOf,
  blocksOf,
  linksOf,
  printedBy,
  programOf,
  shownIn,
  tableOf,
  type Block,
} from "./page.js";

const folders = ["bench", "docs", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
);
const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...folders].filter((name) =>
  name.endsWith(".md"),
);
const read = (page: string) => readFileSync(join(root, page), "utf8");
const blocks = pages.flatMap((page) => blocksOf(page, read(page)));
const [first, ...rest] = blocks.filter(({ lang }) => lang === "js") as [Block, ...Block[]];
const readme = [first, ...rest];
const recipes = [first, ...blocks.filter(({ lang }) => lang === "ts")];

let app: string;
beforeAll(async () => {
  app = await createApp();
  await cp(join(root, "test/recordings"), join(app, "recordings"), { recursive: true });
});

const deployment = async () => ({
  CATALOGUE_BASE_URL: await serveHandler(),
  CATALOGUE_TOKEN: "any",
});

test("the first program of the README runs as an .mjs file without an account", async () => {
  await writeFile(join(app, "first.mjs"), first.text);
  expect(await succeed(process.execPath, ["first.mjs"], { cwd: app })).toBe(shownIn(first));
});

test.each([
  ["the README", "readme.mjs", readme, []],
  ["the recipes", "recipes.ts", recipes, ["--import", "tsx"]],
] as const)(
  "the programs of %s run in order and print the output in their comments",
  async (...row) => {
    const [, name, programs, options] = row;
    await writeFile(join(app, name), programOf(programs));
    const env = await deployment();
    const ran = await execute(process.execPath, [...options, name], { cwd: app, env });
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    const printed = printedBy(ran.stdout);
    expect(printed).toHaveLength(programs.length);
    for (const [index, block] of programs.entries()) {
      expect(printed[index], `${block.page}:${block.line}`).toBe(shownIn(block));
    }
  },
);

test("the programs of the README run in the Node REPL", async () => {
  const repl = spawn(process.execPath, ["-i"], {
    cwd: app,
    env: { ...process.env, ...(await deployment()), TERM: "dumb" },
  });
  const lines = [...readme.flatMap(({ text }) => text.split("\n")), ".exit"];
  let printed = "";
  repl.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    // Like a terminal, the test enters a line only at a prompt.
    if (/(?:^|\n|> |\.\.\. )(?:> |\.\.\. )$/.test(printed)) repl.stdin.write(`${lines.shift()}\n`);
  });
  await once(repl, "close");
  expect(printed).not.toMatch(/Uncaught|Error:/);
  for (const block of readme) expect(printed).toContain(shownIn(block));
});

test.each([
  ["a browser app", ["dom", "dom.iterable", "dom.asynciterable"]],
  ["a Node app", []],
])("the programs compile strictly in %s", async (_, lib) => {
  const files = [join(app, "readme-types.ts"), join(app, "recipes-types.ts")];
  await writeFile(files[0]!, programOf(readme));
  await writeFile(files[1]!, programOf(recipes));
  expect(problemsOf(files, lib)).toEqual([]);
});

test("pages have code blocks only in known languages, and programs only if they are tested", () => {
  const known = new Set(["", "sh", "yaml", "json", "text", "README.md js", "docs/recipes.md ts"]);
  const others = blocks.filter(
    ({ page, lang }) => !known.has(lang) && !known.has(`${page} ${lang}`),
  );
  expect(others).toEqual([]);
});

test.each(pages)("%s links to files and headings that exist", (page) => {
  const dead = linksOf(read(page)).filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const file = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
  });
  expect(dead).toEqual([]);
});

test.each(pages)("%s has commands that work", async (page) => {
  const url = await serveHandler();
  const scripts = blocks.filter((block) => block.page === page && block.lang === "sh");
  const commands = scripts.flatMap(({ text }) => text.split(/\n|&&/)).map((each) => each.trim());
  const inline = [...read(page).matchAll(/`(npm [^`]+)`/g)].map(([, command]) => command!);
  // In order, because a command may need what an earlier one wrote.
  for (const command of [...commands, ...inline]) await expectToWork(command, url);
});

/** Runs commands that use the package. Other commands must name existing scripts, files, or pinned packages. */
async function expectToWork(command: string, url: string): Promise<void> {
  const [program, verb = "", ...words] = command.replace(/^([A-Z_]+=\S+ )*/, "").split(" ");
  if (/^npx media-catalogue sandbox\b/.test(command)) {
    const stdout = await succeed("npx", ["media-catalogue", "sandbox", "--help"], { cwd: app });
    for (const option of command.match(/--\w+/g) ?? []) expect(stdout).toContain(`${option} `);
  } else if (program === "curl" || verb === "media-catalogue") {
    const local = command
      .replaceAll(/https?:\/\/(catalogue\.example|127\.0\.0\.1:4010)/g, url)
      .replace(/^curl/, "curl -fsS");
    const env = { npm_config_offline: "true" };
    expect(await succeed("sh", ["-ec", local], { cwd: app, env }), command).not.toBe("");
  } else if (program === "npm" && verb === "install") {
    const known = [manifest.name, ...Object.keys(manifest.devDependencies)];
    const names = words.filter((each) => !each.startsWith("-") && !/.@\d+\.\d+\.\d+$/.test(each));
    expect(known).toEqual(expect.arrayContaining(names));
  } else if (program === "npm") {
    const script = [verb, ...words].find((each) => each !== "run" && !each.startsWith("-"));
    expect([...Object.keys(manifest.scripts), "ci", "audit", "pack"]).toContain(script);
  } else {
    const file = [verb, ...words].find((each) => /\/.*\.\w+$/.test(each));
    expect(existsSync(join(root, file ?? "")) && file, command).toBeTruthy();
  }
}

test("the first screen of the README shows how to run and test the project", () => {
  const [run, tests] = blocks.filter(({ lang }) => lang === "sh");
  expect([run!.text, tests!.text]).toEqual(["npm ci && npm start", "npm test"]);
  expect(tests!.line).toBeLessThan(30);
});

test("docs/compared.mjs prints the table in docs/compared.md", async () => {
  await cp(join(root, "docs/compared.mjs"), join(app, "docs/compared.mjs"));
  const printed = await succeed(process.execPath, ["docs/compared.mjs"], { cwd: app });
  // The size may change with every operation.
  const [seen, told] = [printed, read("docs/compared.md")].map((text) =>
    tableOf(text.replaceAll(/[\d.]+ kB/g, "kB")),
  ) as [string[][], string[][]];
  // The program omits clients that are not installed here.
  const columns = seen[0]!.map((client) => told[0]!.indexOf(client));
  expect(seen[0]).toEqual(expect.arrayContaining(["openapi-fetch", "media-catalogue"]));
  expect(seen).toEqual(told.map((row) => columns.map((column) => row[column])));
});
