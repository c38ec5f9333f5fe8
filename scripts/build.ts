/** `npm run build`: builds dist exactly as it is published. Run this script before `npm pack`. */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  build,
  transform,
  type BuildOptions,
  type Metafile,
  type Plugin,
  type TransformOptions,
} from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { parseArguments, runMain } from "./shared/command-line.js";
import { CATALOGUE, FULL } from "./shared/paths.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/** Lines are short, because Node prints the line that throws. */
const COMPACT: TransformOptions = {
  charset: "utf8",
  lineLimit: 200,
  minifySyntax: true,
  minifyWhitespace: true,
};

/** The file that contains all modules in src/client. */
const CLIENT = "dist/chunks/client.js";
/** The entry points of the client. */
const CLIENT_ENTRIES = ["src/index.ts", "src/full/index.ts"];

/** The esbuild settings of every bundle. */
const SETTINGS = {
  absWorkingDir: root,
  bundle: true,
  charset: "utf8",
  format: "esm",
  target: "es2022",
  mainFields: ["module", "main"],
  platform: "neutral",
  external: ["node:*", ...Object.keys(manifest.dependencies)],
  metafile: true,
  // If node_modules is a symbolic link, this option keeps the link's target from changing the chunk names.
  preserveSymlinks: true,
} satisfies BuildOptions;

const USAGE = `Usage: npm run build

Deletes everything in dist except dist/docs, bundles the entry points in src, and writes the type declarations, and the
descriptions with example responses. Also writes a folder for each entry point, such as full/, for tools that ignore
\`exports\`.

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
  // The package omits the declarations of the generated JavaScript, because no published declaration imports them.
  // In all other generated declarations, a narrower indentation makes the package 4% smaller.
  const generated = join(dist, "generated");
  for (const name of readdirSync(generated)) {
    const file = join(generated, name);
    if (existsSync(join(root, "src/generated", name.replace(/d\.ts$/, "js")))) rmSync(file);
    else writeFileSync(file, readFileSync(file, "utf8").replaceAll(/^(?: {4})+/gm, narrow));
  }
  await bundle();
  await writeDescriptions();
  writeEntryFolders();
  console.log("wrote dist");
  return 0;
});

/**
 * Bundles the client into one file, so that each class exists only once, and the entry points, which import this file.
 * Code that the other entry points share becomes a chunk. The client's entry points use no chunks, because every file
 * takes about 1 ms to import.
 */
async function bundle(): Promise<void> {
  // `exports.ts` only lists what the entry points export, so it belongs to the entry points.
  const names = readdirSync(join(root, "src/client")).filter(
    (name) => name.endsWith(".ts") && name !== "exports.ts",
  );
  const contents = names.map((name) => `export * from "./src/client/${name}";`).join("\n");
  const client = await build({
    ...SETTINGS,
    stdin: { contents, resolveDir: root },
    outfile: CLIENT,
  });
  const modules = Object.values(manifest.exports).filter((target) => typeof target === "object");
  const targets = [...modules.map((target) => target.default), ...Object.values(manifest.bin)];
  const entries = targets.map((file) =>
    posix.normalize(file).replace("dist/", "src/").replace(/js$/, "ts"),
  );
  const others = entries.filter((entry) => !CLIENT_ENTRIES.includes(entry));
  const plugins = [replaceImports(Object.keys(client.metafile.inputs))];
  const settings = { ...SETTINGS, outdir: dist, outbase: "src", plugins };
  const entryPoints = await build({ ...settings, entryPoints: CLIENT_ENTRIES });
  const { metafile } = await build({
    ...settings,
    entryPoints: [...new Set(others), ...generatedData()],
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
  });
  await compactData(metafile.outputs);
  linkClient({ ...entryPoints.metafile.outputs, ...metafile.outputs });
  // The licenses of inlined packages require a copy of the license text.
  const inlined = Object.keys(metafile.inputs)
    .join("\n")
    .matchAll(/^node_modules\/([\w-]+)\//gm);
  for (const [, name] of inlined) {
    copyFileSync(join(root, `node_modules/${name}/LICENSE.md`), join(dist, `${name}.LICENSE`));
  }
}

/** Replaces each level of an indentation, which has four spaces, with one space. */
function narrow(indentation: string): string {
  return " ".repeat(indentation.length / 4);
}

/** Writes the descriptions with example responses. */
async function writeDescriptions(): Promise<void> {
  // These modules import src, which might not compile when the build starts.
  const { readDescription } = await import("./description/description.js");
  const { withExamples } = await import("./shared/with-examples.js");
  for (const file of [CATALOGUE, FULL]) {
    const { document } = await readDescription(join(root, file));
    const name = basename(file, ".yaml");
    writeFileSync(join(dist, `${name}.openapi.json`), JSON.stringify(withExamples(document)));
  }
}

/** Writes a folder for each entry point, for tools that ignore `exports`, such as older versions of Metro. */
function writeEntryFolders(): void {
  for (const [name, target] of Object.entries(manifest.exports)) {
    if (typeof target === "string" || name === ".") continue;
    const [main, types] = [target.default, target.types].map((file) => posix.relative(name, file));
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, "package.json"), JSON.stringify({ main, types }));
  }
}

/** Replaces imports of the client's modules with imports of `CLIENT`. */
function replaceImports(clientModules: readonly string[]): Plugin {
  return {
    name: "replace-imports",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
        const module = relative(root, resolve(resolveDir, path)).replaceAll("\\", "/");
        if (!clientModules.includes(module.replace(/js$/, "ts"))) return undefined;
        return { path: CLIENT, external: true, sideEffects: false };
      });
    },
  };
}

/** Makes the imports of `CLIENT` relative to the importing files, because esbuild does not change external paths. */
function linkClient(outputs: Metafile["outputs"]): void {
  for (const [file, { imports }] of Object.entries(outputs)) {
    if (!imports.some(({ path }) => path === CLIENT)) continue;
    const specifier = posix.relative(posix.dirname(file), CLIENT).replace(/^(?!\.)/, "./");
    const path = join(root, file);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll(`"${CLIENT}"`, `"${specifier}"`));
  }
}

/** Lists the modules in src/generated that nobody reads: validators, descriptions, and example responses. */
function generatedData(): string[] {
  const names = readdirSync(join(root, "src/generated"));
  return names
    .filter((name) => /(validators\.js|description\.ts|responses\.ts)$/.test(name))
    .map((name) => `src/generated/${name}`);
}

/** Removes the whitespace from files that contain only generated data and its validators. All other files stay readable. */
async function compactData(outputs: Metafile["outputs"]): Promise<void> {
  // A dynamic import needs the file of its module. The contents of all other data are in chunks.
  const imports = new Set(
    Object.values(outputs).flatMap((each) => each.imports.map(({ path }) => path)),
  );
  for (const [file, { inputs, entryPoint }] of Object.entries(outputs)) {
    const path = join(root, file);
    if (entryPoint?.startsWith("src/generated/") && !imports.has(file)) rmSync(path);
    else if (Object.keys(inputs).every((input) => /^(src\/generated|node_modules)\//.test(input)))
      writeFileSync(path, (await transform(readFileSync(path, "utf8"), COMPACT)).code);
  }
}
