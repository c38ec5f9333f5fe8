/** `npm run docs [-- --serve]`: writes the hosted docs to dist/docs, and serves them with `--serve`. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "srvx";
import { staticMiddleware } from "srvx/static";
import { parseArguments, runMain, UsageError } from "./shared/command-line.js";
import { buildRedoc } from "./docs/redoc.js";

const project = fileURLToPath(new URL("..", import.meta.url));
const folder = join(project, "dist/docs");

const USAGE = `Usage: npm run docs [-- --serve [--port PORT]]

Writes the docs to dist/docs: VitePress builds the guides, and Redoc builds a reference of each description. The pages
work offline. The first run installs VitePress in the docs folder, which takes about 20 seconds.

  --serve      serve the docs on loopback until you press Ctrl+C
  --port PORT  port for --serve; 0 picks a free port (default: 4011)
  -h, --help   print this help

In DOCS_BASE, pass the path at which the site is hosted (default: /).`;

await runMain("npm run docs", USAGE, async (args) => {
  const { values: options } = parseArguments(args, {
    serve: { type: "boolean", default: false },
    port: { type: "string", default: "4011" },
  });
  if (!/^\d{1,5}$/.test(options.port) || Number(options.port) > 65535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not ${options.port}`);
  }
  try {
    buildGuides();
    await buildReferences();
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

/** Builds the landing page and the guides with VitePress, which has its own dependencies in the docs folder. */
function buildGuides(): void {
  const vitepress = join(project, "docs/node_modules/vitepress/bin/vitepress.js");
  if (!existsSync(vitepress)) run("npm", ["ci", "--ignore-scripts", "--prefix", "docs"]);
  run(process.execPath, [vitepress, "build", "docs"]);
}

/** Builds Redoc's pages, and copies their font, and the descriptions and schemas to which the guides link. */
async function buildReferences(): Promise<void> {
  const redoc = join(folder, "redoc");
  await mkdir(redoc, { recursive: true });
  const fonts = join(project, "docs/node_modules/vitepress/dist/client/theme-default/fonts");
  await cp(join(fonts, "inter-roman-latin.woff2"), join(redoc, "inter.woff2"));
  for (const [name, entry] of [
    ["catalogue", "media-catalogue"],
    ["full", "media-catalogue/full"],
  ] as const) {
    const file = `openapi/${name}.yaml`;
    await buildRedoc(join(project, file), entry, join(redoc, `${name}.html`));
    await cp(join(project, file), join(folder, file));
  }
  await cp(join(project, "schemas"), join(folder, "schemas"), { recursive: true });
}

function run(command: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
}
