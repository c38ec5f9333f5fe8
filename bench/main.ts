/** `npm run bench`: what the client and the contract gate cost beside others, measured in one run. */
import { parsed, runMain, UsageError } from "../scripts/command-line.js";
import { runScript } from "../scripts/start/prepare.js";
import { measureCpu } from "./cpu.js";
import { measureGate } from "./gate.js";
import { measureHeap } from "./heap.js";
import { measureImport } from "./import-time.js";
import { platform, tablesOf, type Results } from "./report.js";
import { measureSizes } from "./size.js";
import { measureThroughput } from "./throughput.js";

const USAGE = `Usage: npm run bench [-- [--rounds N] [--json]]

Builds the package and compares fetch + json(), openapi-fetch and the package: CPU of a call over a stub, throughput on
loopback, bundle size, import time and heap; and the contract gate with other checks of the same page. All are measured
in turn, in many rounds, so that their ratios hold on a busy machine too; times themselves hold for one machine only.

  --rounds N  rounds of each measurement, of import and gate a fifth of them; calls for the heap, in thousands
              (default: 100; about two minutes)
  --json      print all numbers as JSON instead of tables
  -h, --help  print this

Exits with 0 if it is measured, 1 if the package cannot be built, 2 if the arguments are wrong.`;

await runMain("npm run bench", USAGE, async (args) => {
  const values = parsed(args, {
    rounds: { type: "string", default: "100" },
    json: { type: "boolean" },
  });
  const rounds = Number(values.rounds);
  if (!Number.isSafeInteger(rounds) || rounds < 4) {
    throw new UsageError(`--rounds ${values.rounds} is not a whole number of 4 or more`);
  }
  progress("npm run build")(0);
  const problem = await runScript("build");
  if (problem !== undefined) {
    console.error(`bench: npm run build failed:\n${problem}`);
    return 1;
  }
  const results = await measure(rounds);
  if (values.json) console.log(JSON.stringify({ platform, rounds, ...results }, undefined, 2));
  else console.log(`${platform}, ${rounds} rounds\n\n${tablesOf(results)}`);
  return 0;
});

async function measure(rounds: number): Promise<Results> {
  const few = Math.ceil(rounds / 5);
  const cpu = await measureCpu(rounds, progress("CPU of a call"));
  const heap = await measureHeap(rounds * 1000, progress("heap"));
  const throughput = [
    ...(await measureThroughput(1, 50, rounds, progress("throughput at 1"))),
    ...(await measureThroughput(50, 250, rounds, progress("throughput at 50"))),
  ];
  const imports = await measureImport(few, progress("import"));
  const gate = await measureGate(few, progress("gate"));
  return { cpu, throughput, sizes: await measureSizes(), imports, heap, gate };
}

/** Tells on a terminal how far a measurement is. */
function progress(name: string): (done: number) => void {
  return (done) => {
    if (!process.stderr.isTTY) return;
    const percent = Math.floor(done * 100);
    process.stderr.write(percent < 100 ? `\r\x1b[K${name}: ${percent} %` : "\r\x1b[K");
  };
}
