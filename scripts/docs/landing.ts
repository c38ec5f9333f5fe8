import { lexer, marked, parseInline } from "marked";
import { Comment, ReflectionKind, type ProjectReflection } from "typedoc";
import { signatureOf, type Call } from "./calls.js";
import { aboutGap, gapLink } from "./gaps.js";
import { readAsset } from "./page.js";

/** The parts of the landing page, keyed by placeholder name. */
export function landingParts(calls: readonly Call[], client: ProjectReflection) {
  const gaps = Object.keys(JSON.parse(readAsset("gaps.json")) as object).map((id) => {
    const { title, client: behavior } = aboutGap(id);
    const link = `<a href="service.html${gapLink(id)}">${id} ${title}</a>`;
    return `<li>${link}<br />${parseInline(behavior)}</li>`;
  });
  const methods = calls.map((call) => [
    `<a href="service.html${call.link}"><code>${escaped(signatureOf(call))}</code></a>`,
    escaped(call.operation.summary ?? ""),
  ]);
  const changelog = readAsset("../CHANGELOG.md").replace(/^# .*/, "");
  return {
    version: client.packageVersion ?? "",
    "first-call.mjs": escaped(readAsset("first-call.mjs")),
    clientOptions: optionsTable(client, "CatalogueOptions"),
    callOptions: optionsTable(client, "CallOptions"),
    methods: table(["Method", "Summary"], methods),
    gaps: gaps.join("\n"),
    changelog: String(marked(changelog.replaceAll(/^##/gm, "###"))),
  };
}

/** The parts of `llms.txt`, keyed by placeholder name. */
export function llmsParts(calls: readonly Call[]) {
  const methods = calls.map((call) => {
    const { method, path, summary } = call.operation;
    return `- \`${signatureOf(call)}\`: ${summary}. \`${method.toUpperCase()} ${path}\``;
  });
  const sections = lexer(readAsset("../README.md")).flatMap((token) => {
    if (token.type !== "heading" || token.depth !== 2) return [];
    const slug = String(token.text)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-");
    return `- [${token.text}](client/index.html#${slug})`;
  });
  return { methods: methods.join("\n"), sections: sections.join("\n") };
}

/** The options in an interface of the client, from its documentation. */
function optionsTable(client: ProjectReflection, name: string): string {
  const interfaces = client.getReflectionsByKind(ReflectionKind.Interface);
  const options = interfaces.find((each) => each.name === name);
  if (!options?.isDeclaration()) throw new Error(`The client exports no interface ${name}.`);
  const rows = (options.children ?? []).map(({ name: option, type, flags, comment }) => {
    const text = Comment.combineDisplayParts(comment?.summary);
    const value = Comment.combineDisplayParts(comment?.getTag("@default")?.content);
    // TypeDoc fences a default that contains no code spans.
    const shownDefault = value.replace(/^```(?:ts)?\n(.*)\n```$/s, "`$1`");
    const note = value ? `Default: ${shownDefault}.` : flags.isOptional ? "" : "Required.";
    const shown = String(type).replace(/^undefined \| | \| undefined$/, "");
    return [
      `<code>${option}</code>`,
      `<code>${escaped(shown)}</code>`,
      String(parseInline(`${text} ${note}`)),
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
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
