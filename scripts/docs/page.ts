import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a file in `docs/`. */
export function asset(name: string): string {
  return fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
}

export function readAsset(name: string): string {
  return readFileSync(asset(name), "utf8");
}

/** The URL of an image in `docs/` that contains the image. */
export function imageUrl(name: string): string {
  return `data:image/svg+xml,${encodeURIComponent(readAsset(name))}`;
}

/** The header of every page. @param root the path from the page to `dist/docs` */
export function header(root: string): string {
  return readAsset("header.html").replaceAll("{root}", root);
}

/** Replaces each placeholder such as `<!--summary-->`, and allows the page's own scripts in its content policy. */
export function filled(template: string, parts: Record<string, string>): string {
  const page = Object.entries(parts).reduce(
    (text, [name, value]) => text.replaceAll(`<!--${name}-->`, () => value),
    template,
  );
  const hashes = [...page.matchAll(/<script(?: [^>]*)?>([^]*?)<\/script>/g)].map(
    ([, text]) => `'sha256-${createHash("sha256").update(text!).digest("base64")}'`,
  );
  return page.replace("<!--hashes-->", hashes.join(" "));
}
