import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readDescription } from "../generate/description.js";
import { callOf } from "./calls.js";
import { commonParts, filled, readAsset, sealed } from "./page.js";
import { observedPage } from "./observed.js";
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
  // Redocly runs in a separate process in the meantime.
  const service = servicePage(document, calls);
  const { buildClientReference } = await import("./client.js");
  const client = await buildClientReference(project, join(folder, "client"));
  const { landingParts, llmsParts } = await import("./landing.js");
  const { summary } = document.info;
  const parts = { ...(await commonParts(calls)), summary };
  const landing = { ...landingParts(calls, client), ...parts };
  const files = {
    "index.html": sealed(filled(readAsset("index.html"), landing)),
    "observed.html": sealed(filled(observedPage(readAsset("index.html")), landing)),
    "service.html": sealed(filled(await service, parts)),
    "llms.txt": filled(readAsset("llms.txt"), { ...llmsParts(calls), summary }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}
