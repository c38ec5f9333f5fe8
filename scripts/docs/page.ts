import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Operation } from "./operations.js";

/** The path of a file in `docs/`. */
export function asset(name: string): string {
  return fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
}

/** The bar at the top of every page. @param to turns a path relative to `dist/docs` into a link */
export function header(to: (path: string) => string = (path) => path): string {
  const links = Object.entries({
    "service.html": "Service",
    "client/index.html": "Client",
    "index.html#try": "Try it",
    "index.html#gaps": "Gaps",
  }).map(([path, name]) => `<a href="${to(path)}">${name}</a>`);
  return `<header class="site"><a href="${to("index.html")}"><b>media-catalogue</b></a><nav aria-label="Documentation">${links.join("")}</nav></header>`;
}

/** The script behind "Try it": the form and the sandbox, with the example requests of the GET operations. */
export async function tryScript(operations: readonly Operation[]): Promise<string> {
  const calls = operations
    .filter(({ method }) => method === "GET")
    .map(({ id, path, values, query, cases }) => ({ id, path, values, query, cases }));
  const { outputFiles } = await build({
    entryPoints: [asset("try.ts")],
    ...{ bundle: true, minify: true, format: "iife", target: "es2022", write: false },
    define: { CALLS: JSON.stringify(calls) },
  });
  return outputFiles[0]!.text.replaceAll("</script", "<\\/script");
}

/** A page that needs no other file: placeholders such as `<!--style-->` are filled, and only its own scripts may run. */
export function standalone(page: string, parts: Record<string, string>): string {
  const policy = [
    "default-src 'none'; script-src <!--hashes-->; style-src 'unsafe-inline'; img-src data:; font-src data:",
    "connect-src 'none'; base-uri 'none'; form-action 'none'",
  ].join("; ");
  const icon = encodeURIComponent(readFileSync(asset("favicon.svg"), "utf8"));
  const head = `<meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${icon}" />
    <style>${readFileSync(asset("theme.css"), "utf8")}</style>`;
  const filled = Object.entries({ policy, head, header: header(), ...parts }).reduce(
    (text, [name, value]) => text.replaceAll(`<!--${name}-->`, () => value),
    page,
  );
  const scripts = filled.matchAll(/<script(?: [^>]*)?>([\s\S]*?)<\/script>/g);
  const hashes = [...scripts].map(
    ([, text]) => `'sha256-${createHash("sha256").update(text!).digest("base64")}'`,
  );
  return filled.replace("<!--hashes-->", hashes.join(" "));
}
