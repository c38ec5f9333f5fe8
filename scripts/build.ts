/** `npm run build`: builds dist exactly as it is published. npm runs this script before packing the package. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { parseArguments, runMain } from "./shared/command-line.js";
import { packageLlmsText } from "./docs/llms.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

const USAGE = `Usage: npm run build

Deletes everything in dist except dist/docs, bundles the entry points in src, and writes the type declarations and
llms.txt.

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
  writeFileSync(join(dist, "llms.txt"), await packageLlmsText(root));
  console.log("wrote dist");
  return 0;
});

/** Bundles the entry points. Puts shared code into chunks, so that each class exists only once. */
async function bundle(): Promise<void> {
  const modules = Object.values(manifest.exports).filter((target) => typeof target === "object");
  const entries = [
    ...modules.map((target) => target.default),
    ...Object.values(manifest.bin),
  ];
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...new Set(entries)].map((file) =>
      file.replace("dist/", "src/").replace(/js$/, "ts"),
    ),
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
    // Names are not minified, because stack traces show them. Lines are short, because Node prints the line that
    // throws.
    lineLimit: 200,
    minifySyntax: true,
    minifyWhitespace: true,
    // If node_modules is a symbolic link, this option keeps the link's target from changing the chunk names.
    preserveSymlinks: true,
  });
  // The licenses of inlined packages require a copy of the license text.
  const inlined = Object.keys(metafile.inputs)
    .join("\n")
    .matchAll(/^node_modules\/([\w-]+)\//gm);
  for (const [, name] of inlined) {
    copyFileSync(join(root, `node_modules/${name}/LICENSE.md`), join(dist, `${name}.LICENSE`));
  }
}
