import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/paths.js";
import { readConfig } from "../support/tsconfig.js";

/** The maximum number of type instantiations that twenty calls add to those of an empty file. */
const MAX_INSTANTIATIONS = 400;

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
    expect(cost).toBeLessThanOrEqual(MAX_INSTANTIATIONS);
  });
});
