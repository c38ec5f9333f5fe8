import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const root = here("../../");
const built = here("../../.tmp/runtimes/dist/");

// The client as `npm run build` makes it, but elsewhere: other tests may be building too.
beforeAll(async () => {
  const tsc = here("../../node_modules/typescript/bin/tsc");
  const options = "--rootDir src --target ES2022 --module NodeNext --noCheck --types node --outDir";
  await run(process.execPath, [tsc, "src/index.ts", ...options.split(" "), built], { cwd: root });
}, 60_000);

const others = (name: string) => here(`./node_modules/${name}/bin/node`);
const nodes: [name: string, binary: string][] = [
  [`Node ${process.versions.node}`, process.execPath],
  ["Node 22", others("node-22")],
  ["Node 24", others("node-24")],
];

for (const [name, binary] of nodes) {
  // `npm ci --prefix test/runtimes` brings the others.
  test.skipIf(!existsSync(binary))(`everything holds on ${name}`, { timeout: 60_000 }, async () => {
    const index = pathToFileURL(`${built}index.js`).href;
    const { stdout } = await run(binary, ["--expose-gc", here("./scenario.mjs"), index]);
    const lines = stdout.trim().split("\n");
    const outcomes = lines.map((line) => JSON.parse(line) as { name: string; problem?: string });
    expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(outcomes.at(-1)?.name).toBe("the process ends by itself");
    expect(outcomes.length).toBeGreaterThan(20);
  });
}
