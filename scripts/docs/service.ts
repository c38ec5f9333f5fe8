import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redocly } from "../redocly.js";
import { codeSamples, SANDBOX, type Call } from "./calls.js";
import { aboutGap, gapUrl, withNotes } from "./gaps.js";
import { asset, imageUrl, readAsset } from "./page.js";

/** The parts of the OpenAPI document that the page shows differently. */
export interface Document {
  info: { title: string; version: string; summary: string; description: string };
  servers: { url: string; description: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, object & { description: string; tags: string[] }>>;
}

/** One gap in the list at the end of the introduction. */
const GAP = /^\d+\. \*\*(G\d\d)\*\* (.*)\n?/gm;
const LISTENS = "For other languages, npx media-catalogue sandbox listens on";

/** Builds the service reference with Redoc, which keeps the placeholders in its template. */
export async function servicePage(document: Document, calls: readonly Call[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "service-page-"));
  const [input, output] = [join(folder, "catalogue.json"), join(folder, "service.html")];
  try {
    await writeFile(input, JSON.stringify(shownDocument(document, calls)));
    await redocly(
      ...["build-docs", input, "--output", output, "--inlineBundle"],
      ...["--title", `${document.info.title} ${document.info.version}`],
      ...["--template", asset("service.html")],
    );
    const page = await readFile(output, "utf8");
    // Redoc renders links that require a server, and loads its logo from a CDN. This page must work without a server.
    return page
      .replaceAll(/ href="\/(?!\/)/g, ' href="#/')
      .replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/[\w-]+\.svg/g, imageUrl("redoc.svg"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A copy of the document for readers: with samples, notes about gaps and "Try it". */
function shownDocument(document: Document, calls: readonly Call[]): Document {
  const shown = structuredClone(document);
  showGaps(shown);
  shown.info.description = introduction(document.info.description, calls);
  const firstCall = readAsset("first-call.mjs");
  // Redoc shows the server next to the introduction.
  const description = `First call, without a server:\n\n${firstCall}\n${LISTENS}`;
  shown.servers = [{ url: SANDBOX, description }];
  for (const call of calls) {
    const { id, path, method, gaps } = call.operation;
    const operation = shown.paths[path]![method]!;
    const button = `<button type="button" class="try" data-try="${id}">Try it</button>`;
    Object.assign(operation, {
      description: `${withNotes(operation.description, gaps)}\n\n${method === "get" ? button : ""}`,
      servers: [{ url: SANDBOX, description: "The offline sandbox" }],
      "x-codeSamples": codeSamples(call),
    });
  }
  const tags = new Set(Object.values(shown.paths).flatMap((item) => Object.values(item)[0]!.tags));
  shown.tags = shown.tags.filter(({ name }) => tags.has(name));
  return shown;
}

/** The introduction with a section for each gap, and with links to the gaps and operations that it names. */
function introduction(text: string, calls: readonly Call[]): string {
  const links = new Map(calls.map(({ operation, link }) => [operation.id, link]));
  const sections = [...text.matchAll(GAP)].map(([, id = "", words]) => {
    const { title, client } = aboutGap(id);
    const affected = calls.filter(({ operation }) => operation.gaps.some((gap) => gap.id === id));
    const names = affected.map(({ operation, link }) => `[${operation.id}](${link})`);
    const isBroad = names.length === 0 || names.length > calls.length / 2;
    const affects = isBroad ? [] : [`Affects ${names.join(", ")}.`];
    return [`## ${id} ${title}`, words, client, ...affects].join("\n\n");
  });
  const linked = text
    .replaceAll(GAP, "")
    .replace(/^## What this .*$/m, "# Gaps")
    .replaceAll(/\bG\d\d\b/g, (id) => `[${id}](${gapUrl(id)})`)
    .replaceAll(/`(\w+\.\w+)`/g, (code, id: string) =>
      links.has(id) ? `[${code}](${links.get(id)})` : code,
    );
  return [linked.trim(), ...sections].join("\n\n");
}

/** Replaces each gap marker with a note, in place, and sets the type of unions. */
function showGaps(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  const { "x-not-specified": gaps, ...each } = node as {
    "x-not-specified"?: { id: string }[];
  } & Record<string, unknown>;
  Reflect.deleteProperty(node, "x-not-specified");
  // The note of an operation covers its parameters.
  if (gaps && each.description && !each.in) {
    Object.assign(node, { description: withNotes(String(each.description), gaps) });
  }
  // Redoc shows "any" for a union without a type.
  if (each.oneOf && !each.type) Object.assign(node, { type: "object" });
  Object.values(each).forEach(showGaps);
}
