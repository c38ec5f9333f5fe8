import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectedOutcome } from "../support/outcome.js";
import { packed } from "../support/package.js";
import { root } from "../support/paths.js";
import { succeed } from "../support/run.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { TOKEN } from "../support/server.js";
import { frameworkFile, serveForFile } from "./frameworks.js";
import { FIRST_LINE, firstCall, recipe } from "./recipe-files.js";

let app: string;
let url: string;
beforeAll(async () => {
  // Outside the project, the package can import only its own dependencies.
  app = await mkdtemp(join(tmpdir(), "runtimes-"));
  afterAll(() => rm(app, { recursive: true, force: true }));
  await cp(packed().app, app, { recursive: true });
  await cp(join(root, "test/package/apps"), app, { recursive: true });
  url = await serveForFile(createSandbox().fetch);
  const files = {
    "first-call.mjs": firstCall,
    "proxy.mjs": recipe("proxy.mjs"),
    "proxy-worker.mjs": recipe("worker.mjs"),
    "calls.mjs": `import "./first-call.mjs";\nimport { proxy } from "./proxy.mjs";\n${proxied("proxy(request)")}`,
    // workerd sends no requests and sets no timers while it loads a module.
    "worker-calls.mjs": `${firstCall.replace(/^const /m, "const firstCall = async () => {\n$&")}\n};
      import proxy from "./proxy-worker.mjs";
      export default { async test() { await firstCall(); ${proxied("proxy.fetch(request, ENVIRONMENT)")} } };`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(app, name), text);
});

/** Returns code that calls the proxy with a request from a page, and prints the response's status and a title. */
const proxied = (call: string) => `
  const request = new Request("https://app.example/api/catalogue/3/movie/701");
  const response = await ${call};
  console.log(response.status, (await response.json()).title);`;
const CALLED = `${FIRST_LINE}\n200 Night Ferry\n`;

const RUNTIMES = [
  ["Deno 2", "@deno/linux-x64-glibc/deno", "run --allow-all --node-modules-dir=manual --no-lock"],
  ["Bun 1", "@oven/bun-linux-x64/bin/bun", "run"],
] as const;

test.each(RUNTIMES)("%s runs the README's first call and a proxied call", async (_, file, args) => {
  const env = { CATALOGUE_BASE_URL: url, CATALOGUE_TOKEN: TOKEN };
  const command = [...args.split(" "), "calls.mjs"];
  expect(await succeed(frameworkFile(file), command, { cwd: app, env })).toBe(CALLED);
});

test.each(RUNTIMES)("node.mjs runs in %s", async (_, file, args) => {
  const printed = await succeed(frameworkFile(file), [...args.split(" "), "node.mjs", url], {
    cwd: app,
  });
  expect(JSON.parse(printed)).toEqual({ ...expectedOutcome(), yaml: "openapi: 3.1.0" });
});

/** Bundles a file for workerd without Node APIs, and runs its test. @returns what the file prints */
async function runInWorkerd(name: string): Promise<string> {
  const { warnings } = await build({
    entryPoints: [join(app, name)],
    outfile: join(app, "worker.js"),
    define: {
      SANDBOX_URL: JSON.stringify(url),
      ENVIRONMENT: JSON.stringify({ CATALOGUE_BASE_URL: url, CATALOGUE_TOKEN: TOKEN }),
    },
    bundle: true,
    format: "esm",
    platform: "browser",
    logLevel: "silent",
    allowOverwrite: true,
  });
  expect(warnings).toEqual([]);
  const workerd = frameworkFile("@cloudflare/workerd-linux-64/bin/workerd");
  return succeed(workerd, ["test", "worker.capnp"], { cwd: app });
}

test("tour.mjs runs in workerd", async () => {
  expect(JSON.parse(await runInWorkerd("worker.mjs"))).toEqual(expectedOutcome());
});

test("workerd runs the README's first call, and a proxied call with the recipe's worker", async () => {
  expect(await runInWorkerd("worker-calls.mjs")).toBe(CALLED);
});
