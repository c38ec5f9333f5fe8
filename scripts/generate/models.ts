import type { Description } from "./description.js";
import { header } from "./readme.js";

/** A name for each schema of the description: `MovieDetail` for `components["schemas"]["MovieDetail"]`. */
export function modelsModule({ document }: Description): string {
  const models = Object.entries(document.components?.schemas ?? {}).map(
    ([name, { description }]) =>
      `${jsdoc(description ?? name)}export type ${name} = components["schemas"]["${name}"];\n`,
  );
  return `${header}import type { components } from "./schema.js";\n\n${models.join("\n")}`;
}

/** A one-line JSDoc comment; `indent` is the white space before it. */
export function jsdoc(text: string, indent = ""): string {
  return `${indent}/** ${text.trim().replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ")} */\n`;
}
