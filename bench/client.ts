import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import {
  BUILT,
  BUILT_FULL,
  contenders,
  FETCH,
  HEADERS,
  OPENAPI_FETCH,
  OURS,
  pageOf,
  undiciContender,
} from "./contenders.js";
import { fastestOf, interleave, spreadOf } from "./statistics.js";

const run = promisify(execFile);
const NAMES =
  "createCatalogue, paginate, CatalogueError, ApiError, InvalidJsonError, ConnectionError, TimeoutError";

/** Runs a measurement while a stub replaces the global `fetch`. */
async function withStub<Result>(
  respond: () => Response,
  measure: () => Promise<Result>,
): Promise<Result> {
  const real = globalThis.fetch;
  globalThis.fetch = async () => respond();
  try {
    return await measure();
  } finally {
    globalThis.fetch = real;
  }
}

const [tiny, large] = [pageOf(0), pageOf(100)];
const free = { ok: true, status: 200, headers: new Headers(HEADERS), body: null, bodyUsed: false };

/** The stub's responses, from the cheapest to the most expensive to read. */
const RESPONSES: Readonly<Record<string, () => Response>> = {
  "no body to read": () =>
    ({ ...free, text: async () => tiny, json: async () => null }) as unknown as Response,
  "a tiny body": () => new Response(tiny, { headers: HEADERS }),
  "a body of 20 kB": () => new Response(large, { headers: HEADERS }),
};

/** Measures the CPU time of all threads per call, in microseconds, for each of the stub's responses. */
export async function measureCpu(rounds: number) {
  const sizes = [];
  for (const [size, respond] of Object.entries(RESPONSES))
    sizes.push({ size, rows: await measureCpuOf(respond, rounds) });
  return sizes;
}

/**
 * Measures the CPU time per call for one of the stub's responses. In the result, `beyond` is the time that a client
 * adds to `fetch + json()`.
 */
function measureCpuOf(respond: () => Response, rounds: number) {
  return withStub(respond, async () => {
    const calls = await contenders("https://catalogue.example");
    const measured = await interleave(Object.keys(calls), rounds, async (name) => {
      const before = process.cpuUsage();
      for (let count = 0; count < 500; count += 1) await calls[name]!();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 500;
    });
    const rows = Object.entries(measured).map(([name, totals]) => {
      const beyond = totals.map((total, round) => total - measured[FETCH]![round]!);
      return { name, total: spreadOf(totals), beyond: spreadOf(beyond) };
    });
    const added = (name: string) => fastestOf(measured[name]!) - fastestOf(measured[FETCH]!);
    return rows.map((row) => ({ ...row, ratio: added(row.name) / added(OPENAPI_FETCH) }));
  });
}

/** Measures the calls per second to a loopback server, which runs in another process. */
export async function measureThroughput(concurrency: number, calls: number, rounds: number) {
  const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)));
  try {
    const [port] = (await once(server, "message")) as [number];
    const url = `http://127.0.0.1:${port}`;
    const all = { ...(await contenders(url)), ...(await undiciContender(url)) };
    const rateOf = async (name: string) => {
      const start = performance.now();
      let left = calls;
      const work = async () => {
        for (; left > 0; left -= 1) await all[name]!();
      };
      await Promise.all(Array.from({ length: concurrency }, work));
      return (calls / (performance.now() - start)) * 1000;
    };
    const measured = await interleave(Object.keys(all), rounds, rateOf);
    return Object.entries(measured).map(([name, rates]) => {
      const beside = (other: string) =>
        spreadOf(rates.map((rate, round) => rate / measured[other]![round]!));
      const ratios = { ratio: beside(OPENAPI_FETCH), ofFetch: beside(FETCH) };
      return { name, concurrency, rate: spreadOf(rates), ...ratios };
    });
  } finally {
    server.kill();
  }
}

/** Measures the time to import the package in a new process, in milliseconds, minus the time for an empty module. */
export async function measureImport(rounds: number) {
  const urls = { empty: new URL("empty.js", import.meta.url).href, ours: BUILT.href };
  const measured = await interleave(Object.keys(urls), rounds, async (name) => {
    const url = JSON.stringify(urls[name as keyof typeof urls]);
    const script = `const start = performance.now(); await import(${url}); console.log(performance.now() - start);`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script]);
    return Number(stdout);
  });
  return spreadOf(measured["ours"]!.map((time, round) => time - measured["empty"]![round]!));
}

/** Measures the bundle sizes in bytes of openapi-fetch and of both clients, minified for browsers by esbuild. */
export async function measureSizes() {
  const sizeOf = async (name: string, contents: string) => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      write: false,
      format: "esm",
      platform: "browser",
      logLevel: "error",
    });
    const { contents: bytes } = outputFiles[0]!;
    return { name, minified: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
  };
  const ours = JSON.stringify(fileURLToPath(BUILT));
  const full = JSON.stringify(fileURLToPath(BUILT_FULL));
  return [
    await sizeOf(OPENAPI_FETCH, 'export { default } from "openapi-fetch"'),
    await sizeOf(OURS, `export { ${NAMES} } from ${ours}`),
    await sizeOf(`${OURS}/full`, `export { ${NAMES} } from ${full}`),
  ];
}

/** Counts the type instantiations for an app with 20 calls, minus the instantiations for an empty file. */
export async function measureTypes() {
  const folder = fileURLToPath(new URL("../.tmp/bench/", import.meta.url));
  await mkdir(folder, { recursive: true });
  const calls = new URL("../test/types/twenty-calls.test-d.ts", import.meta.url);
  const source = (await readFile(calls, "utf8")).replace("../../src/index.js", "media-catalogue");
  const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const options = "--noEmit --strict --skipLibCheck --extendedDiagnostics --target es2022";
  const costOf = async (name: string, text: string) => {
    await writeFile(`${folder}${name}`, text);
    const args = [tsc, ...options.split(" "), "--module", "nodenext", `${folder}${name}`];
    const { stdout } = await run(process.execPath, args);
    return Number(/^Instantiations: +(\d+)$/m.exec(stdout)![1]);
  };
  return (await costOf("calls.ts", source)) - (await costOf("empty.ts", "export {};\n"));
}
