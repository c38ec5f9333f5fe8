import type { Declaration } from "./declarations.js";
import { codeBlock } from "./highlight.js";
import type { Hit, Page } from "./page.js";
import type { RenderText } from "./schema.js";

const INTRODUCTION =
  "Everything that the package exports, except the [methods](methods.html) and the [types of request and response bodies](types.html). `media-catalogue/full` exports the same names as `media-catalogue`, with the types of the full description.";

/** Creates the page about everything that the package exports, except the methods and the body types. */
export function clientPage(
  modules: ReadonlyMap<string, readonly Declaration[]>,
  text: RenderText,
): { page: Page; hits: Hit[] } {
  const url = "client.html";
  const hits: Hit[] = [];
  const sections = [...modules].map(([module, declarations], index) => {
    const parts = declarations.map(({ name, summary, code }) => {
      // Two modules can export the same name with different types.
      const id = [...(index > 0 ? [idOf(module)] : []), name].join("-");
      hits.push([name, `Export of ${module}`, `${url}#${id}`]);
      // A click on a link in a `<summary>` would follow the link instead of unfolding the section.
      const title = text(summary).replaceAll(/<\/?[pa]\b[^>]*>/g, "");
      return `<details id="${id}"><summary><code>${name}</code> ${title}</summary>${codeBlock("Declaration", code)}</details>`;
    });
    return `<h2 id="${idOf(module)}">${module}</h2>\n${parts.join("\n")}`;
  });
  const page = {
    url,
    title: "Exports",
    section: "Reference",
    html: `<h1>Exports</h1>${text(INTRODUCTION)}${sections.join("\n")}`,
    headings: [...modules.keys()].map((module) => ({ level: 2, text: module, id: idOf(module) })),
  };
  return { page, hits };
}

const idOf = (module: string) => module.replaceAll("/", "-");
