import { readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blocksOf } from "../package/page.js";
import { packed } from "../support/package.js";
import { root } from "../support/paths.js";
import { execute, succeed } from "../support/run.js";
import { frameworkFile } from "./frameworks.js";

// The app is outside the project, because pnpm and TypeScript look for packages in parent folders.
let app: string;
beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), "pnpm-"));
  afterAll(() => rm(app, { recursive: true, force: true }));
  await cp(join(import.meta.dirname, "apps/pnpm"), app, { recursive: true });
  const pnpm = frameworkFile("pnpm/bin/pnpm.mjs");
  await succeed(process.execPath, [pnpm, "add", "--ignore-scripts", packed().tarball], {
    cwd: app,
  });
});

/** Compiles a file in strict mode with declarations. @returns the compiler's output, which is empty on success */
async function compile(file: string, moduleResolution: string, module: string): Promise<string> {
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, declaration: true, skipLibCheck: true },
    ...{ target: "es2022", lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"] },
    ...{ moduleResolution, module, types: ["jest"], outDir: moduleResolution },
  };
  await writeFile(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return (await execute(process.execPath, [tsc, "-p", "."], { cwd: app })).stdout;
}

const RESOLUTIONS = [
  ["nodenext", "nodenext"],
  ["bundler", "esnext"],
  ["node10", "commonjs"],
] as const;

describe.each(RESOLUTIONS)("with moduleResolution %s under pnpm", (resolution, module) => {
  // Symptom: error TS2742, because the type of the result named openapi-fetch.
  test("an app that exports functions without return types compiles to declarations", async () => {
    expect(await compile("declarations.ts", resolution, module)).toBe("");
    const declarations = await readFile(join(app, resolution, "declarations.d.ts"), "utf8");
    expect(declarations).toContain("FetchResponse<");
    expect(declarations).not.toMatch(/openapi-fetch|\bany\b/);
  });

  test("TypeScript finds the types of every entry point", async () => {
    expect(await compile("entry-points.ts", resolution, module)).toBe("");
  });
});

describe("the Jest recipe under pnpm", () => {
  const recipe = readFileSync(join(root, "docs/recipes.md"), "utf8")
    .split("\n## ")
    .find((section) => section.startsWith("Test with Jest"))!;
  const blocks = blocksOf("docs/recipes.md", recipe);
  /** Returns the block whose first line names the file. */
  const fileNamed = (name: string) =>
    blocks.find(({ text }) => text.startsWith(`// ${name}\n`))!.text;
  const jest = async (file: string) => {
    await writeFile(join(app, file), fileNamed(file));
    return execute(process.execPath, ["node_modules/jest/bin/jest.js", file], { cwd: app });
  };

  test("the recipe installs the packages of this test", async () => {
    const commands = blocks.filter(({ lang }) => lang === "sh").map(({ text }) => text);
    const named = commands.flatMap((text) => text.match(/(?<= )@?[a-z][\w/-]*(?=@\d)/g)).toSorted();
    const { devDependencies } = JSON.parse(await readFile(join(app, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    expect(named).toEqual(Object.keys(devDependencies).toSorted());
  });

  test("the test in JavaScript passes", async () => {
    await writeFile(join(app, "jest.config.cjs"), fileNamed("jest.config.cjs"));
    const { code, stderr } = await jest("catalogue.test.js");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Tests: +1 passed/)]);
  });

  test("the test in TypeScript passes after the change to the configuration, and compiles", async () => {
    const diff = blocks.find(({ lang }) => lang === "diff")!.text.split("\n");
    const lines = (sign: string) =>
      diff.flatMap((line) => (line.startsWith(sign) ? line.slice(1) : [])).join("\n");
    const config = fileNamed("jest.config.cjs");
    const changed = config.replace(lines("-").trim(), lines("+").trim());
    expect(changed).not.toBe(config);
    await writeFile(join(app, "jest.config.cjs"), changed);
    const { code, stderr } = await jest("catalogue.test.ts");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Tests: +1 passed/)]);
    expect(await compile("catalogue.test.ts", "nodenext", "nodenext")).toBe("");
  });
});
