import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exampleResponses } from "../../src/generated/example-responses.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { readDescription } from "../description/description.js";
import type { MethodModel } from "../description/read-operations.js";
import { exampleOf } from "../generate/example.js";
import { redocly } from "../shared/redocly.js";
import { withExamples } from "../shared/with-examples.js";

/** The logo that Redoc loads from another host. No option changes its URL. */
const LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;

/**
 * Builds Redoc's page for a description, with a TypeScript sample and an example response for each operation. The page
 * is a single file that loads nothing from other hosts.
 * @param entry the module whose client the samples create
 */
export async function buildRedoc(file: string, entry: string, page: string): Promise<void> {
  const description = await readDescription(file);
  const document = withExamples(description.document);
  const used = new Set<string>();
  for (const operation of description.operations) {
    const node = getAtPointer(document, operation.pointer) as { tags: string[] };
    for (const tag of node.tags) used.add(tag);
    const source = sampleOf(operation, entry);
    Object.assign(node, { "x-codeSamples": [{ lang: "TypeScript", source }] });
  }
  // Redoc's menu would show a tag without operations as an empty section.
  const all = getAtPointer(document, "/tags") as { name: string }[];
  const tags = all.filter(({ name }) => used.has(name));
  const servers = [{ url: "http://localhost:4010", description: "The local sandbox" }];
  const copy = `${page}.json`;
  await writeFile(copy, JSON.stringify(Object.assign(document as object, { tags, servers })));
  const template = join(import.meta.dirname, "../../docs/redoc.hbs");
  await redocly(["build-docs", copy, "--output", page, "--inlineBundle", "--template", template]);
  await rm(copy);
  const html = await readFile(page, "utf8");
  await writeFile(page, html.replaceAll(LOGO, "../favicon.svg"));
}

/** Returns a program that creates a client and calls the operation. */
function sampleOf(operation: MethodModel, entry: string): string {
  return [
    `import { createCatalogue } from "${entry}";`,
    "",
    "const catalogue = createCatalogue({ baseUrl, token });",
    `const result = ${exampleOf(operation, exampleResponses) ?? `await catalogue.${operation.id}();`}`,
  ].join("\n");
}
