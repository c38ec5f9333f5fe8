/** `npm run build`: builds dist as it is published. npm runs it before it packs. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript";
import manifest from "../package.json" with { type: "json" };
import { parsed, runMain } from "./command-line.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const targets = Object.values(manifest.exports).filter((target) => typeof target === "object");
const commands = Object.values(manifest.bin);

const USAGE = `Usage: npm run build

Deletes everything in dist except dist/docs, bundles the entry points in src, and writes the declarations that they reach.

  -h, --help  print this`;

await runMain("npm run build", USAGE, async (args) => {
  parsed(args, {});
  const old = existsSync(dist) ? readdirSync(dist).filter((name) => name !== "docs") : [];
  for (const name of old) rmSync(join(dist, name), { recursive: true });
  const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) {
    console.error("build: src does not compile; fix the errors above. dist is empty now.");
    return 1;
  }
  await bundle();
  trimDeclarations();
  setModes();
  console.log("wrote dist");
  return 0;
});

/** Bundles the entry points. Code that several of them use is in one chunk, so each class exists once. */
async function bundle(): Promise<void> {
  const entries = new Set([...targets.map((target) => target.default), ...commands]);
  const { inputs } = (
    await build({
      absWorkingDir: root,
      entryPoints: [...entries].map((file) => file.replace("dist/", "src/").replace(/js$/, "ts")),
      outdir: dist,
      outbase: "src",
      chunkNames: "chunks/[name]-[hash]",
      bundle: true,
      splitting: true,
      charset: "utf8",
      format: "esm",
      target: "es2022",
      mainFields: ["module", "main"],
      platform: "neutral",
      external: ["node:*", ...Object.keys(manifest.dependencies)],
      metafile: true,
      // Stack traces show names, and Node prints the line that throws.
      lineLimit: 200,
      minifySyntax: true,
      minifyWhitespace: true,
      // Otherwise, the names of chunks would depend on the machine if node_modules is a link.
      preserveSymlinks: true,
    })
  ).metafile;
  // The license of inlined code requires a copy.
  for (const [, name] of Object.keys(inputs)
    .join("\n")
    .matchAll(/^node_modules\/([\w-]+)\//gm)) {
    copyFileSync(join(root, `node_modules/${name}/LICENSE.md`), join(dist, `${name}.LICENSE`));
  }
}

/** Removes declarations that no entry point reaches, and indents the others with tabs, which are smaller. */
function trimDeclarations(): void {
  const reached = new Set<string>();
  const follow = (file: string) => {
    if (reached.has(file) || !existsSync(file)) return;
    reached.add(file);
    const text = readFileSync(file, "utf8");
    const tabs = text.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
    writeFileSync(file, tabs);
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith(".")) follow(join(dirname(file), fileName.replace(/\.js$/, ".d.ts")));
    }
  };
  for (const { types } of targets) follow(join(root, types));
  for (const file of filesInDist()) {
    if (file.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
  }
}

/** npm packs file modes, which depend on the umask of the clone. */
function setModes(): void {
  const others = [...manifest.files, "LICENSE", "README.md", "package.json"]
    .map((name) => join(root, name))
    .filter((file) => file !== dist && existsSync(file));
  for (const file of [...filesInDist(), ...others]) chmodSync(file, 0o644);
  for (const file of commands) chmodSync(join(root, file), 0o755);
}

/** The files in dist, without the docs. */
function filesInDist(): string[] {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join(dist, "docs/")));
}
