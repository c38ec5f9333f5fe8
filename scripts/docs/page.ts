import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Call } from "./calls.js";

/** The path of a file in `docs/`. */
export function asset(name: string): string {
  return fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
}

export function readAsset(name: string): string {
  return readFileSync(asset(name), "utf8");
}

/** The header of every page. @param root the path from the page to `dist/docs` */
export function header(root: string): string {
  return readAsset("header.html").replaceAll("{root}", root);
}

/** The parts shared by the landing page and the service page, keyed by placeholder name. */
export async function commonParts(calls: readonly Call[]): Promise<Record<string, string>> {
  const gets = calls
    .filter(({ operation }) => operation.method === "get")
    .map(({ operation: { id, path }, values, query, cases }) => ({
      id,
      path,
      values,
      query,
      cases,
    }));
  const script = await build({
    entryPoints: [asset("try.ts")],
    ...{ bundle: true, minify: true, format: "iife", target: "es2022", write: false },
    define: { CALLS: JSON.stringify(gets) },
  });
  return {
    "try.js": script.outputFiles[0]!.text,
    "theme.css": readAsset("theme.css"),
    "redoc.css": readAsset("redoc.css"),
    "header.html": header("."),
    icon: `data:image/svg+xml,${encodeURIComponent(readAsset("favicon.svg"))}`,
  };
}

/** Replaces each placeholder such as `<!--summary-->`. */
export function filled(template: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce(
    (text, [name, value]) => text.replaceAll(`<!--${name}-->`, () => value),
    template,
  );
}

/** Allows only the page's own scripts in its Content-Security-Policy. */
export function sealed(page: string): string {
  const hashes = [...page.matchAll(/<script(?: [^>]*)?>([^]*?)<\/script>/g)].map(
    ([, text]) => `'sha256-${createHash("sha256").update(text!).digest("base64")}'`,
  );
  return page.replace("<!--hashes-->", hashes.join(" "));
}
