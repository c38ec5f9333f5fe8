/** `npm run docs [-- --serve]`: writes the hosted docs to dist/docs, and serves them with `--serve`. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "srvx";
import { staticMiddleware } from "srvx/static";
import { parseArguments, runMain, UsageError } from "./shared/command-line.js";
import { buildDocs } from "./docs/build.js";

const project = fileURLToPath(new URL("..", import.meta.url));

const USAGE = `Usage: npm run docs [-- --serve [--port PORT]]

Writes the docs to dist/docs: the landing page, the guides, the reference pages for the service and the client, and
llms.txt. The pages work offline.

  --serve      serve the docs on loopback until you press Ctrl+C
  --port PORT  port for --serve; 0 picks a free port (default: 4011)
  -h, --help   print this help`;

await runMain("npm run docs", USAGE, async (args) => {
  const { values: options } = parseArguments(args, {
    serve: { type: "boolean", default: false },
    port: { type: "string", default: "4011" },
  });
  if (!/^\d{1,5}$/.test(options.port) || Number(options.port) > 65535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not ${options.port}`);
  }
  const folder = join(project, "dist/docs");
  try {
    await buildDocs(project, folder);
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
    console.log(`The docs are at ${server.url} (press Ctrl+C to stop).`);
    return await new Promise<number>(() => {});
  } catch (error) {
    console.error(`docs: ${(error as Error).message}`);
    return 1;
  }
});
