/** `npm run docs [-- OPTION...]`: writes the references, or serves one while its description is edited. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError } from "../src/cli/command-error.js";
import { interrupted } from "../src/sandbox/serve.js";
import { parsed, runMain, UsageError } from "./command-line.js";
import { buildReference, PageError } from "./docs/reference.js";
import { watchReference } from "./docs/watch.js";
import { DescriptionError } from "./generate/description.js";
import { stopWithNpm } from "./stop-with-npm.js";

const USAGE = `Usage: npm run docs [-- [--watch [--port PORT]] [--root DIR]]

Writes the reference of the service to dist/docs/index.html, a page that needs no network, and the reference of the
client to dist/docs/client.

  --watch      serve the page of the service on loopback instead, and reload it while the description is edited
  --port PORT  0 to 65535, with --watch; 0 picks a free port (default: 4011)
  --root DIR   the project whose description is shown (default: this one)
  -h, --help   print this

Exits with 0 if it is written, 1 if it cannot be made of the description, 2 if the arguments are wrong.`;

/** What is written to dist/docs, one after the other. */
const PARTS: readonly ((folder: string, project: string) => Promise<string>)[] = [
  buildReference,
  async (folder, project) => {
    // Takes seconds to load.
    const { buildClientReference } = await import("./docs/client.js");
    await buildClientReference(join(folder, "client"), project);
    return "wrote dist/docs/client";
  },
];

await runMain("npm run docs", USAGE, async (args) => {
  const { watch, root, port } = readOptions(args);
  try {
    if (watch) {
      stopWithNpm();
      await watchReference(root, port, interrupted());
    } else for (const build of PARTS) console.log(await build(join(root, "dist/docs"), root));
    return 0;
  } catch (error) {
    const expected = [DescriptionError, PageError, CommandError].some(
      (kind) => error instanceof kind,
    );
    if (!expected) throw error;
    const prefix = error instanceof CommandError ? "docs: " : "";
    console.error(`${prefix}${(error as Error).message}`);
    return 1;
  }
});

function readOptions(args: string[]) {
  const values = parsed(args, {
    watch: { type: "boolean", default: false },
    port: { type: "string" },
    root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
  });
  if (values.port !== undefined && !values.watch) {
    throw new UsageError("--port is for --watch; add it");
  }
  const text = values.port ?? "4011";
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port > 65535) {
    throw new UsageError(`--port ${text} is no port; give a number from 0 to 65535`);
  }
  return { ...values, port };
}
