import { join } from "node:path";
import { build, type BuildOptions } from "esbuild";
import { root } from "../support/paths.js";

/** An app that imports the client with all operations, paging, and the errors. */
const ENTRY = `export {
  createCatalogue, paginate, CatalogueError, ApiError, BodyError, ConnectionError, TimeoutError
} from "./src/index.ts";`.replaceAll(/\s+/g, " ");

const APP = { stdin: { contents: ENTRY, resolveDir: root, loader: "ts" } } as const;

/** Bundles a module for browsers as an app would: minified, and without Node APIs. */
export async function bundle(module: Pick<BuildOptions, "entryPoints" | "stdin"> = APP) {
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
  });
  return { text: outputFiles[0]!.text, metafile, warnings };
}

/** Bundles a file of this folder together with the client. */
export function bundleFile(name: string) {
  return bundle({ entryPoints: [join(import.meta.dirname, name)] });
}
