import { cp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../support/app.js";
import { choicesText } from "../support/choices.js";
import { expectedOutcome } from "../support/outcome.js";
import { packed } from "../support/package.js";
import { root } from "../support/paths.js";
import { execute } from "../support/run.js";
import { readConfig } from "../support/tsconfig.js";
import { describeWithTools, toolFile } from "../tools/tools.js";

/** Strict compiler options, which also check the declarations of the package and of openapi-fetch. */
const STRICT = {
  strict: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  resolveJsonModule: true,
  allowJs: true,
  checkJs: true,
  target: "es2022",
};

/** Compiler options by `moduleResolution`: Node apps get no DOM types, and browser apps get no Node types. */
const PLATFORMS: Record<string, object> = {
  nodenext: {
    module: "nodenext",
    lib: ["es2022"],
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  },
  bundler: { module: "esnext", lib: ["es2022", "dom", "dom.iterable"], types: [] },
};

let app: string;
beforeAll(async () => {
  // Outside the project, the package can import only its own dependencies.
  app = await createApp(tmpdir());
  await cp(join(import.meta.dirname, "apps"), app, { recursive: true });
});

/** Compiles files of the app with the given version of TypeScript. @returns the diagnostics and the output folder */
async function compile(version: string, moduleResolution: string, files: string[]) {
  const folder = `${version}-${moduleResolution}`;
  const compilerOptions = {
    ...STRICT,
    ...PLATFORMS[moduleResolution],
    moduleResolution,
    rootDir: ".",
    outDir: folder,
  };
  const config = `tsconfig.${folder}.json`;
  await writeFile(join(app, config), JSON.stringify({ compilerOptions, files }));
  const tsc = toolFile(`typescript-${version}/bin/tsc`);
  const { stdout } = await execute(process.execPath, [tsc, "-p", config], { cwd: app });
  return { problems: stdout, folder };
}

const runNode = (file: string) => execute(process.execPath, [file], { cwd: app });

async function expectToRun(folder: string): Promise<void> {
  const { stdout, stderr } = await runNode(`${folder}/app.js`);
  expect(stdout, stderr).not.toBe("");
  const { providers, people, error } = expectedOutcome();
  expect(JSON.parse(stdout)).toEqual({
    providers,
    people,
    status: (error as unknown[])[0],
    title: "string",
    failed: false,
    lazily: ["function", "function"],
  });
  expect((await runNode(`${folder}/import.cjs`)).stdout).toBe("701\n");
}

describeWithTools("an app", () => {
  test("an app with ES modules and CommonJS modules compiles with TypeScript 7.0 and runs", async () => {
    const files = ["app.ts", "import.cts", "require.cts", "tour.mjs"];
    const { problems, folder } = await compile("7.0", "nodenext", files);
    expect(problems).toBe("");
    await expectToRun(folder);
    expect((await runNode(`${folder}/require.cjs`)).stdout).toBe("701 undefined\n");
  });

  test("an app runs when compiled with TypeScript 5.4, which rejects only `require()` of an ES module", async () => {
    const files = ["app.ts", "import.cts", "require.cts", "tour.mjs"];
    const { problems, folder } = await compile("5.4", "nodenext", files);
    const found = problems.match(/^\S.*error.*$/gm) ?? [];
    expect(found.filter((line) => !/^require\.cts.* TS1471/.test(line))).toEqual([]);
    await expectToRun(folder);
  });

  test.each(["5.4", "7.0"])(
    "with TypeScript %s, everyday calls compile without Node types, and mistakes do not compile",
    async (version) => {
      const names = ["appended-parts", "everyday", "mistakes", "mixed-lists", "queries"];
      const copied = names.map((name) => `${name}.ts`);
      for (const file of copied) {
        const source = join(root, "test/full", file.replace(".ts", ".test-d.ts"));
        const text = await readFile(source, "utf8");
        await writeFile(
          join(app, file),
          text
            .replaceAll("../../src/full/index.js", "media-catalogue/full")
            .replace("../../src/sandbox/index.js", "media-catalogue/sandbox"),
        );
      }
      await writeFile(join(app, "choices.ts"), choicesText("media-catalogue/full"));
      const files = [...copied, "choices.ts", "app.ts"];
      expect((await compile(version, "bundler", files)).problems).toBe("");
    },
  );

  test.each(["5.4", "7.0"])(
    "with TypeScript %s, the error of a missing token names the token",
    async (version) => {
      const text = `import { createCatalogue } from "media-catalogue/full";
declare const token: string | undefined;
createCatalogue({ baseUrl: "https://catalogue.example", token });
`;
      await writeFile(join(app, "without-token.ts"), text);
      const { problems } = await compile(version, "bundler", ["without-token.ts"]);
      expect(problems).toContain("Types of property 'token' are incompatible");
      expect(problems).not.toContain("'apiKey'");
    },
  );

  test.each([
    ["Node.js", [join(root, "node_modules/@types/node/index.d.ts")]],
    ["Bun", [toolFile("@types/bun/index.d.ts")]],
    ["Cloudflare Workers", [toolFile("@cloudflare/workers-types/index.d.ts")]],
    ["browsers", []],
  ])("the `fetch` of %s, of wrappers, and of the sandbox needs no cast", (_, types) => {
    const lib = types.length > 0 ? ["es2022"] : ["es2022", "dom", "dom.iterable"];
    const program = ts.createProgram([join(app, "own-fetch.ts"), ...types], {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      types: [],
      lib: lib.map((name) => `lib.${name}.d.ts`),
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
    });
    const problems = ts.getPreEmitDiagnostics(program);
    const texts = problems.map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, "\n"),
    );
    expect(texts).toEqual([]);
  });
});

/** Compiles a file of the app, and counts the type instantiations. */
function costOf(name: string): number {
  const program = ts.createProgram([join(app, name)], {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    lib: ["es2023", "dom", "dom.iterable"].map((lib) => `lib.${lib}.d.ts`),
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
  });
  expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
  return program.getInstantiationCount();
}

describe("the types", () => {
  test("twenty calls cost the compiler at most 300 type instantiations, or 500 with media-catalogue/full", async () => {
    await writeFile(join(app, "empty.ts"), "export {};\n");
    const base = costOf("empty.ts");
    for (const { entry, file, source, limit } of [
      { entry: "media-catalogue", file: "types/twenty-calls", source: "index", limit: 300 },
      { entry: "media-catalogue/full", file: "full/calls", source: "full/index", limit: 500 },
    ]) {
      const calls = await readFile(join(root, `test/${file}.test-d.ts`), "utf8");
      expect(calls).toMatch(/(await catalogue\.[^]*){20}/);
      await writeFile(join(app, "calls.ts"), calls.replace(`../../src/${source}.js`, entry));
      const more = costOf("calls.ts") - base;
      expect(more, entry).toBeGreaterThan(0);
      expect(more, entry).toBeLessThanOrEqual(limit);
    }
  });

  // For methods with parts, TypeScript infers the options of each call.
  test.each([
    { call: ".movies.popular({ query: { page: 2 } })", limit: 150 },
    { call: "[group].popular({ query: { page: 2 } })", limit: 300 },
    { call: ".movies.details(603)", limit: 650 },
    { call: ".movies.details.withResponse(603)", limit: 650 },
    { call: "[group].details(603)", limit: 1800 },
    { call: '.movies.details(603, { query: { language: "de" } })', limit: 4000 },
    {
      call: '.movies.details(603, { query: { append_to_response: ["credits", "videos"] } })',
      limit: 5200,
    },
  ])("200 calls of catalogue$call cost at most $limit instantiations", async ({ call, limit }) => {
    const head = `import type { Catalogue } from "media-catalogue/full";
declare const catalogue: Catalogue;
declare const group: "movies" | "tvSeries";
`;
    await writeFile(join(app, "no-calls.ts"), head);
    const calls = `console.log(await catalogue${call});\n`.repeat(200);
    await writeFile(join(app, "many-calls.ts"), head + calls);
    const more = costOf("many-calls.ts") - costOf("no-calls.ts");
    expect(more).toBeGreaterThan(0);
    expect(more).toBeLessThanOrEqual(limit);
  });

  test("the package's declarations do not use `any`", () => {
    const dist = join(packed().app, "node_modules/media-catalogue/dist");
    const { options, fileNames } = readConfig("tsconfig.build.json");
    const entries = fileNames.map((name) =>
      join(dist, relative(join(root, "src"), name)).replace(/ts$/, "d.ts"),
    );
    const files = ts
      .createProgram(entries, options)
      .getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(dist));
    expect(files.map(({ fileName }) => relative(dist, fileName))).toContain(
      "generated/schema.d.ts",
    );
    const found: string[] = [];
    for (const file of files) {
      const visit = (node: ts.Node): void => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`${file.fileName} at ${node.pos}`);
        ts.forEachChild(node, visit);
      };
      visit(file);
    }
    expect(found).toEqual([]);
  });
});
