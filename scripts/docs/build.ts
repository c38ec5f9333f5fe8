import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { marked } from "marked";
import manifest from "../../package.json" with { type: "json" };
import { readDescription } from "../generate/description.js";
import { callOf, type Call } from "./calls.js";
import { aboutGap, gapIds, gapLink, slugOf } from "./gaps.js";
import { asset, filled, header, imageUrl, readAsset } from "./page.js";
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
  const [service] = await Promise.all([
    // Redocly runs in a separate process.
    servicePage(document, calls),
    import("./client.js").then((client) =>
      client.buildClientReference(project, join(folder, "client")),
    ),
  ]);
  const parts = { ...textParts(calls), ...(await sharedParts(calls, document)) };
  const landing = readAsset("index.html");
  const facts = html(readAsset("observed.md")).replaceAll(
    /<h3>(Fact (\d+))/g,
    '<h3 id="fact-$2">$1',
  );
  const files = {
    "index.html": filled(landing, parts),
    "observed.html": filled(landing.replace(/(?<=<main>)[^]*(?=<\/body>)/, "<!--facts--></main>"), {
      ...parts,
      facts,
    }),
    "service.html": filled(service, parts),
    "llms.txt": filled(readAsset("llms.txt"), parts),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** The parts that every page shares, keyed by placeholder name. */
async function sharedParts(calls: readonly Call[], document: Document) {
  const gets = calls
    .filter(({ operation }) => operation.method === "get")
    .map(({ operation: { id, path }, values, query, cases }) => ({
      id,
      path,
      values,
      query,
      cases,
    }));
  const script = await build({
    entryPoints: [asset("try.ts")],
    ...{ bundle: true, minify: true, format: "iife", target: "es2022", write: false },
    define: { CALLS: JSON.stringify(gets) },
  });
  return {
    "try.js": script.outputFiles[0]!.text,
    "theme.css": readAsset("theme.css"),
    "redoc.css": readAsset("redoc.css"),
    "header.html": header("."),
    icon: imageUrl("favicon.svg"),
    summary: document.info.summary,
  };
}

/** The parts of the landing page and of `llms.txt`, keyed by placeholder name. */
function textParts(calls: readonly Call[]): Record<string, string> {
  const readme = readAsset("../README.md");
  const rows = calls.map(
    ({ signature, link, operation }) =>
      `| [\`${signature}\`](service.html${link}) | ${operation.summary} |`,
  );
  const methods = calls.map(
    ({ signature, operation: { method, path, summary } }) =>
      `- \`${signature}\`: ${summary}. \`${method.toUpperCase()} ${path}\``,
  );
  const sections = [...readme.matchAll(/^## (.*)$/gm)].map(
    ([, title = ""]) => `- [${title}](client/index.html#${slugOf(title)})`,
  );
  const gaps = gapIds.map((id) => `- ${gapLink(id, "service.html")}<br />${aboutGap(id).client}`);
  const [, options = ""] = /^## Options$([^]*?)^## /m.exec(readme) ?? [];
  const changelog = readAsset("../CHANGELOG.md").replace(/^# .*/, "");
  return {
    version: manifest.version,
    "first-call.mjs": readAsset("first-call.mjs").replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
    options: html(options),
    methodTable: html(["| Method | Summary |", "| --- | --- |", ...rows].join("\n")),
    methods: methods.join("\n"),
    sections: sections.join("\n"),
    gaps: html(gaps.join("\n")),
    changelog: html(changelog.replaceAll(/^##/gm, "###")),
  };
}

function html(markdown: string): string {
  return marked.parse(markdown, { async: false });
}
