import { join } from "node:path";
import { build, type BuildOptions, type Metafile, type OutputFile } from "esbuild";
import { root } from "../support/paths.js";

/** An app that imports the client, paging and the errors, with all operations. */
export const ENTRY = `export { ${[
  "createCatalogue",
  "paginate",
  "CatalogueError",
  "ApiError",
  "BodyError",
  "ConnectionError",
  "TimeoutError",
].join(", ")} } from "./src/index.ts";`;

interface Bundle {
  text: string;
  metafile: Metafile;
  warnings: string[];
}

/** Bundles a module for browsers as an app would: minified, and without Node APIs. */
export async function bundle(
  module: Pick<BuildOptions, "entryPoints" | "stdin"> = {
    stdin: { contents: ENTRY, resolveDir: root, loader: "ts" },
  },
): Promise<Bundle> {
  const { outputFiles, metafile, warnings } = await build({
    ...module,
    ...{ bundle: true, minify: true, write: false, metafile: true, outdir: "." },
    ...{ format: "esm", platform: "browser", logLevel: "silent" },
  });
  const [{ text }] = outputFiles as [OutputFile];
  return { text, metafile, warnings: warnings.map((warning) => warning.text) };
}

/** Bundles a file of this folder together with the client. */
export function bundleFile(name: string): Promise<Bundle> {
  return bundle({ entryPoints: [join(import.meta.dirname, name)] });
}
