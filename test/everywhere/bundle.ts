import { join } from "node:path";
import { build, type BuildOptions } from "esbuild";
import { root } from "../support/paths.js";

/** Returns an app that imports the client, `paginate`, and the error classes from an entry point. */
export function appOf(path: string) {
  const contents = `export {
    createCatalogue, paginate, CatalogueError, ApiError, InvalidJsonError, ConnectionError, TimeoutError
  } from "${path}";`;
  return { stdin: { contents, resolveDir: root, loader: "ts" } } as const;
}

/** Bundles and minifies a module for browsers, without Node APIs. */
export async function bundle(
  module: Pick<BuildOptions, "entryPoints" | "stdin"> = appOf("./src/index.ts"),
) {
  const { outputFiles, metafile, warnings } = await build({
    ...module,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: ".",
    format: "esm",
    platform: "browser",
    logLevel: "silent",
    // The paths of dependencies start with node_modules even if that folder is a link.
    preserveSymlinks: true,
  });
  return { text: outputFiles[0]!.text, metafile, warnings };
}

/** Bundles a file in this folder together with the client. */
export function bundleFile(name: string) {
  return bundle({ entryPoints: [join(import.meta.dirname, name)] });
}
