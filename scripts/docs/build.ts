import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { readDescription } from "../generate/description.js";
import { gapsOf } from "../generate/read-operations.js";
import { callOf } from "./calls.js";
import { llmsText } from "./llms.js";
import { asset, fillTemplate, siteHeader } from "./page.js";
import { buildPages } from "./pages.js";
import { servicePage, type Document } from "./service.js";

/** Writes every page of the docs to a folder, replacing its content. The same input produces the same bytes. */
export async function buildDocs(project: string, folder: string): Promise<void> {
  const description = await readDescription(join(project, "openapi/catalogue.yaml"));
  const document = description.document as unknown as Document;
  const calls = description.operations.map((operation) =>
    callOf(operation, document.paths[operation.path]![operation.method]!.tags[0]!),
  );
  const [service] = await Promise.all([
    // Redocly runs in a separate process.
    servicePage(document, calls),
    // TypeDoc empties the folder first.
    buildPages(project, folder, calls, gapsOf(description.document, [""])),
  ]);
  const files = {
    "service.html": fillTemplate(service, { header: siteHeader("service.html", "") }),
    "llms.txt": await llmsText(project, calls),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  for (const name of ["redoc.css", "redoc.svg"]) await copyFile(asset(name), join(folder, name));
  const requests = calls.map(({ request, cases }) => ({ ...request, cases }));
  await build({
    entryPoints: [asset("site.ts"), asset("try.ts")],
    ...{ bundle: true, minify: true, format: "iife", target: "es2022", outdir: folder },
    define: { CALLS: JSON.stringify(requests) },
  });
}
