import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { lexer, marked } from "marked";
import { Comment, ReflectionKind, type ProjectReflection } from "typedoc";
import { aboutGap, gapFragment, gapsOf } from "./gaps.js";
import { signatureOf, type Description, type Operation } from "./operations.js";
import { asset } from "./page.js";
import { firstCall } from "./samples.js";

/** The text of the landing page and the parts that fill its placeholders. */
export async function landingParts(
  project: string,
  description: Description,
  operations: readonly Operation[],
  client: ProjectReflection,
): Promise<Record<string, string>> {
  const changelog = await readFile(join(project, "CHANGELOG.md"), "utf8");
  const gaps = gapsOf(description, operations).map(({ id, text }) => {
    const link = `<a href="service.html${gapFragment(id)}">${id} ${aboutGap(id).title}</a>`;
    return `<li>${link}<br />${escaped(text)}</li>`;
  });
  const methods = operations.map((operation) => [
    `<a href="service.html${operation.link}"><code>${escaped(signatureOf(operation))}</code></a>`,
    escaped(operation.summary),
  ]);
  return {
    version: client.packageVersion ?? "",
    firstCall: escaped(firstCall(operations)),
    clientOptions: optionsTable(client, "CatalogueOptions"),
    callOptions: optionsTable(client, "CallOptions"),
    methods: table(["Call", "Returns"], methods),
    gaps: `<ul class="gaps">${gaps.join("\n")}</ul>`,
    changelog: await marked(changelog.replace(/^# .*/, "").replaceAll(/^##/gm, "###")),
  };
}

/** `llms.txt`: the package in one page of Markdown, for people who read docs through an assistant. */
export async function llmsText(
  project: string,
  description: Description,
  operations: readonly Operation[],
): Promise<string> {
  const readme = lexer(await readFile(join(project, "README.md"), "utf8"));
  const sections = readme.flatMap((token) =>
    token.type === "heading" && token.depth === 2 ? [String(token.text)] : [],
  );
  const slug = (title: string) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `# media-catalogue

> A typed TypeScript client for a media catalogue service. ${description.info.summary}

Every method also takes options as its last argument: \`{ query, headers, signal, timeout }\`. It returns a promise of the response body.

## Methods

${operations.map((operation) => `- \`${signatureOf(operation)}\`: ${operation.summary}. \`${operation.method} ${operation.path}\``).join("\n")}

## README

${sections.map((title) => `- [${title}](client/index.html#${slug(title)})`).join("\n")}

## References

- [Service](service.html): every endpoint with its parameters, responses and samples
- [Client](client/index.html): methods, types and errors
- [Gaps](index.html#gaps): what the service does not specify
`;
}

function optionsTable(client: ProjectReflection, name: string): string {
  const [options] = client
    .getReflectionsByKind(ReflectionKind.Interface)
    .filter((each) => each.name === name);
  if (!options?.isDeclaration())
    throw new Error(`The package no longer exports ${name}. Update landing.ts.`);
  const rows = (options.children ?? []).map(({ name: option, type, flags, comment }) => {
    const text = Comment.combineDisplayParts(comment?.summary);
    const fallback = Comment.combineDisplayParts(comment?.getTag("@default")?.content);
    const value = fallback.replaceAll(/```(?:ts)?\n?|\n/g, "");
    const note = value ? `Default: \`${value}\`.` : flags.isOptional ? "" : "Required.";
    return [
      `<code>${option}</code>`,
      `<code>${escaped(String(type).replace(/^undefined \| | \| undefined$/, ""))}</code>`,
      String(marked.parseInline(`${text} ${note}`)),
    ];
  });
  return table(["Option", "Type", "Description"], rows);
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const body = rows.map((cells) => row(cells, "td")).join("\n");
  return `<table><thead>${row(head, "th")}</thead><tbody>${body}</tbody></table>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
