import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "esbuild";
import * as plain from "../../src/index.js";
import * as observed from "../../src/observed/index.js";
import manifest from "../../package.json" with { type: "json" };
import { root } from "../support/paths.js";
import { readConfig } from "../types/install.js";

/** The most type instantiations that a consumer may cost beyond an empty file. */
const MOST_INSTANTIATIONS = 400;

describe("media-catalogue/observed at run time", () => {
  it("has the same functions and classes", () => {
    expect(Object.keys(observed).toSorted()).toEqual(Object.keys(plain).toSorted());
    const own = new Map<string, unknown>(Object.entries(plain));
    for (const [name, value] of Object.entries(observed)) expect(own.get(name)).toBe(value);
  });

  it("is the same file in the package", () => {
    expect(manifest.exports["./observed"].default).toBe(manifest.exports["."].default);
  });

  it("adds no byte to a bundle", async () => {
    const sizes = ["index", "observed/index"].map(async (name) => {
      const entry = `import { createCatalogue } from "./src/${name}.ts"; createCatalogue({});`;
      const { outputFiles } = await build({
        stdin: { contents: entry, resolveDir: root, loader: "ts" },
        ...{ bundle: true, minify: true, write: false, format: "esm", platform: "browser" },
      });
      return outputFiles[0]!.text.length;
    });
    const [before, after] = await Promise.all(sizes);
    expect(after).toBe(before);
  });
});

describe("the types of media-catalogue/observed", () => {
  let app: string;
  let options: ts.CompilerOptions;
  beforeAll(async () => {
    await mkdir(join(root, ".tmp"), { recursive: true });
    app = await mkdtemp(join(root, ".tmp/observed-"));
    options = {
      ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true },
      ...{ types: [], noEmit: true, skipLibCheck: true },
    };
    const declarations = { declaration: true, emitDeclarationOnly: true, noEmit: false };
    const { options: own } = readConfig("tsconfig.build.json");
    const outDir = join(app, "package");
    ts.createProgram([join(root, "src/observed/index.ts")], {
      ...own,
      ...declarations,
      outDir,
    }).emit();
    const calls = readFileSync(join(root, "test/observed/calls.test-d.ts"), "utf8");
    const local = calls.replace("../../src/observed/index.js", "./package/observed/index.js");
    await mkdir(join(app, "node_modules"), { recursive: true });
    await writeFile(join(app, "package.json"), `{ "type": "module" }`);
    await writeFile(join(app, "calls.ts"), local);
    await writeFile(join(app, "empty.ts"), "export {};\n");
  });

  afterAll(() => rm(app, { recursive: true, force: true }));

  function programOf(file: string) {
    const program = ts.createProgram([join(app, file)], {
      ...options,
      typeRoots: [],
      paths: { "*": [join(root, "node_modules/*")] },
    });
    const problems = program.getSemanticDiagnostics(program.getSourceFile(join(app, file)));
    const texts = problems.map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, "\n"),
    );
    expect(texts).toEqual([]);
    return program;
  }

  it("cost few instantiations for twenty calls", () => {
    const [calls, empty] = [programOf("calls.ts"), programOf("empty.ts")];
    const cost = calls.getInstantiationCount() - empty.getInstantiationCount();
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThanOrEqual(MOST_INSTANTIATIONS);
  });

  it("compile calls.test-d.ts and types.test-d.ts as expected", () => {
    const files = ["calls", "types"].map((name) => join(root, `test/observed/${name}.test-d.ts`));
    const program = ts.createProgram(files, readConfig("tsconfig.json").options);
    const problems = files.flatMap((file) => [
      ...program.getSemanticDiagnostics(program.getSourceFile(file)),
    ]);
    expect(problems.map(({ messageText }) => messageText)).toEqual([]);
  });

  it("let an editor complete the query parameters of an operation", () => {
    const text = [
      'import type { Catalogue } from "./package/observed/index.js";',
      "declare const catalogue: Catalogue;",
      "void catalogue.search.multi({ query: { } });",
    ].join("\n");
    const file = join(app, "complete.ts");
    const service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [file],
      getScriptVersion: () => "1",
      getScriptSnapshot: (name) => {
        const content = name === file ? text : ts.sys.readFile(name);
        return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
      },
      getCurrentDirectory: () => dirname(file),
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (name) => name === file || ts.sys.fileExists(name),
      readFile: ts.sys.readFile,
    });
    const offered = service.getCompletionsAtPosition(file, text.lastIndexOf("{ }") + 2, {});
    const names = offered?.entries.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["query", "page", "language"]));
  });
});
