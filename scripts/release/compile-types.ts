import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { readConfig, type Published } from "./surface.js";

/** "Unused '@ts-expect-error'": what was refused is taken now, which breaks nobody. */
const TAKEN_NOW = 2578;

/**
 * Compiles files that import the package by its name against the declarations of a build.
 * @returns what is wrong, one message each, with file and line
 */
export async function compileTypes(
  project: string,
  published: Published,
  files: readonly string[],
): Promise<string[]> {
  await mkdir(join(project, ".tmp"), { recursive: true });
  const dist = await mkdtemp(join(project, ".tmp/types-"));
  try {
    // The sources would do, but users have declarations, in which a type may be lost.
    published.program.emit(
      undefined,
      (file, text) => ts.sys.writeFile(file.replace(join(project, "dist"), dist), text),
      undefined,
      true,
    );
    const { options } = readConfig(join(project, "tsconfig.json"));
    const paths = Object.fromEntries(
      Object.entries(published.entries).map(([name, file]) => [
        name,
        [declaration(dist, project, file)],
      ]),
    );
    const vitest = fileURLToPath(new URL("vitest.d.ts", import.meta.url));
    const program = ts.createProgram([...files], {
      ...options,
      paths: { ...paths, vitest: [vitest] },
      pathsBasePath: project,
      noUnusedLocals: false,
    });
    return ts
      .getPreEmitDiagnostics(program)
      .filter(({ code }) => code !== TAKEN_NOW)
      .map((each) => describe(project, each));
  } finally {
    await rm(dist, { recursive: true, force: true });
  }
}

function declaration(dist: string, project: string, file: string): string {
  const folder = join(dist, relative(join(project, "src"), dirname(file)));
  return join(folder, basename(file).replace(/\.ts$/, ".d.ts"));
}

function describe(project: string, { file, start = 0, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, " ");
  if (!file) return text;
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${relative(project, file.fileName)}:${line + 1}: ${text}`;
}
