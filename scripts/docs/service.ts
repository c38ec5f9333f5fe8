import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redocly } from "../redocly.js";
import type { Call } from "./calls.js";
import { gapUrl, linkGaps } from "./gaps.js";
import { asset, readAsset } from "./page.js";
import { curlSample, SANDBOX, typescriptSample } from "./samples.js";

/** The parts of the OpenAPI document that the page shows differently. */
export interface Document {
  info: { title: string; version: string; summary: string; description: string };
  servers: { url: string; description: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, object & { description: string; tags: string[] }>>;
  components: { schemas: Record<string, Schema> };
}

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
}

/** The operations that have a section on the page of observed facts. */
const OBSERVED = new Set(readAsset("../observed.md").match(/(?<=^## )\w+\.\w+$/gm));

/** Builds the service reference with Redoc, which keeps the placeholders in its template. */
export async function servicePage(document: Document, calls: readonly Call[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "service-page-"));
  const [input, output] = [join(folder, "catalogue.json"), join(folder, "service.html")];
  try {
    await writeFile(input, JSON.stringify(annotated(document, calls)));
    await redocly(
      ...["build-docs", input, "--output", output, "--inlineBundle"],
      ...["--title", `${document.info.title} ${document.info.version}`],
      ...["--template", asset("templates/service.html")],
    );
    const page = await readFile(output, "utf8");
    // Redoc's links require a server, and its logo comes from a CDN. This page must work offline, from a file.
    // No option of Redoc expands the operations in its menu.
    return page
      .replace("expanded:`expanded`in e?e.expanded:void 0", "expanded:`true`")
      .replaceAll(/ href="\/(?!\/)/g, ' href="#/')
      .replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/[\w-]+\.svg/g, "redoc.svg");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A copy of the document with samples, "Try it", and links to the other pages. */
function annotated(document: Document, calls: readonly Call[]): Document {
  const copy = structuredClone(document);
  annotate(copy, copy.components.schemas);
  copy.info.description = introduction(document.info.description, calls);
  copy.servers = [{ url: SANDBOX, description: "The sandbox: npx media-catalogue sandbox" }];
  for (const { operation, signature, clientLink, request } of calls) {
    const { id, path, method, gaps } = operation;
    const described = copy.paths[path]![method]!;
    const facts = `observed-facts.html#${id.replace(".", "").toLowerCase()}`;
    const notes = [
      described.description,
      `**Client:** [\`${signature}\`](${clientLink})`,
      gaps.length > 0 && `**Not specified:** ${linkGaps(gaps.map((gap) => gap.id))}`,
      OBSERVED.has(id) && `**Observed:** [facts about ${id}](${facts})`,
      `<button type="button" class="try" data-try="${id}">Try it</button>`,
    ];
    Object.assign(described, {
      description: notes.filter(Boolean).join("\n\n"),
      "x-codeSamples": [
        { lang: "TypeScript", source: typescriptSample(request) },
        { lang: "Shell", label: "curl", source: curlSample(request) },
      ],
    });
  }
  const tags = new Set(Object.values(copy.paths).flatMap((item) => Object.values(item)[0]!.tags));
  copy.tags = copy.tags.filter(({ name }) => tags.has(name));
  return copy;
}

/** The introduction, with links to the gaps and operations that it names, and without the list of gaps. */
function introduction(text: string, calls: readonly Call[]): string {
  const links = new Map(calls.map(({ operation, link }) => [`\`${operation.id}\``, link]));
  return text
    .replace(/^## What this description does not know$[^]*/m, "")
    .replaceAll(/\bG\d\d\b/g, (id) => `[${id}](${gapUrl(id)})`)
    .replaceAll(/`\w+\.\w+`/g, (code) =>
      links.has(code) ? `[${code}](${links.get(code)})` : code,
    );
}

/** Adds to each description what Redoc does not show: `x-` marks and the fields of a map's values. */
function annotate(node: unknown, schemas: Document["components"]["schemas"]): void {
  if (typeof node !== "object" || node === null) return;
  const each = node as Record<string, unknown>;
  const gaps = each["x-not-specified"] as { id: string }[] | undefined;
  const map = each["additionalProperties"] as Schema | undefined;
  const { properties = {} } = schemas[map?.$ref?.split("/").at(-1) ?? ""] ?? {};
  const fields = Object.keys(properties).map((name) => `\`${name}\``);
  const notes = [
    each["description"],
    fields.length > 0 && `Fields of each value: ${fields.join(", ")}.`,
    each["x-sensitive"] === true && "**Sensitive:** the recorder and the contract gate redact it.",
    // The note of an operation covers its parameters.
    gaps && !each["in"] && `**Not specified:** ${linkGaps(gaps.map(({ id }) => id))}`,
  ].filter(Boolean);
  if (typeof each["description"] === "string") each["description"] = notes.join("\n\n");
  // Redoc shows "any" for a union without a type.
  if (each["oneOf"]) each["type"] ??= "object";
  for (const value of Object.values(each)) annotate(value, schemas);
}
