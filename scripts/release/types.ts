import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** "Unused '@ts-expect-error'": what failed to compile now compiles, which breaks nobody. */
const UNUSED_EXPECT_ERROR = 2578;

/**
 * Compiles the type tests of the last release against the current sources, and compares the exported names.
 * @param folder what `extract` made
 * @returns each incompatible change
 */
export async function incompatible(project: string, folder: string): Promise<string[]> {
  const tests = (await readdir(join(folder, "test/types")))
    .filter((name) => name.endsWith(".test-d.ts"))
    .map((name) => join(folder, "test/types", name));
  const [before, after] = [entriesOf(folder, "released"), entriesOf(project, "src")];
  const sources = [...Object.values(before), ...Object.values(after)];
  const files = [...sources.filter((file) => file.endsWith(".ts")), ...tests];
  const program = ts.createProgram(files, optionsOf(project));
  const gone = Object.entries(before).flatMap(([entry, file]) => {
    if (!(entry in after)) return `package.json no longer exports ${entry}`;
    const names = exportsOf(program, after[entry]);
    const missing = exportsOf(program, file).filter((name) => !names.includes(name));
    return missing.map((name) => `${entry} no longer exports ${name}`);
  });
  const errors = tests
    .flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
    .filter(({ code }) => code !== UNUSED_EXPECT_ERROR)
    .map(({ file, start = 0, messageText }) => {
      const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
      const message = ts.flattenDiagnosticMessageText(messageText, "\n");
      return `${relative(folder, file?.fileName ?? "")}:${line}: ${message}`;
    });
  return [...gone, ...errors];
}

/** The source of each entry point in package.json. */
function entriesOf(folder: string, sources: string): Record<string, string> {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    exports: Record<string, string | { types: string }>;
  };
  const entries = Object.entries(exports).map(([entry, target]) => {
    const file = typeof target === "string" ? target : target.types;
    return [entry, join(folder, file.replace("dist", sources).replace(/\.d\.ts$/, ".ts"))];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

function optionsOf(project: string): ts.CompilerOptions {
  const file = join(project, "tsconfig.json");
  const { config } = ts.readConfigFile(file, ts.sys.readFile) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, project);
  const vitest = fileURLToPath(new URL("vitest.d.ts", import.meta.url));
  return { ...options, paths: { vitest: [vitest] }, noUnusedLocals: false };
}

function exportsOf(program: ts.Program, file: string | undefined): string[] {
  const source = file === undefined ? undefined : program.getSourceFile(file);
  const symbol = source && program.getTypeChecker().getSymbolAtLocation(source);
  return symbol
    ? program
        .getTypeChecker()
        .getExportsOfModule(symbol)
        .map(({ name }) => name)
    : [];
}
