import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import ts from "typescript";
import { root } from "../support/paths.js";

/** Compiles the client as `npm run build` does, into the node_modules of an app, beside its dependencies. */
export async function installPackage(app: string): Promise<string> {
  const modules = join(app, "node_modules");
  const installed = join(modules, "media-catalogue");
  const dist = join(installed, "dist");
  await mkdir(dist, { recursive: true });
  await writeFile(join(app, "package.json"), JSON.stringify({ type: "module" }));
  await copyFile(join(root, "package.json"), join(installed, "package.json"));
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"]) {
    await symlink(join(root, "node_modules", name), join(modules, name), "junction");
  }
  const { options } = readConfig("tsconfig.build.json");
  const program = ts.createProgram([join(root, "src/index.ts")], { ...options, outDir: dist });
  const { emitSkipped } = program.emit();
  if (emitSkipped) throw new Error("the client was not compiled");
  return dist;
}

/** The compiler options of a tsconfig of the project. */
export function readConfig(name: string): ts.ParsedCommandLine {
  const file = join(root, name);
  return ts.parseJsonConfigFileContent(
    ts.readConfigFile(file, ts.sys.readFile).config,
    ts.sys,
    dirname(file),
  );
}
