import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { parse, stringify } from "yaml";
import type * as Gate from "../src/contract/index.js";
import type { ExampleExchange } from "../src/types/example-exchange.js";

const project = fileURLToPath(new URL("..", import.meta.url));
/** The number of copies of each operation, for each of the three descriptions. */
const COPIES = [1, 7, 26];
const EXCHANGES = 1000;

/** The measured times and sizes for a description. */
export interface Growth {
  operations: number;
  /** The CPU time, in seconds, of `npm run generate` and the processes that it starts. */
  generate: number;
  /** The size of the minified and gzipped validators, in bytes. */
  validators: number;
  client: number;
  /** The type instantiations for an app with one call. */
  instantiations: number;
  /** The time that `tsc` takes to check an app with one call, in seconds. */
  tsc: number;
  /** The time that the gate takes to check 1,000 exchanges, in milliseconds. */
  gate: number;
}

/** Measures times and sizes for descriptions with 1, 7, and 26 copies of every operation. Copies share no schemas. */
export async function measureGrowth(): Promise<Growth[]> {
  const parent = join(project, "node_modules/.cache");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "growth-"));
  try {
    const measured: Growth[] = [];
    for (const copies of COPIES) measured.push(await measure(join(folder, `${copies}`), copies));
    return measured;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(root: string, copies: number): Promise<Growth> {
  await cp(join(project, "src"), join(root, "src"), { recursive: true });
  const examples = "test/example-responses";
  await cp(join(project, examples), join(root, examples), { recursive: true });
  await mkdir(join(root, "openapi"));
  const yaml = await readFile(join(project, "openapi/catalogue.yaml"), "utf8");
  await writeFile(join(root, "openapi/catalogue.yaml"), stringify(copyOperations(yaml, copies)));
  const generate = await runGenerator(root);
  await writeFile(join(root, "app.ts"), APP);
  const { instantiations, tsc } = checkTypes(root);
  const contract = pathToFileURL(join(root, "src/contract/index.ts")).href;
  const { checkExchange, description } = (await import(contract)) as typeof Gate;
  return {
    operations: description.operations.length,
    generate,
    validators: await gzipSize(join(root, "src/generated/validators.js"), false),
    client: await gzipSize(join(root, "src/index.ts"), true),
    instantiations,
    tsc,
    gate: await timeGate(root, (exchange) => void checkExchange(exchange, description)),
  };
}

const APP = `import { createCatalogue } from "./src/index.js";
const catalogue = createCatalogue({ baseUrl: "https://api.example", token: "any" });
export const title: string = (await catalogue.movies.latest()).title;
`;

/**
 * Returns the description with the given number of copies of each path, operation, and schema. Each copy of an object
 * schema has an additional property, so that no two copies are equal.
 */
function copyOperations(yaml: string, copies: number): unknown {
  const document = parse(yaml) as {
    paths: Record<string, unknown>;
    components: { schemas: Record<string, { type?: string; properties?: object }> };
  };
  const { paths, components } = structuredClone(document);
  for (let copy = 2; copy <= copies; copy++) {
    const rename = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll(/#\/components\/schemas\/(\w+)/g, `#/components/schemas/$1${copy}`)
          .replaceAll(/"operationId":"(\w+)\./g, `"operationId":"$1${copy}.`),
      ) as never;
    for (const [path, item] of Object.entries(paths))
      document.paths[path.replace("/3/", `/3/copy${copy}/`)] = rename(item);
    for (const [name, schema] of Object.entries(components.schemas)) {
      const properties = { ...schema.properties, [`copy_${copy}`]: { type: "string" } };
      const own = schema.type === "object" ? { ...schema, properties } : schema;
      document.components.schemas[`${name}${copy}`] = rename(own);
    }
  }
  return document;
}

/** Runs the generator, and returns its CPU time in seconds. Each Node process appends its own CPU time to a file. */
async function runGenerator(root: string): Promise<number> {
  const log = join(root, "cpu.txt");
  const script = `import { appendFileSync } from "node:fs";
process.on("exit", () => { const { user, system } = process.cpuUsage();
appendFileSync(${JSON.stringify(log)}, (user + system) + "\\n"); });`;
  const url = `data:text/javascript,${encodeURIComponent(script)}`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", join(project, "scripts/generate.ts"), "--root", root],
    { cwd: project, encoding: "utf8", env: { ...process.env, NODE_OPTIONS: `--import=${url}` } },
  );
  if (status !== 0) throw new Error(`npm run generate failed:\n${stderr}`);
  const times = (await readFile(log, "utf8")).trim().split("\n").map(Number);
  return times.reduce((sum, each) => sum + each, 0) / 1e6;
}

function checkTypes(root: string): Pick<Growth, "instantiations" | "tsc"> {
  const tsc = join(project, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  const args = [tsc, ...options, "--skipLibCheck", "--extendedDiagnostics", join(root, "app.ts")];
  const { stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(stdout)![1]);
  return { instantiations: read("Instantiations"), tsc: read("Total time") };
}

async function gzipSize(file: string, bundle: boolean): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
  });
  return gzipSync(outputFiles[0]!.text).length;
}

async function timeGate(
  root: string,
  check: (exchange: Parameters<typeof Gate.checkExchange>[0]) => void,
): Promise<number> {
  const module = pathToFileURL(join(root, "src/generated/example-responses.ts")).href;
  const { exampleResponses } = (await import(module)) as {
    exampleResponses: readonly ExampleExchange[];
  };
  const exchanges = exampleResponses.map(({ name, request, response }) => ({
    name,
    request: request as Gate.Exchange["request"],
    response: response as Gate.Exchange["response"],
    locate: () => ({ file: relative(project, root), line: 1, column: 1 }),
  }));
  const run = () => {
    for (let index = 0; index < EXCHANGES; index++) check(exchanges[index % exchanges.length]!);
  };
  run();
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Formats the table for bench/README.md. */
export function growthTable(rows: readonly Growth[]): string {
  const header = [
    "operations",
    "generate, CPU",
    "validators, gzip",
    "client, gzip",
    "instantiations",
    "tsc",
    "gate, 1,000 exchanges",
  ];
  const lines = rows.map((each) => [
    each.operations,
    `${each.generate.toFixed(1)} s`,
    `${(each.validators / 1000).toFixed(1)} kB`,
    `${(each.client / 1000).toFixed(1)} kB`,
    each.instantiations,
    `${each.tsc.toFixed(1)} s`,
    `${each.gate.toFixed(0)} ms`,
  ]);
  const rule = header.map(() => "---");
  return [header, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
