import { Marked } from "marked";
import { codeBlock, escapeHtml } from "./highlight.js";

const LANGUAGES: Readonly<Record<string, string>> = {
  js: "JavaScript",
  ts: "TypeScript",
  tsx: "TypeScript",
  sh: "Shell",
  json: "JSON",
  yaml: "YAML",
  console: "Terminal",
};

export interface Heading {
  level: number;
  text: string;
  id: string;
}

/**
 * Renders Markdown and collects the headings.
 * @param linkTo returns the target of a link, or undefined to keep only the text of the link
 */
export function renderMarkdown(
  text: string,
  linkTo: (href: string) => string | undefined = (href) => href,
): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: source }) {
        const plain = source.replaceAll(/[`*]/g, "");
        const same = headings.filter((each) => each.text === plain).length;
        const id = anchorOf(plain) + (same > 0 ? `-${same}` : "");
        headings.push({ level: depth, text: plain, id });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // CSS keeps a short name, such as `--live`, on one line.
      codespan({ text: code }) {
        const isName = /^\S{1,30}$/.test(code);
        return `<code${isName ? ' class="name"' : ""}>${escapeHtml(code)}</code>`;
      },
      code({ text: code, lang = "" }) {
        return codeBlock(LANGUAGES[lang] ?? "Text", code);
      },
      link({ href, tokens }) {
        const [target, label] = [linkTo(href), this.parser.parseInline(tokens)];
        return target === undefined ? label : `<a href="${target}">${label}</a>`;
      },
      image({ href, text: label }) {
        return `<span class="image" role="group" aria-label="Image" tabindex="0"><img src="${linkTo(href)}" alt="${label}"></span>`;
      },
    },
    hooks: {
      // `tabindex` makes a wide table scrollable by keyboard.
      postprocess: (html) =>
        html
          .replaceAll(
            "<table>",
            '<div class="table" role="group" aria-label="Table" tabindex="0"><table>',
          )
          .replaceAll("</table>", "</table></div>"),
    },
  });
  return { html: marked.parse(text, { async: false }), headings };
}

/** Returns the anchor that GitHub creates for a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}
