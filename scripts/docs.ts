/** `npm run docs [-- --serve]`: writes the hosted docs to dist/docs and serves them on request. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "srvx";
import { staticMiddleware } from "srvx/static";
import { parsed, runMain, UsageError } from "./command-line.js";
import { landingParts, llmsText } from "./docs/landing.js";
import { readDescription, readOperations } from "./docs/operations.js";
import { asset, standalone, tryScript } from "./docs/page.js";
import { servicePage } from "./docs/service.js";

const project = fileURLToPath(new URL("..", import.meta.url));

const USAGE = `Usage: npm run docs [-- --serve [--port PORT]]

Writes the docs to dist/docs: the landing page, the references of the service and of the client, and llms.txt.
No page needs a network.

  --serve      serve the docs on loopback until you press Ctrl+C
  --port PORT  port for --serve; 0 picks a free one (default: 4011)
  -h, --help   print this`;

await runMain("npm run docs", USAGE, async (args) => {
  const options = parsed(args, {
    serve: { type: "boolean", default: false },
    port: { type: "string", default: "4011" },
  });
  if (!/^\d{1,5}$/.test(options.port) || Number(options.port) > 65535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not ${options.port}`);
  }
  const folder = join(project, "dist/docs");
  await buildDocs(folder);
  console.log("wrote dist/docs");
  if (!options.serve) return 0;
  const server = serve({
    fetch: () => new Response("Not found", { status: 404 }),
    middleware: [staticMiddleware({ dir: folder })],
    hostname: "127.0.0.1",
    port: options.port,
    silent: true,
  });
  await server.ready();
  console.log(`The docs are on ${server.url} (Ctrl+C stops the server).`);
  return new Promise(() => {});
});

/** Writes every page. The same input gives the same bytes. */
async function buildDocs(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const description = await readDescription(project);
  const operations = await readOperations(description, project);
  // Redocly runs in a process of its own meanwhile.
  const service = servicePage(description, operations);
  const { buildClientReference } = await import("./docs/client.js");
  const client = await buildClientReference(project, join(folder, "client"));
  const tryIt = `<script>${await tryScript(operations)}</script>`;
  const style = await readFile(asset("redoc.css"), "utf8");
  const parts = await landingParts(project, description, operations, client);
  const { summary } = description.info;
  const files = {
    "index.html": standalone(await readFile(asset("index.html"), "utf8"), {
      ...parts,
      summary,
      try: tryIt,
    }),
    "service.html": standalone(await service, {
      summary,
      redoc: `<style>${style}</style>`,
      try: tryIt,
    }),
    "llms.txt": await llmsText(project, description, operations),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}
