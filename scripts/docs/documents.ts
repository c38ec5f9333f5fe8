import { existsSync } from "node:fs";
import { copyFile, readdir, readFile } from "node:fs/promises";
import { basename, join, normalize, relative } from "node:path";
import { renderMarkdown } from "./markdown.js";
import type { Page } from "./page.js";

/** The Markdown files in each section of the menu. The last section also contains all unlisted files in `docs`. */
const SECTIONS: Readonly<Record<string, string[]>> = {
  "Use the client": [
    "README",
    "docs/site/authentication",
    "docs/recipes",
    "docs/site/try",
    "examples/README",
  ],
  Specification: ["docs/site/gaps", "docs/evidence"],
  "Contract gate": ["docs/configuration", "docs/findings"],
  Project: [
    "docs/promises",
    "docs/compared",
    "docs/design",
    "CONTRIBUTING",
    "CHANGELOG",
    "SECURITY",
  ],
};

/** The page names that differ from the file names. */
const NAMES: Readonly<Record<string, string>> = {
  README: "guide",
  "examples/README": "examples",
  "docs/site/try": "try-it",
};

/** The page titles that differ from the headings in the files. */
const TITLES: Readonly<Record<string, string>> = { README: "Guide", CHANGELOG: "Changelog" };

/**
 * Matches the files that are published with the docs. A link to any other file, such as a source file, is replaced with
 * the text of the link.
 */
const PUBLISHED = /\.(?:ya?ml|json|svg)$|(?:^|\/)LICENSE$/;

/**
 * Renders the Markdown files of a project as pages. Also copies linked files to the given folder.
 * @throws {Error} if a link leads to a file that does not exist
 */
export async function documentPages(
  project: string,
  folder: string,
  complete: (name: string, markdown: string) => string,
): Promise<Page[]> {
  const others = (await readdir(join(project, "docs")))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.slice(0, -".md".length)}`);
  const listed = Object.values(SECTIONS).flat();
  const names = ["docs/site/index", ...listed, ...others.filter((name) => !listed.includes(name))];
  const sectionOf = (name: string) =>
    Object.keys(SECTIONS).find((section) => SECTIONS[section]!.includes(name)) ?? "Project";
  const broken: string[] = [];
  const pages = names.map(async (name): Promise<Page[]> => {
    const file = join(project, `${name}.md`);
    if (!existsSync(file)) return [];
    const text = complete(name, await readFile(file, "utf8"));
    const markdown = TITLES[name] ? text.replace(/^# .*/m, `# ${TITLES[name]}`) : text;
    const copied = new Set<string>();
    const linkTo = (href: string): string | undefined => {
      const [path = "", anchor] = href.split("#");
      if (path === "" || /^[a-z]+:/.test(path)) return href;
      const target = relative(project, normalize(join(file, "..", path)));
      const page = target.replace(/\.md$/, "");
      if (target.endsWith(".md") && names.includes(page))
        return pageUrl(page) + (anchor ? `#${anchor}` : "");
      if (/^[\w.-]+\.(html|txt)$/.test(path)) return href;
      if (!existsSync(join(project, target))) {
        const line = markdown.slice(0, markdown.indexOf(`](${href})`)).split("\n").length;
        broken.push(`${name}.md:${line}: the link leads to ${target}, which does not exist`);
        return undefined;
      }
      if (!PUBLISHED.test(target)) return undefined;
      copied.add(target);
      return basename(target);
    };
    const { html, headings } = renderMarkdown(markdown, linkTo);
    for (const each of copied) await copyFile(join(project, each), join(folder, basename(each)));
    const heading = headings.find(({ level }) => level === 1)?.text ?? name;
    const section = name === "docs/site/index" ? {} : { section: sectionOf(name) };
    return [{ url: pageUrl(name), title: heading, ...section, html, headings }];
  });
  const all = (await Promise.all(pages)).flat();
  if (broken.length > 0) throw new Error(broken.join("\n"));
  return all;
}

function pageUrl(name: string): string {
  return `${NAMES[name] ?? basename(name).toLowerCase()}.html`;
}
