import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import frameworks from "../frameworks/package.json" with { type: "json" };
import tools from "../tools/package-lock.json" with { type: "json" };
import { createApp, problemsOf, serveHandler } from "../support/app.js";
import { root } from "../support/paths.js";
import { execute, succeed } from "../support/run.js";
import { anchorsOf, blocksOf, linksOf, printedBy, programOf, shownIn, tablesOf } from "./page.js";
import type { Block } from "./page.js";

const folders = ["bench", "docs", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
);
const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...folders].filter((name) =>
  name.endsWith(".md"),
);
const read = (page: string) => readFileSync(join(root, page), "utf8");
const blocks = pages.flatMap((page) => blocksOf(page, read(page)));
const readme = blocks.filter(({ page, lang }) => page === "README.md" && /^[jt]s$/.test(lang));
const first = readme[0]!;
const others = blocks.filter(({ page, lang }) => page === "docs/configuration.md" && lang === "js");
const tsx = pathToFileURL(join(root, "node_modules/tsx/dist/loader.mjs")).href;
/** Pages whose programs run in one file. */
const GUIDES = ["docs/authentication.md", "docs/coming-from.md"];
const isGuide = ({ page, lang }: Block) => GUIDES.includes(page) && lang === "js";

let app: string;
beforeAll(async () => {
  app = await createApp();
  await cp(join(root, "test/example-responses"), join(app, "recordings"), { recursive: true });
});

const deployment = async () => ({
  CATALOGUE_BASE_URL: await serveHandler(),
  CATALOGUE_TOKEN: "any",
});

test.each(readme)(
  "the program at README.md:$line runs after the first program and prints the output that its comments show",
  async (block) => {
    await expectToPrint(block === first ? [first] : [first, block]);
  },
);

test("all programs in the README run in one file, in order", async () => {
  await expectToPrint(readme);
});

test.each(others)(
  "the program at $page:$line runs alone and prints the output that its comments show",
  (block) => expectToPrint([block]),
);

test.each(GUIDES)("all programs in %s run in one file, in order", async (page) => {
  await expectToPrint(blocks.filter((block) => block.page === page && isGuide(block)));
});

/** Runs blocks as one program, and checks that each block prints the output that its comments show. */
async function expectToPrint(program: readonly Block[]): Promise<void> {
  const { outputText } = ts.transpileModule(programOf(program), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const file = `line-${program.at(-1)!.line}-${program.length}.mjs`;
  await writeFile(join(app, file), outputText);
  const ran = await execute(process.execPath, [file], { cwd: app, env: await deployment() });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(printedBy(ran.stdout)).toEqual(program.map(shownIn));
}

test("the README's program for a deployment calls the sandbox if one of its variables is missing", async () => {
  const program = readme.find(({ text }) => text.includes("process.env"))!;
  await writeFile(join(app, "deployment.mjs"), `${first.text}\n${program.text}`);
  const { CATALOGUE_BASE_URL, CATALOGUE_TOKEN } = await deployment();
  for (const env of [{ CATALOGUE_TOKEN }, { CATALOGUE_BASE_URL }, {}]) {
    const ran = await execute(process.execPath, ["deployment.mjs"], { cwd: app, env });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
  }
});

test.each([
  ["a browser app", ["dom", "dom.iterable", "dom.asynciterable"]],
  ["a Node app", []],
])("the programs in the README compile in strict mode in %s", async (_, lib) => {
  const file = join(app, "readme-types.ts");
  await writeFile(file, programOf(readme));
  expect(problemsOf([file], lib)).toEqual([]);
});

test("every code block is in a known language, and every program in a code block is tested", () => {
  const known = new Set(["", "sh", "yaml", "json", "text", "console", "docs/recipes.md js"]);
  // The nightly tests run these programs.
  for (const lang of ["ts", "tsx", "diff"]) known.add(`docs/recipes.md ${lang}`);
  for (const { page, lang } of [...readme, ...others, ...blocks.filter(isGuide)])
    known.add(`${page} ${lang}`);
  const unknown = blocks.filter(
    ({ page, lang }) => !known.has(lang) && !known.has(`${page} ${lang}`),
  );
  expect(unknown).toEqual([]);
});

test.each(pages)("%s links only to files and headings that exist", (page) => {
  const dead = linksOf(read(page)).filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const file = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
  });
  expect(dead).toEqual([]);
});

test.each(pages)("every command in %s works", async (page) => {
  const url = await serveHandler();
  const scripts = blocks.filter((block) => block.page === page && block.lang === "sh");
  const commands = scripts
    .flatMap(({ text }) => text.replaceAll("\\\n", " ").split(/\n|&&/))
    .map((each) => each.trim())
    .filter((each) => !each.startsWith("#"));
  const inline = [...read(page).matchAll(/`(npm [^`]+)`/g)].map(([, command]) => command!);
  // Runs the commands in order, because a command can need the output files of an earlier command.
  for (const command of [...commands, ...inline]) await expectToWork(command, url);
});

/** Runs a command that uses the package. For other commands, checks that the named script, package, or file exists. */
async function expectToWork(command: string, url: string): Promise<void> {
  const [program, verb = "", ...words] = command.replace(/^([A-Z_]+=\S+ )*/, "").split(/ +/);
  if (/^npx media-catalogue sandbox\b/.test(command)) {
    const stdout = await succeed("npx", ["media-catalogue", "sandbox", "--help"], { cwd: app });
    for (const option of command.match(/--\w+/g) ?? []) expect(stdout).toContain(`${option} `);
  } else if (program === "git" || program === "cd") {
    // The tests run in a folder without a repository.
    expect(["clone", "switch", "media-catalogue"]).toContain(verb);
  } else if (verb === "@stoplight/prism-cli") {
    // prism.slow.test.ts starts the server with the same file.
    expect(tools.packages).toHaveProperty([`node_modules/${verb}`]);
    expect(existsSync(join(app, words.at(-1)!)), command).toBe(true);
  } else if (program === "curl" || verb === "media-catalogue") {
    const local = command
      .replaceAll(/https?:\/\/(catalogue\.example|127\.0\.0\.1:4010)/g, url)
      .replace(/^curl/, "curl -fsS")
      // The calls of the recorder need no pauses here, which would take half a minute.
      .replace(/ record .*/, "$& --delay 0");
    const env = { npm_config_offline: "true" };
    expect(await succeed("sh", ["-ec", local], { cwd: app, env }), command).not.toBe("");
  } else if (program === "npm" && verb === "install") {
    const known = {
      ...manifest.devDependencies,
      ...tools.packages,
      ...frameworks.dependencies,
      [manifest.name]: "",
      // The nightly tests install these packages with pnpm.
      "@babel/preset-typescript": "",
      "@types/jest": "",
    };
    const names = words
      .filter((each) => !each.startsWith("-") && !/.@\d+\.\d+\.\d+$/.test(each))
      .map((each) => each.replace(/(?<=.)@\d+(\.\d+)?$/, ""));
    const installed = Object.keys(known).map((each) => each.replace("node_modules/", ""));
    expect(installed).toEqual(expect.arrayContaining(names));
  } else if (program === "npm") {
    const script = [verb, ...words].find((each) => each !== "run" && !each.startsWith("-"));
    expect([
      ...Object.keys(manifest.scripts),
      "ci",
      "audit",
      "pack",
      "update",
      "login",
      "stage",
      "trust",
    ]).toContain(script);
  } else {
    const file = [verb, ...words].find((each) => /\/.*\.\w+$/.test(each));
    expect(existsSync(join(root, file ?? "")) && file, command).toBeTruthy();
  }
}

test("the programs in bench print the tables in docs/compared.md, without the clients that are not installed", async () => {
  await cp(join(root, "bench"), join(app, "bench"), { recursive: true });
  const told = tablesOf(read("docs/compared.md"));
  const ofHeader = (cell: string) => told.filter(([header]) => header![0] === cell);

  const compared = await succeed(process.execPath, ["bench/compared.mjs"], { cwd: app });
  for (const [index, seen] of tablesOf(compared).entries()) {
    const { [index]: table } = ofHeader("situation");
    const columns = seen[0]!.map((client) => table![0]!.indexOf(client));
    expect(columns.length).toBeGreaterThan(1);
    const shown = table!.map((row) => columns.map((column) => row[column]!));
    // Bundle sizes are compared with a tolerance, because every update of a client changes its size slightly.
    const sizes = [seen.pop()!, shown.pop()!].map(([, ...cells]) => cells.map(parseFloat));
    for (const [at, size] of sizes[0]!.entries())
      expect(Math.abs(size - sizes[1]![at]!), seen[0]![at + 1]).toBeLessThan(0.3);
    expect(seen).toEqual(shown);
  }

  const evening = await succeed(process.execPath, ["--import", tsx, "bench/evening.mjs"], {
    cwd: app,
  });
  const [apps] = tablesOf(evening);
  expect(apps).toHaveLength(2);
  expect(ofHeader("client")[0]).toEqual(expect.arrayContaining(apps!));
});
