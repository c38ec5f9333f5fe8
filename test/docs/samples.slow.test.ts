import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { callOf, codeSamples, SANDBOX, type Call } from "../../scripts/docs/calls.js";
import { asset, readAsset } from "../../scripts/docs/page.js";
import { readDescription } from "../../scripts/generate/description.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { descriptionFile } from "../support/description.js";
import { root } from "../support/paths.js";
import { recordings } from "../support/recordings.js";
import { scratchFolder } from "../support/scratch.js";
import { serve } from "srvx";

const alias = {
  "media-catalogue": join(root, "src/index.ts"),
  "media-catalogue/sandbox": join(root, "src/sandbox/index.ts"),
};

let calls: Call[];
beforeAll(async () => {
  const { operations } = await readDescription(descriptionFile);
  calls = operations.map((operation) => callOf(operation, "TAG"));
});

it("the first call prints the output in its comment", async () => {
  const outfile = join(await scratchFolder(), "first-call.mjs");
  const options = { bundle: true, format: "esm", platform: "node" } as const;
  await build({ ...options, entryPoints: [asset("first-call.mjs")], outfile, alias });
  const [, comment] = /\/\/ (.*)\n$/.exec(readAsset("first-call.mjs"))!;
  expect(await output(process.execPath, [outfile])).toBe(`${comment}\n`);
});

it("every JavaScript sample prints the recorded response", async () => {
  const folder = await scratchFolder();
  const url = await sandbox();
  await mkdir(join(folder, "in"));
  for (const call of calls) {
    // As JSON, because the terminal format omits deeply nested values.
    const source = sample(call, "JavaScript", url).replace(
      /console\.log\((.*)\)/,
      "console.log(JSON.stringify($1))",
    );
    await writeFile(join(folder, "in", `${call.operation.id}.mjs`), source);
  }
  await build({
    entryPoints: calls.map(({ operation }) => join(folder, "in", `${operation.id}.mjs`)),
    outdir: join(folder, "out"),
    outExtension: { ".js": ".mjs" },
    ...{ alias, bundle: true, format: "esm", platform: "node", splitting: true },
  });
  const imports = calls.map(({ operation }) => `await import("./out/${operation.id}.mjs");\n`);
  await writeFile(join(folder, "all.mjs"), imports.join(""));
  const lines = (await output(process.execPath, [join(folder, "all.mjs")])).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(calls.map(recordedBody));
});

it("every curl sample prints the recorded response", async ({ skip }) => {
  if (!(await output("curl", ["--version"]).catch(() => ""))) skip("curl is not installed");
  const url = await sandbox();
  const script = calls.map((call) => `${sample(call, "curl", url)} --silent; echo\n`).join("");
  const lines = (await output("sh", ["-euc", script])).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(calls.map(recordedBody));
});

function sample(call: Call, label: string, url: string): string {
  return codeSamples(call)
    .find((each) => each.label === label)!
    .source.replace(SANDBOX, url);
}

function recordedBody({ operation }: Call): unknown {
  return recordings.find(({ name }) => name === `${operation.id}/typical`)!.response.body;
}

async function sandbox(): Promise<string> {
  const server = serve({
    fetch: createSandbox().fetch,
    hostname: "127.0.0.1",
    port: 0,
    silent: true,
  });
  await server.ready();
  onTestFinished(() => server.close(true));
  return server.url!.replace(/\/$/, "");
}

async function output(command: string, args: string[]): Promise<string> {
  return (await promisify(execFile)(command, args)).stdout;
}
