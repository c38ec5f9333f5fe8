// Serves the page in this folder without a bundler: npm run build && node examples/browser/serve.mjs
// In this example, the sandbox responds to requests under /3. In your app, add your token to these requests, and
// forward the requests to a deployment.
import { readFile } from "node:fs/promises";
import { createSandbox } from "media-catalogue/sandbox";
import { serve } from "srvx";

const sandbox = createSandbox();
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
  if (pathname.startsWith("/3/")) return sandbox.fetch(request);
  const isDist = pathname.startsWith("/dist/") && pathname.endsWith(".js");
  const file = isDist ? new URL(pathname.slice("/dist/".length), dist) : files[pathname];
  const body = file && (await readFile(file).catch(() => undefined));
  if (!body) return new Response("Not found. Did you run npm run build?", { status: 404 });
  const extension = pathname === "/" ? "html" : pathname.split(".").at(-1);
  const type = types[/** @type {keyof typeof types} */ (extension)];
  return new Response(new Uint8Array(body), { headers: { "content-type": type } });
}

const port = process.env.PORT ?? 4020;
const server = serve({ fetch: respond, hostname: "127.0.0.1", port, silent: true });
await server.ready();
console.log(`The page is at ${server.url} (press Ctrl+C to stop).`);
