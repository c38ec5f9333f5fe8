import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { readDescription } from "../generate/description.js";
import { gapsOf } from "../generate/read-operations.js";
import { callOf, type Call } from "./calls.js";
import { llmsText } from "./llms.js";
import { asset, fillTemplate, header, imageUrl, readAsset } from "./page.js";
import { buildPages } from "./pages.js";
import { servicePage, type Document } from "./service.js";

/** Writes every page of the docs to a folder, replacing its content. The same input produces the same bytes. */
export async function buildDocs(project: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const description = await readDescription(join(project, "openapi/catalogue.yaml"));
  const document = description.document as unknown as Document;
  const calls = description.operations.map((operation) =>
    callOf(operation, document.paths[operation.path]![operation.method]!.tags[0]!),
  );
  const [service, scripts] = await Promise.all([
    // Redocly runs in a separate process.
    servicePage(document, calls),
    bundleScripts(calls),
    buildPages(project, folder, calls, gapsOf(description.document, [""])),
  ]);
  const { summary } = document.info;
  const files = {
    ...scripts,
    "llms.txt": await llmsText(project, calls, summary),
    "service.html": fillTemplate(service, {
      ...scripts,
      "header.html": header("service.html"),
      "site.css": readAsset("site.css"),
      "redoc.css": readAsset("redoc.css"),
      icon: imageUrl("favicon.svg"),
      summary,
    }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** The scripts of the pages, by name. */
async function bundleScripts(calls: readonly Call[]): Promise<Record<string, string>> {
  const requests = calls.map(({ request, cases }) => ({ ...request, cases }));
  const names = ["site", "try"];
  const { outputFiles } = await build({
    entryPoints: names.map((name) => asset(`${name}.ts`)),
    ...{ bundle: true, minify: true, format: "iife", target: "es2022", write: false, outdir: "." },
    define: { CALLS: JSON.stringify(requests) },
  });
  return Object.fromEntries(names.map((name, index) => [`${name}.js`, outputFiles[index]!.text]));
}
