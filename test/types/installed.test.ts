import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/paths.js";
import { run } from "../support/run.js";
import { installPackage } from "./install.js";

/** The type instantiations of a consumer, beyond those of an empty file. */
const MOST_INSTANTIATIONS = 300;

let app: string;
let dist: string;

beforeAll(async () => {
  await mkdir(join(root, ".tmp"), { recursive: true });
  app = await mkdtemp(join(root, ".tmp/app-"));
  dist = await installPackage(app);
  const calls = await readFile(join(root, "test/types/twenty-calls.test-d.ts"), "utf8");
  await writeFile(join(app, "calls.ts"), calls.replace("../../src/index.js", "media-catalogue"));
  await writeFile(join(app, "empty.ts"), "export {};\n");
});

afterAll(() => rm(app, { recursive: true, force: true }));

/** Runs tsc on one file of the app, as a user who installed the package would. */
function compile(file: string, ...options: string[]) {
  const settings = "--noEmit --strict --target es2022 --lib es2023,dom,dom.iterable".split(" ");
  return run("typescript/bin/tsc", [...settings, ...options, join(app, file)]);
}

describe("an installed package", () => {
  test("costs the compiler few type instantiations for twenty calls", async () => {
    const cost = async (file: string) => {
      const { code, stdout } = await compile(
        file,
        ...["--module", "nodenext", "--skipLibCheck", "--extendedDiagnostics"],
      );
      expect(code, stdout).toBe(0);
      return Number(/^Instantiations: +(\d+)$/m.exec(stdout)![1]);
    };
    const [calls, empty] = [await cost("calls.ts"), await cost("empty.ts")];
    expect(await readFile(join(app, "calls.ts"), "utf8")).toMatch(/(await catalogue\.[^]*){20}/);
    expect(calls - empty).toBeGreaterThan(0);
    expect(calls - empty).toBeLessThanOrEqual(MOST_INSTANTIATIONS);
  });

  test.each([
    ["nodenext", ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
    ["a bundler", ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
  ])(
    "compiles strictly for %s, its own declarations checked too",
    (_, module, moduleResolution) => {
      const options: ts.CompilerOptions = {
        ...{ module, moduleResolution, target: ts.ScriptTarget.ES2022, types: [], noEmit: true },
        ...{ strict: true, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true },
        ...{ skipLibCheck: false, skipDefaultLibCheck: true },
      };
      const program = ts.createProgram([join(app, "calls.ts")], options);
      const checked = program.getSourceFiles().map(({ fileName }) => fileName);
      expect(checked).toContain(join(dist, "index.d.ts"));
      const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
      expect(problems).toEqual([]);
    },
  );

  test("declares nothing as any", async () => {
    const names = (await readdir(dist, { recursive: true })).filter((name) =>
      name.endsWith(".d.ts"),
    );
    expect(names).toContain("index.d.ts");
    expect(names).toContain(join("generated", "schema.d.ts"));
    const found: string[] = [];
    for (const name of names) {
      const text = await readFile(join(dist, name), "utf8");
      const visit = (node: ts.Node): void => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`${name} at ${node.pos}`);
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(name, text, ts.ScriptTarget.ES2022));
    }
    expect(found).toEqual([]);
  });
});
