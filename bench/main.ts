/** `npm run bench`: compares the performance of the client and the contract gate with that of other libraries. */
import { availableParallelism } from "node:os";
import {
  buildPackage,
  parseArguments,
  runMain,
  UsageError,
} from "../scripts/shared/command-line.js";
import * as client from "./client.js";
import { OURS, OURS_UNDICI } from "./contenders.js";
import { measureCorrect, measureGate } from "./gate.js";
import { measureMemory, type Peak } from "./memory.js";
import type { Spread } from "./statistics.js";

const USAGE = `Usage: npm run bench [-- [--rounds N] [--memory] [--json]]

Builds the package and compares it with openapi-fetch and with fetch + json(): CPU per call, throughput on loopback,
bundle size, import time, and type instantiations. Also compares the contract gate with ajv and with JSON.parse. The
contenders take turns in each round, so the ratios are meaningful even on a busy machine. Times from different machines
are not comparable.

  --rounds N  rounds per measurement (imports and the gate: N / 5; default: 100)
  --memory    only measure the peak memory of the contract gate on HAR files of 36, 200, and 600 MB
  --json      print all numbers as JSON instead of lines
  -h, --help  print this help

Exit codes: 0 if the CPU and memory budgets hold, 1 if a budget is exceeded or the package cannot be built, 2 for
invalid arguments.`;

/**
 * The maximum ratios between the CPU times that media-catalogue and openapi-fetch add to `fetch`, by response body. With
 * a body of 20 kB, `fetch` takes nine tenths of the time, so an error of 1% changes the ratio by 10%.
 */
const CPU_LIMITS: Readonly<Record<string, number>> = {
  "a tiny body": 1.1,
  "a body of 20 kB": 1.2,
};

/** The maximum time to check correct exchanges, as a multiple of the time to parse their bodies. */
const CHECK_LIMIT = 10;

/** The maximum peak memory of the contract gate, in MB. */
const MEMORY_LIMIT = 130;

await runMain("npm run bench", USAGE, async (args) => {
  const options = {
    rounds: { type: "string", default: "100" },
    memory: { type: "boolean" },
    json: { type: "boolean" },
  } as const;
  const { values } = parseArguments(args, options);
  const rounds = Number(values.rounds);
  if (!Number.isSafeInteger(rounds) || rounds < 4) {
    throw new UsageError(`--rounds must be an integer of at least 4, not ${values.rounds}`);
  }
  if (!buildPackage(2)) return 1;
  if (values.memory) {
    const peaks = await measureMemory([36, 200, 600]);
    console.log(
      values.json ? JSON.stringify(peaks, undefined, 2) : peaks.map(formatPeak).join("\n"),
    );
    return peaks.some(({ peak }) => peak > MEMORY_LIMIT) ? 1 : 0;
  }
  const few = Math.ceil(rounds / 5);
  const results = {
    platform: `Node ${process.version.slice(1)}, ${availableParallelism()} cores`,
    rounds,
    cpu: await client.measureCpu(rounds),
    throughput: [
      ...(await client.measureThroughput(1, 50, rounds)),
      ...(await client.measureThroughput(50, 250, rounds)),
    ],
    sizes: await client.measureSizes(),
    imports: await client.measureImport(few),
    types: await client.measureTypes(),
    gate: await measureGate(few),
    correct: await measureCorrect(few),
  };
  console.log(values.json ? JSON.stringify(results, undefined, 2) : linesOf(results).join("\n"));
  const exceeded = results.cpu.flatMap(({ size, rows }) => {
    const { ratio } = rows.find(({ name }) => name === OURS)!;
    const limit = CPU_LIMITS[size] ?? Infinity;
    return ratio > limit
      ? [`CPU of a call with ${size}: ${ratio.toFixed(2)}, at most ${limit}`]
      : [];
  });
  for (const { description, ratio } of results.correct)
    if (ratio.median > CHECK_LIMIT)
      exceeded.push(`check by ${description}: ${ratio.median.toFixed(1)}, at most ${CHECK_LIMIT}`);
  for (const each of exceeded) console.error(`bench: over budget: ${each}`);
  return exceeded.length > 0 ? 1 : 0;
});

interface Results {
  platform: string;
  rounds: number;
  cpu: { size: string; rows: { name: string; total: Spread; beyond: Spread; ratio: number }[] }[];
  throughput: { name: string; concurrency: number; rate: Spread; ratio: Spread; ofFetch: Spread }[];
  sizes: { name: string; gzip: number }[];
  imports: Spread;
  types: number;
  gate: { name: string; rate: Spread; ratio: Spread }[];
  correct: { description: string; exchanges: number; ratio: Spread }[];
}

function formatPeak({ size, format, peak, ratio }: Peak): string {
  const least = `${ratio.toFixed(2)} × an empty HAR; at most ${MEMORY_LIMIT} MB`;
  return `peak memory for a HAR of ${size} MB, ${format}: ${peak.toFixed(0)} MB (${least})`;
}

function linesOf({ platform, rounds, cpu, sizes, imports, types, ...rest }: Results) {
  const show = ({ low, median, high }: Spread, digits: number) =>
    `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
  return [
    `${platform}, ${rounds} rounds; medians (quartiles)`,
    ...cpu.flatMap(({ size, rows }) =>
      rows.map(({ name, total, beyond, ratio }, index) => {
        const limit = name === OURS && size in CPU_LIMITS ? `; at most ${CPU_LIMITS[size]}` : "";
        const parts = [
          `CPU of a call with ${size}, ${name}: ${show(total, 1)} µs`,
          index > 0 && `, ${show(beyond, 1)} µs more than fetch`,
          index > 1 && ` (${ratio.toFixed(2)} × openapi-fetch${limit})`,
        ];
        return parts.filter(Boolean).join("");
      }),
    ),
    ...rest.throughput.map(({ name, concurrency, rate, ratio, ofFetch }) => {
      const calls = `${rate.median.toFixed(0)} calls/s, ${show(ratio, 2)} × openapi-fetch`;
      const aim =
        name === OURS_UNDICI && concurrency > 1
          ? `, ${show(ofFetch, 2)} × fetch (at least 1.1)`
          : "";
      return `throughput at concurrency ${concurrency}, ${name}: ${calls}${aim}`;
    }),
    ...sizes.map(({ name, gzip }) => `bundle, ${name}: ${(gzip / 1000).toFixed(2)} kB gzip`),
    `import time, minus an empty module's (at most 10 ms): ${show(imports, 1)} ms`,
    `type instantiations for 20 calls (at most 300): ${types}`,
    ...rest.gate.map(({ name, rate, ratio }) => {
      return `check of a page, ${name}: ${rate.median.toFixed(0)}/s, ${show(ratio, 3)} × ajv`;
    }),
    ...rest.correct.map(({ description, exchanges, ratio }) => {
      const check = `check of ${exchanges} correct exchanges by the ${description} description`;
      return `${check}: ${show(ratio, 1)} × JSON.parse (at most ${CHECK_LIMIT})`;
    }),
  ];
}
