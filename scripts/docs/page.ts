import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a file in `docs/site`. */
export function asset(name: string): string {
  return fileURLToPath(new URL(`../../docs/site/${name}`, import.meta.url));
}

export function readAsset(name: string): string {
  return readFileSync(asset(name), "utf8");
}

/** The header of every page. It marks the link to the page, or else to its section. */
export function siteHeader(url: string, section: string): string {
  const html = readAsset("templates/header.html");
  const [link, current] = html.includes(`"${url}"`) ? [url, "page"] : [section, "true"];
  return html.replace(`href="${link}"`, `href="${link}" aria-current="${current}"`);
}

/** Replaces each placeholder such as `<!--summary-->`. */
export function fillTemplate(template: string, parts: Record<string, string>): string {
  return template.replaceAll(/<!--(\w+)-->/g, (placeholder, name: string) => {
    return parts[name] ?? placeholder;
  });
}
