// Serves the page in this folder without a bundler, and its requests with a proxy: node examples/browser/serve.mjs
// In this example, the proxy calls the sandbox. In your app, pass your baseUrl and token, and leave out fetch.
import { readFile } from "node:fs/promises";
import { createProxy } from "media-catalogue/proxy";
import { createSandbox } from "media-catalogue/sandbox";
import { serve } from "srvx";

const proxy = createProxy({
  baseUrl: "https://catalogue.example",
  token: "any",
  fetch: createSandbox().fetch,
  allow: ["movies.popular"],
});
const types = { html: "text/html", css: "text/css", js: "text/javascript" };
const dist = new URL(".", import.meta.resolve("media-catalogue"));
/** @type {Record<string, URL>} */
const files = {
  "/": new URL("index.html", import.meta.url),
  "/style.css": new URL("style.css", import.meta.url),
  "/openapi-fetch.js": new URL(import.meta.resolve("openapi-fetch")),
};

/** @param {Request} request */
async function respond(request) {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/api/catalogue/")) return proxy(request);
  const isDist = pathname.startsWith("/dist/") && pathname.endsWith(".js");
  const file = isDist ? new URL(pathname.slice("/dist/".length), dist) : files[pathname];
  const body = file && (await readFile(file).catch(() => undefined));
  if (!body) return new Response(`There is no file ${pathname}.`, { status: 404 });
  const extension = pathname === "/" ? "html" : pathname.split(".").at(-1);
  const type = types[/** @type {keyof typeof types} */ (extension)];
  return new Response(new Uint8Array(body), { headers: { "content-type": type } });
}

const port = process.env.PORT ?? 4020;
const server = serve({ fetch: respond, hostname: "127.0.0.1", port, silent: true });
await server.ready();
console.log(`The page is at ${server.url} (press Ctrl+C to stop).`);
