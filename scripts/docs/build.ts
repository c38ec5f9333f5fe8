import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { getAtPointer } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import { readDescription } from "../description/description.js";
import { listGaps } from "../../src/openapi/gaps.js";
import { listEvidence, readEvidenceFiles } from "../evidence/evidence-files.js";
import { summarizeEvidence } from "../evidence/summarize-evidence.js";
import { redocly } from "../shared/redocly.js";
import { readCalls } from "./calls.js";
import { clientPage } from "./client-page.js";
import { readDeclarations } from "./declarations.js";
import { documentPages } from "./documents.js";
import { fillGaps, gapUrl } from "./gaps.js";
import { llmsText } from "./llms.js";
import { renderMarkdown } from "./markdown.js";
import { asset, renderPage, type Hit, type Page } from "./page.js";
import { methodPage, methodsPage, typePages, type Reference } from "./reference.js";

/** Replaces the content of a folder with the pages of the docs. The same input always produces identical files. */
export async function buildDocs(project: string, folder: string): Promise<void> {
  const read = (name: string) => readDescription(join(project, `openapi/${name}.yaml`));
  const [specification, full] = await Promise.all([read("catalogue"), read("full")]);
  const calls = readCalls(full, specification);
  const urls = new Map(calls.map(({ operation, url }) => [operation.id, url]));
  /** Adds links to the gaps and operations that Markdown text mentions. */
  const linked = (markdown: string) =>
    markdown
      .replaceAll(/(?<![[\w#])G\d\d\b(?! +[^ |])/g, (id) => `[${id}](${gapUrl(id)})`)
      .replaceAll(/(?<!\[)`(\w+\.\w+)`/g, (code, id: string) =>
        urls.has(id) ? `[${code}](${urls.get(id)})` : code,
      );
  const text = (markdown: string) => renderMarkdown(linked(markdown)).html;

  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const documents = await documentPages(project, folder, (name, markdown) => {
    if (name === "docs/site/gaps")
      return linked(fillGaps(markdown, listGaps(specification.document, [""]), calls));
    return name === "docs/evidence" ? linked(markdown) : markdown;
  });
  const operations = full.operations.map(({ operation }) => operation);
  const files = readEvidenceFiles(join(project, "test/evidence"));
  const evidence = summarizeEvidence(listEvidence(files, operations), operations);
  const reference: Reference = {
    full: full.document,
    specification: specification.document,
    calls,
    text,
    evidence: new Map(evidence.map((each) => [each.id, each])),
  };
  const declarations = readDeclarations(project);
  const client = clientPage(declarations, text);
  const types = typePages(reference);
  const service = servicePage(specification.document, linked);
  // The menu lists the sections in the order of their first pages.
  const [start, others] = [documents.filter(isStart), documents.filter((each) => !isStart(each))];
  const pages = [
    ...start,
    methodsPage(reference),
    ...types.pages,
    client.page,
    service,
    ...others,
    ...calls.map((call) => methodPage(call, reference)),
  ];
  const hits = [
    ...calls.map(({ operation, url, title }): Hit => {
      const { id, method, path } = operation;
      return [id, `Method: ${title}. ${method.toUpperCase()} ${path}`, url];
    }),
    ...types.pages.map(({ title, url }): Hit => [title, "Type", url]),
    ...client.hits,
    ...[...documents, service].flatMap(pageHits),
    ...types.hits,
  ];
  for (const page of pages) await writeFile(join(folder, page.url), renderPage(page, pages, calls));
  await writeFile(join(folder, "search-index.js"), `SEARCH = ${JSON.stringify(hits)};\n`);
  await writeFile(join(folder, "llms.txt"), await llmsText(project, calls, full.document));
  // Redoc's page is a single file that loads nothing from other hosts.
  await redocly(
    "build-docs",
    join(project, "openapi/catalogue.yaml"),
    "--output",
    join(folder, "redoc.html"),
    "--inlineBundle",
    "--template",
    asset("templates/redoc.hbs"),
  );
  for (const name of ["site.css", "favicon.svg"]) await copyFile(asset(name), join(folder, name));
  await build({
    entryPoints: [asset("site.ts"), asset("try.ts")],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    outdir: folder,
    define: { CALLS: JSON.stringify(calls.map(({ request, cases }) => ({ ...request, cases }))) },
  });
}

const isStart = ({ section }: Page) => section === undefined || section === "Use the client";

/** Creates a page with the introduction of the description. Omits the gaps, which have a page of their own. */
function servicePage(document: Json, linked: (markdown: string) => string): Page {
  const introduction = String(getAtPointer(document, "/info/description"));
  const markdown = `[Reference by Redoc](redoc.html)\n\n${introduction.replace(/^## Gaps$[^]*/m, "")}`;
  const { html, headings } = renderMarkdown(`# The service\n\n${linked(markdown)}`);
  return { url: "service.html", title: "The service", section: "Reference", html, headings };
}

/** Returns the search entries for a page and its headings. */
function pageHits({ url, title, headings }: Page): Hit[] {
  const inner = headings.filter(({ level }) => level === 2 || level === 3);
  return [
    [title, "Page", url],
    ...inner.map(({ text, id }): Hit => [text, `Section of ${title}`, `${url}#${id}`]),
  ];
}
