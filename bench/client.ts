/** `npm run bench`: what the client costs beside fetch and openapi-fetch, measured in one run. */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { BUILT } from "./contenders.js";
import { measureCpu } from "./cpu.js";
import { measureHeap } from "./heap.js";
import { measureImport } from "./import-time.js";
import { platform, tablesOf, type Results } from "./report.js";
import { measureSizes } from "./size.js";
import { measureThroughput } from "./throughput.js";

const USAGE = `Usage: npm run bench [-- --rounds N] [-- --json]

Compares fetch + json(), openapi-fetch and the built package: CPU of a call over a stub, throughput on loopback,
bundle size, import time and heap. All are measured in turn, in many rounds, so that their ratios hold on a busy
machine too; times themselves hold for one machine only.

  --rounds N  rounds of each measurement, of the import a fifth of them (default: 100; about two minutes)
  --json      print all numbers as JSON instead of tables
  -h, --help  print this`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "100" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
const rounds = Number(values.rounds);

if (values.help) console.log(USAGE);
else if (!Number.isSafeInteger(rounds) || rounds < 4) {
  console.error("--rounds is not a whole number of 4 or more");
  process.exitCode = 2;
} else if (!existsSync(BUILT)) {
  console.error("dist is missing: run npm run build");
  process.exitCode = 2;
} else {
  const results = await measure();
  if (values.json) console.log(JSON.stringify({ platform, ...results }, undefined, 2));
  else console.log(`${platform}, ${rounds} rounds\n\n${tablesOf(results)}`);
}

async function measure(): Promise<Results> {
  const cpu = await measureCpu(rounds, progress("CPU of a call"));
  const heap = await measureHeap(100_000, progress("heap"));
  const throughput = [
    ...(await measureThroughput(1, 50, rounds, progress("throughput at 1"))),
    ...(await measureThroughput(50, 250, rounds, progress("throughput at 50"))),
  ];
  const imports = await measureImport(Math.ceil(rounds / 5), progress("import"));
  return { cpu, throughput, sizes: await measureSizes(), imports, heap };
}

/** Tells on a terminal how far a measurement is. */
function progress(name: string): (done: number) => void {
  return (done) => {
    if (!process.stderr.isTTY) return;
    const percent = Math.floor(done * 100);
    process.stderr.write(percent < 100 ? `\r\x1b[K${name}: ${percent} %` : "\r\x1b[K");
  };
}
