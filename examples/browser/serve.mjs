// Serves the page beside it, without a bundler: npm run build && node examples/browser/serve.mjs
// Requests below /3 are answered by the sandbox; in an app, hand them on to the catalogue with the token of the server.
import { readFile } from "node:fs/promises";
import { createSandbox } from "media-catalogue/sandbox";
import { serve } from "srvx";

const root = new URL("../..", import.meta.url);
const types = { html: "text/html", js: "text/javascript" };
const sandbox = createSandbox();

/** @param {Request} request */
async function answer(request) {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/3/")) return sandbox.fetch(request);
  const path = pathname === "/" ? "/examples/browser/index.html" : pathname;
  const type = types[/** @type {keyof typeof types} */ (path.split(".").at(-1))];
  if (!type || (pathname !== "/" && !path.startsWith("/dist/"))) {
    return new Response("Not found", { status: 404 });
  }
  try {
    const body = await readFile(new URL(`.${path}`, root));
    return new Response(body, { headers: { "content-type": type } });
  } catch {
    return new Response("Not found: npm run build makes dist", { status: 404 });
  }
}

const server = serve({
  fetch: answer,
  hostname: "127.0.0.1",
  port: process.env.PORT ?? 4020,
  silent: true,
});
await server.ready();
console.log(`The page is at ${server.url} (Ctrl+C stops it).`);
