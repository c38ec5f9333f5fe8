import { availableParallelism } from "node:os";
import { FETCH, OPENAPI_FETCH, OURS } from "./contenders.js";
import type { Cpu } from "./cpu.js";
import type { GateSpeed } from "./gate.js";
import type { Heap } from "./heap.js";
import type { ImportTime } from "./import-time.js";
import type { Size } from "./size.js";
import type { Spread } from "./statistics.js";
import type { Throughput } from "./throughput.js";

/** All that one run measured. */
export interface Results {
  cpu: Cpu[];
  throughput: Throughput[];
  sizes: Size[];
  imports: ImportTime;
  heap: Heap;
  gate: GateSpeed[];
}

interface Aim {
  text: string;
  value: string;
  met: boolean;
}

/** Where it ran, as far as it matters for the numbers. */
export const platform = `Node ${process.version.slice(1)}, ${availableParallelism()} cores`;

/** What is to hold, and whether it did. */
export function aimsOf({ cpu, throughput, sizes, imports, heap }: Results): Aim[] {
  const ours = cpu.find(({ name }) => name === OURS)!;
  const theirs = cpu.find(({ name }) => name === OPENAPI_FETCH)!;
  const size = sizes.find(({ name }) => name === OURS)!;
  return [
    {
      text: `CPU of a call beyond ${FETCH} at most that of ${OPENAPI_FETCH}`,
      value: ours.ratio.toFixed(2),
      met: ours.beyond.median <= theirs.beyond.median,
    },
    ...throughput
      .filter(({ name }) => name === OURS)
      .map(({ concurrency, ratio }) => {
        const other = throughput.find(
          (each) => each.name === OPENAPI_FETCH && each.concurrency === concurrency,
        )!;
        return {
          text: `throughput at ${concurrency} at least that of ${OPENAPI_FETCH}`,
          value: (ratio.median / other.ratio.median).toFixed(2),
          met: ratio.median >= other.ratio.median,
        };
      }),
    { text: "bundle at most 7.0 kB gzip", value: kilobytes(size.gzip), met: size.gzip <= 7000 },
    {
      text: "import at most 10 ms beyond an empty module",
      value: `${imports.beyond.median.toFixed(1)} ms`,
      met: imports.beyond.median <= 10,
    },
    {
      text: `heap flat over ${heap.calls.toLocaleString("en")} calls`,
      value: `${(heap.growth / 1000).toFixed(0)} kB more`,
      met: heap.growth < 500_000,
    },
  ];
}

/** The results as a Markdown document's tables, which read as well on a terminal. */
export function tablesOf(results: Results): string {
  const { cpu, throughput, sizes, imports, gate } = results;
  return [
    table(
      ["CPU of a call", "µs", "beyond fetch (quartiles)", "of openapi-fetch"],
      cpu.map(({ name, total, beyond, ratio }) => [
        name,
        total.median.toFixed(1),
        name === FETCH ? "" : spread(beyond, 1),
        name === FETCH ? "" : ratio.toFixed(2),
      ]),
    ),
    table(
      ["throughput on loopback", "at once", "calls a second", "of fetch (quartiles)"],
      throughput.map(({ name, concurrency, rate, ratio }) => [
        name,
        String(concurrency),
        rate.median.toFixed(0),
        name === FETCH ? "" : spread(ratio, 2),
      ]),
    ),
    table(
      ["bundle for browsers", "minified", "gzip"],
      sizes.map(({ name, minified, gzip }) => [name, kilobytes(minified), kilobytes(gzip)]),
    ),
    table(
      ["import", "ms (quartiles)"],
      [
        ["an empty module", spread(imports.empty, 1)],
        ["media-catalogue", spread(imports.ours, 1)],
        ["beyond", spread(imports.beyond, 1)],
      ],
    ),
    table(
      ["aim", "measured", "met"],
      aimsOf(results).map(({ text, value, met }) => [text, value, met ? "yes" : "no"]),
    ),
    table(
      ["check of a page", "checks a second", "of ajv (quartiles)"],
      gate.map(({ name, rate, ratio }) => [name, rate.median.toFixed(0), spread(ratio, 3)]),
    ),
  ].join("\n\n");
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function spread({ low, median, high }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(2)} kB`;
}
