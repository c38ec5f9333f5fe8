import { join } from "node:path";
import { build, type BuildOptions } from "esbuild";
import { root } from "../support/paths.js";

/** The source code of an app that imports the client, `paginate`, and the error classes. */
const ENTRY = `export {
  createCatalogue, paginate, CatalogueError, ApiError, InvalidJsonError, ConnectionError, TimeoutError
} from "./src/index.ts";`.replaceAll(/\s+/g, " ");

const APP = { stdin: { contents: ENTRY, resolveDir: root, loader: "ts" } } as const;

/** Bundles and minifies a module for browsers, without Node APIs. */
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

/** Bundles a file in this folder together with the client. */
export function bundleFile(name: string) {
  return bundle({ entryPoints: [join(import.meta.dirname, name)] });
}
