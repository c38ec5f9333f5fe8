import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Call } from "./calls.js";
import { escapeHtml } from "./highlight.js";
import type { Heading } from "./markdown.js";

/** A page of the site. */
export interface Page {
  url: string;
  title: string;
  /** The title of the page's section in the menu. A page without a section is not in the menu. */
  section?: string;
  html: string;
  /** The headings for the menu and the search. */
  headings: Heading[];
}

/** A search entry. */
export type Hit = [name: string, context: string, url: string];

export function asset(name: string): string {
  return fileURLToPath(new URL(`../../docs/site/${name}`, import.meta.url));
}

export function readAsset(name: string): string {
  return readFileSync(asset(name), "utf8");
}

/** Replaces each placeholder, such as `<!--summary-->`. @throws {Error} if there is no text for a placeholder */
export function fillTemplate(template: string, parts: Record<string, string>): string {
  return template.replaceAll(/<!--(\w+)-->/g, (placeholder, name: string) => {
    const text = parts[name];
    if (text === undefined)
      throw new Error(`there is no text for the placeholder ${placeholder}; correct its name`);
    return text;
  });
}

/** Returns the HTML of a page with the header and the menu of the site. */
export function renderPage(page: Page, pages: readonly Page[], calls: readonly Call[]): string {
  return fillTemplate(readAsset("page.html"), {
    title: escapeHtml(
      page.title === "media-catalogue" ? page.title : `${page.title} – media-catalogue`,
    ),
    menu: menuHtml(page, pages, calls),
    content: page.html,
  });
}

/**
 * Returns the menu. The menu lists the headings of the current page. On a page about methods, the menu lists the groups
 * of methods.
 */
function menuHtml(page: Page, pages: readonly Page[], calls: readonly Call[]): string {
  const currentAttribute = (url: string) => {
    if (url === page.url) return ' aria-current="page"';
    return url === TYPES_URL && page.url.startsWith("type-") ? ' aria-current="true"' : "";
  };
  const link = (url: string, text: string, inner: readonly string[] = []) =>
    `<li><a href="${url}"${currentAttribute(url)}>${escapeHtml(text).replaceAll("/", "/<wbr>")}</a>${list(inner)}</li>`;
  const list = (items: readonly string[]) => (items.length > 0 ? `<ul>${items.join("")}</ul>` : "");
  const current = calls.find(({ url }) => url === page.url)?.group;
  const groups = groupsOf(calls).map((group) => {
    const own = group === current ? calls.filter((each) => each.group === group) : [];
    const methods = own.map(({ url, operation }) => link(url, operation.id.split(".")[1]!));
    return link(`${METHODS_URL}#${group.toLowerCase()}`, group, methods);
  });
  const contents = page.headings.filter(({ level }) => level === 2);
  const sections = [...new Set(pages.flatMap(({ section }) => section ?? []))].map((section) => {
    const items = pages
      .filter((each) => each.section === section)
      .map(({ url, title }) => {
        if (url === METHODS_URL && (current || url === page.url)) return link(url, title, groups);
        const showsHeadings = url === page.url && contents.length > 1;
        return link(
          url,
          title,
          showsHeadings ? contents.map(({ id, text }) => link(`#${id}`, text)) : [],
        );
      });
    return `<h2>${section}</h2>${list(items)}`;
  });
  return sections.join("\n");
}

/** Returns the groups of the given methods in alphabetical order. */
export function groupsOf(calls: readonly Call[]): string[] {
  return [...new Set(calls.map(({ group }) => group))].toSorted();
}

export const METHODS_URL = "methods.html";
export const TYPES_URL = "types.html";
