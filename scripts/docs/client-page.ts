import type { Declaration } from "./declarations.js";
import { codeBlock } from "./highlight.js";
import type { Hit, Page } from "./page.js";
import type { RenderText } from "./schema.js";

/** The page of everything that the package exports, except the methods and the types of bodies. */
export function clientPage(
  modules: ReadonlyMap<string, readonly Declaration[]>,
  text: RenderText,
): { page: Page; hits: Hit[] } {
  const url = "client.html";
  const sections = [...modules].map(([module, declarations]) => {
    const parts = declarations.map(({ name, text: described, example, code }) => {
      const first = described.split(/\n\n|(?<=\.)\s/)[0]!;
      return `<details><summary><code>${name}</code> ${text(first).replaceAll(/<\/?p>/g, "")}</summary>
<div id="${name.toLowerCase()}">${example === undefined ? "" : codeBlock("Example", example)}${text(described)}
${codeBlock("Declaration", code)}</div></details>`;
    });
    return `<h2 id="${idOf(module)}">${module}</h2>\n${parts.join("\n")}`;
  });
  const intro =
    "Everything that the package exports, except the [methods](methods.html) and the [types of bodies](types.html). `media-catalogue/observed` exports the same as `media-catalogue`, with the types of the observed description.";
  const page = {
    ...{ url, title: "Exports", section: "Reference" },
    html: `<h1>Exports</h1>${text(intro)}${sections.join("\n")}`,
    headings: [...modules.keys()].map((module) => ({ level: 2, text: module, id: idOf(module) })),
  };
  const hits = [...modules].flatMap(([module, declarations]) =>
    declarations.map(({ name }): Hit => [
      name,
      `Export of ${module}`,
      `${url}#${name.toLowerCase()}`,
    ]),
  );
  return { page, hits };
}

const idOf = (module: string) => module.replaceAll("/", "-");
