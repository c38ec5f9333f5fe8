import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { serve } from "srvx";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { readCalls, type Call } from "../../scripts/docs/calls.js";
import { llmsText } from "../../scripts/docs/llms.js";
import { readAsset } from "../../scripts/docs/page.js";
import {
  curlSample,
  SANDBOX,
  typescriptSample,
  type CallRequest,
} from "../../scripts/docs/samples.js";
import { typicalCall } from "../../scripts/shared/typical-call.js";
import { typeText } from "../../scripts/docs/schema.js";
import { readDescription, type CheckedDescription } from "../../scripts/description/description.js";
import type { MethodModel } from "../../scripts/description/read-operations.js";
import { listExamples } from "../../src/sandbox/examples.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.js";
import { blocksOf, shownIn, type Block } from "../package/page.js";
import { problemsOf } from "../support/app.js";
import { descriptionFile } from "../support/description.js";
import { root } from "../support/paths.js";
import { execute, succeed } from "../support/run.js";
import { scratchFolder } from "../support/scratch.js";

const alias = {
  "media-catalogue": join(root, "src/index.ts"),
  "media-catalogue/full": join(root, "src/full/index.ts"),
  "media-catalogue/sandbox": join(root, "src/sandbox/index.ts"),
};

let observed: CheckedDescription;
let calls: Call[];
let llms: string;
beforeAll(async () => {
  observed = await readDescription(join(root, "openapi/full.yaml"));
  calls = readCalls(observed, await readDescription(descriptionFile));
  llms = await llmsText(root, calls, observed.document);
});

it("the first program on the landing page prints the output in its comment", async () => {
  const [first] = programsOf(readAsset("index.md"));
  expect(await outputOf(first!.text)).toBe(shownIn(first!));
});

it("the programs on the authentication page print the output in their comments", async () => {
  const programs = programsOf(readAsset("authentication.md"));
  const env = { CATALOGUE_BASE_URL: await sandbox(), CATALOGUE_TOKEN: "any" };
  const output = await outputOf(programs.map(({ text }) => text).join("\n"), env);
  expect(output).toBe(programs.map(shownIn).join(""));
});

it("the programs in llms.txt print the output in their comments", async () => {
  const [handwritten = ""] = readAsset("templates/llms.txt").split("## Methods");
  const programs = programsOf(handwritten);
  expect(programs).toHaveLength(8);
  const output = await outputOf(programs.map(({ text }) => text).join("\n"));
  expect(output).toBe(programs.map(shownIn).join(""));
});

it("llms.txt lists every method with its parameters, and declares the types of all bodies", async () => {
  for (const { operation, specified } of calls) {
    const section = llms.split(`### catalogue.${operation.id}(`)[1]?.split("\n### ")[0] ?? "";
    expect(section, operation.id).toContain(`${operation.method.toUpperCase()} ${operation.path}`);
    for (const { name } of operation.pathParameters) expect(section).toContain(`- \`${name}\`: `);
    for (const schema of bodiesOf(operation)) {
      expect(section, operation.id).toContain(`\`${typeText(schema)}\``);
      for (const [, name] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
        expect(llms).toMatch(new RegExp(`^export (interface|type) ${name}\\b`, "m"));
    }
    expect(section.includes("`media-catalogue/full`"), operation.id).toBe(!specified);
  }
  expect(llms).toContain("- query parameter `query` (string, required): Text to search for.");
});

it("the type declarations in llms.txt compile, so every type that they use is declared", async () => {
  const [stated, added] = llms
    .split("\n## Observed response types")
    .map((part) => blocksOf("", part).filter(({ lang }) => lang === "ts"));
  const declarations = (blocks: Block[]) =>
    blocks.map(({ text }) => text.replaceAll(/^import .*/gm, "")).join("\n");
  const folder = await scratchFolder();
  const files = [join(folder, "stated.ts"), join(folder, "observed.ts")];
  // The full types can redeclare specified types. The specified types are global, because a module can shadow
  // globals.
  const inner = declarations(stated!).replaceAll(/^export (declare )?/gm, "");
  await writeFile(files[0]!, `export {};\ndeclare global {\n${inner}\n}\n`);
  await writeFile(files[1]!, declarations(added!));
  expect(problemsOf(files)).toEqual([]);
  for (const name of ["CatalogueOptions", "CallOptions", "ApiError", "MovieDetail"]) {
    expect(declarations(stated!)).toMatch(new RegExp(`^export .*\\b${name}\\b.* {`, "m"));
  }
  expect(declarations(added!)).toContain("export interface RatedMovie {");
});

it("every TypeScript sample prints its example response", async () => {
  const folder = await scratchFolder();
  const urls = await sandboxes();
  await mkdir(join(folder, "in"));
  for (const { operation, request } of calls) {
    // Makes the sample print JSON, because `console.log` omits deeply nested values.
    const source = typescriptSample(request)
      .replace(SANDBOX, urls[request.module])
      .replace(/console\.log\((.*)\)/, "console.log(JSON.stringify($1))");
    await writeFile(join(folder, "in", `${operation.id}.ts`), source);
  }
  await build({
    entryPoints: calls.map(({ operation }) => join(folder, "in", `${operation.id}.ts`)),
    outdir: join(folder, "out"),
    outExtension: { ".js": ".mjs" },
    alias,
    bundle: true,
    format: "esm",
    platform: "node",
    splitting: true,
  });
  const imports = calls.map(({ operation }) => `await import("./out/${operation.id}.mjs");\n`);
  await writeFile(join(folder, "all.mjs"), imports.join(""));
  const lines = (await succeed(process.execPath, [join(folder, "all.mjs")])).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(calls.map(exampleBody));
});

it("every curl sample prints its example response", async ({ skip }) => {
  if ((await execute("curl", ["--version"]).catch(() => "missing")) === "missing") skip("no curl");
  const urls = await sandboxes();
  const commands = calls.map(({ request }) =>
    curlSample(request).replace(SANDBOX, urls[request.module]),
  );
  const script = commands.map((command) => `${command} --silent; echo\n`).join("");
  const lines = (await succeed("sh", ["-euc", script])).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(calls.map(exampleBody));
});

const programsOf = (text: string) => blocksOf("", text).filter(({ lang }) => lang === "js");

/** Runs a program that imports the package. @returns the program's output */
async function outputOf(program: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const outfile = join(await scratchFolder(), "program.mjs");
  const options = { bundle: true, format: "esm", platform: "node", outfile, alias } as const;
  await build({ ...options, stdin: { contents: program, resolveDir: root } });
  return succeed(process.execPath, [outfile], { env });
}

/** Returns the schemas of the request body and the 2xx responses. */
function bodiesOf({ operation }: MethodModel): unknown[] {
  const successes = operation.responses.filter(({ status }) => status.startsWith("2"));
  return [operation.requestContent, ...successes.map(({ content }) => content)]
    .flatMap(([first]) => first ?? [])
    .map(({ pointer }) => getAtPointer(observed.document, `${pointer}/schema`));
}

function exampleBody({ operation }: Call): unknown {
  return typicalCall(operation, listExamples())!.response.body;
}

/** Starts a sandbox for each module that a sample can import. @returns the URLs of the sandboxes */
async function sandboxes(): Promise<Record<CallRequest["module"], string>> {
  return {
    "media-catalogue": await sandbox(),
    "media-catalogue/full": await sandbox(),
  };
}

async function sandbox({ fetch }: Sandbox = createSandbox()): Promise<string> {
  const server = serve({ fetch, hostname: "127.0.0.1", port: 0, silent: true });
  await server.ready();
  onTestFinished(() => server.close(true));
  return server.url!.replace(/\/$/, "");
}
