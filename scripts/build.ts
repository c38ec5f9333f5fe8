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
import { build, transformSync, type BuildOptions } from "esbuild";
import ts from "typescript";
import manifest from "../package.json" with { type: "json" };
import { parsed, runMain } from "./command-line.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const targets = Object.values(manifest.exports).filter((target) => typeof target === "object");
const commands = Object.values(manifest.bin).map((file) => join(root, file));
const entries = [...targets.map((target) => join(root, target.default)), ...commands];
const options = {
  absWorkingDir: root,
  bundle: true,
  charset: "utf8",
  format: "esm",
  mainFields: ["module", "main"],
  metafile: true,
  platform: "neutral",
  // Bundles contain the paths of their inputs, which would depend on the machine if links were resolved.
  preserveSymlinks: true,
} satisfies BuildOptions;

const USAGE = `Usage: npm run build

Deletes everything in dist except dist/docs, compiles src into it, bundles the modules of the client into one file, and
removes the modules and declarations that no entry point reaches.

  -h, --help  print this`;

await runMain("npm run build", USAGE, async (args) => {
  parsed(args, {});
  const old = existsSync(dist) ? readdirSync(dist).filter((name) => name !== "docs") : [];
  for (const name of old) rmSync(join(dist, name), { recursive: true });
  const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const child = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], {
    cwd: root,
    stdio: "inherit",
  });
  if (child.status !== 0) {
    console.error("build: src does not compile; fix the errors above. dist is empty now.");
    return 1;
  }
  await bundleClient();
  await inlineJsonParser();
  removeUnreached();
  for (const file of filesIn("")) {
    if (file.endsWith(".js")) reprint(file);
  }
  setModes();
  console.log("wrote dist");
  return 0;
});

/**
 * Bundles the client into one file, because each file adds load time. The other entry points import the client from
 * it, because `instanceof` fails with a second copy of an error class.
 */
async function bundleClient(): Promise<void> {
  const index = join(dist, "index.js");
  await build({
    ...options,
    entryPoints: [index],
    outfile: index,
    allowOverwrite: true,
    packages: "external",
  });
}

/** Inlines jsonc-parser, a development dependency, into the modules that import it. Its license requires a copy. */
async function inlineJsonParser(): Promise<void> {
  const users = filesIn("").filter((file) =>
    /from "jsonc-parser"/.test(file.endsWith(".js") ? readFileSync(file, "utf8") : ""),
  );
  if (users.length === 0) return;
  const modules = join(root, "node_modules/jsonc-parser");
  await build({
    ...options,
    entryPoints: users,
    outdir: dist,
    outbase: dist,
    allowOverwrite: true,
    banner: { js: "// node_modules/jsonc-parser/ is inlined here; see jsonc-parser.LICENSE" },
    minifyWhitespace: true,
    plugins: [
      {
        name: "keep-other-imports",
        setup({ onResolve }) {
          onResolve({ filter: /^/ }, ({ kind, path, importer }) =>
            kind === "entry-point" || path === "jsonc-parser" || importer.startsWith(modules)
              ? undefined
              : { path, external: true },
          );
        },
      },
    ],
  });
  copyFileSync(join(modules, "LICENSE.md"), join(dist, "jsonc-parser.LICENSE"));
}

/** Removes modules and declarations that no entry point imports. */
function removeUnreached(): void {
  const types = targets.map((target) => join(root, target.types));
  const reached = new Set<string>();
  const follow = (file: string) => {
    if (reached.has(file) || !existsSync(file)) return;
    reached.add(file);
    const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"), true, true);
    for (const { fileName } of importedFiles.filter((each) => each.fileName.startsWith("."))) {
      const target = join(dirname(file), fileName);
      follow(file.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target);
    }
  };
  for (const file of [...entries, ...types]) follow(file);
  for (const file of filesIn("")) {
    if (/\.(js|d\.ts)$/.test(file) && !reached.has(file)) rmSync(file);
  }
}

/** Removes comments from modules, because the declarations contain them, and white space from generated modules. */
function reprint(file: string): void {
  const source = readFileSync(file, "utf8");
  if (source.startsWith("// node_modules/")) return;
  const minifyWhitespace = file.startsWith(join(dist, "generated/"));
  writeFileSync(file, transformSync(source, { charset: "utf8", minifyWhitespace }).code);
}

/** npm packs file modes, which depend on the umask of the clone. */
function setModes(): void {
  const others = [...manifest.files, "LICENSE", "README.md", "package.json"]
    .map((name) => join(root, name))
    .filter((file) => file !== dist && existsSync(file));
  for (const file of [...filesIn(""), ...others]) chmodSync(file, 0o644);
  for (const file of commands) chmodSync(file, 0o755);
}

/** The files in a folder of dist, without the docs. */
function filesIn(folder: string): string[] {
  return readdirSync(join(dist, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join(dist, "docs/")));
}
