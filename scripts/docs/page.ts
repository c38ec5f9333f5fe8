import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a file in `docs/site`. */
export function asset(name: string): string {
  return fileURLToPath(new URL(`../../docs/site/${name}`, import.meta.url));
}

export function readAsset(name: string): string {
  return readFileSync(asset(name), "utf8");
}

/** The URL of an image in `docs/site` that contains the image. */
export function imageUrl(name: string): string {
  return `data:image/svg+xml,${encodeURIComponent(readAsset(name))}`;
}

/** The header of every page. It marks the link to the page. A page without a link belongs to the client. */
export function header(url: string): string {
  const html = readAsset("templates/header.html");
  const [link, current] = html.includes(`"${url}"`)
    ? [url, "page"]
    : ["media-catalogue.html", "true"];
  return html.replace(`href="${link}"`, `href="${link}" aria-current="${current}"`);
}

/** Replaces each placeholder such as `<!--summary-->`, and allows the page's own scripts in its content policy. */
export function fillTemplate(template: string, parts: Record<string, string>): string {
  const page = Object.entries(parts).reduce(
    (text, [name, value]) => text.replaceAll(`<!--${name}-->`, () => value),
    template,
  );
  const hashes = [...page.matchAll(/<script(?: [^>]*)?>([^]*?)<\/script>/g)].map(
    ([, text]) => `'sha256-${createHash("sha256").update(text!).digest("base64")}'`,
  );
  return page.replace("<!--hashes-->", hashes.join(" "));
}
