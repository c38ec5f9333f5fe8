/** `npm run build`: builds dist exactly as it is published. Run this script before `npm pack`. */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform, type Metafile, type TransformOptions } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { parseArguments, runMain } from "./shared/command-line.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/** Lines are short, because Node prints the line that throws. */
const COMPACT: TransformOptions = {
  charset: "utf8",
  lineLimit: 200,
  minifySyntax: true,
  minifyWhitespace: true,
};

const USAGE = `Usage: npm run build

Deletes everything in dist except dist/docs, bundles the entry points in src, and writes the type declarations.

  -h, --help  print this help`;

await runMain("npm run build", USAGE, async (args) => {
  parseArguments(args, {});
  const old = existsSync(dist) ? readdirSync(dist).filter((name) => name !== "docs") : [];
  for (const name of old) rmSync(join(dist, name), { recursive: true });
  const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) {
    console.error("build: src does not compile, so nothing was built; fix the errors above");
    return 1;
  }
  // The package omits the declarations of the validators, because no published declaration imports them.
  const generated = join(dist, "generated");
  for (const name of readdirSync(generated)) {
    if (name.endsWith("validators.d.ts")) rmSync(join(generated, name));
  }
  await bundle();
  console.log("wrote dist");
  return 0;
});

/** Bundles the entry points. Puts shared code into chunks, so that each class exists only once. */
async function bundle(): Promise<void> {
  const modules = Object.values(manifest.exports).filter((target) => typeof target === "object");
  const entries = [...modules.map((target) => target.default), ...Object.values(manifest.bin)];
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      ...new Set(entries.map((file) => file.replace("dist/", "src/").replace(/js$/, "ts"))),
      ...generatedData(),
    ],
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
    // If node_modules is a symbolic link, this option keeps the link's target from changing the chunk names.
    preserveSymlinks: true,
  });
  await compactData(metafile.outputs);
  // The licenses of inlined packages require a copy of the license text.
  const inlined = Object.keys(metafile.inputs)
    .join("\n")
    .matchAll(/^node_modules\/([\w-]+)\//gm);
  for (const [, name] of inlined) {
    copyFileSync(join(root, `node_modules/${name}/LICENSE.md`), join(dist, `${name}.LICENSE`));
  }
}

/** Lists the modules in src/generated that nobody reads: validators, descriptions, and example responses. */
function generatedData(): string[] {
  const names = readdirSync(join(root, "src/generated"));
  return names
    .filter((name) => /(validators\.js|description\.ts|responses\.ts|samples\.ts)$/.test(name))
    .map((name) => `src/generated/${name}`);
}

/** Removes the whitespace from files that contain only generated data and its validators. All other files stay readable. */
async function compactData(outputs: Metafile["outputs"]): Promise<void> {
  // A dynamic import needs the file of its module. The contents of all other data are in chunks.
  const imports = Object.values(outputs).flatMap((each) => each.imports.map(({ path }) => path));
  for (const [file, { inputs, entryPoint }] of Object.entries(outputs)) {
    const path = join(root, file);
    if (entryPoint?.startsWith("src/generated/") && !imports.includes(file)) rmSync(path);
    else if (Object.keys(inputs).every((input) => /^(src\/generated|node_modules)\//.test(input)))
      writeFileSync(path, (await transform(readFileSync(path, "utf8"), COMPACT)).code);
  }
}
