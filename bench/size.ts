import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type OutputFile } from "esbuild";
import { BUILT, OPENAPI_FETCH, OURS } from "./contenders.js";

export interface Size {
  name: string;
  /** Bytes of the minified bundle, as they are and compressed. */
  minified: number;
  gzip: number;
}

const CLIENT =
  "createCatalogue, paginate, CatalogueError, ApiError, BodyError, ConnectionError, TimeoutError";

/** What a browser loads for a client of all 23 operations, by esbuild. */
export async function measureSizes(): Promise<Size[]> {
  return [
    await sizeOf(OPENAPI_FETCH, 'export { default } from "openapi-fetch"'),
    await sizeOf(OURS, `export { ${CLIENT} } from ${JSON.stringify(fileURLToPath(BUILT))}`),
  ];
}

async function sizeOf(name: string, contents: string): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    ...{ bundle: true, minify: true, write: false, format: "esm", platform: "browser" },
  });
  const [{ text }] = outputFiles as [OutputFile];
  return { name, minified: Buffer.byteLength(text), gzip: gzipSync(text, { level: 9 }).length };
}
