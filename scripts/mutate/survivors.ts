import { readFileSync } from "node:fs";
import type { Stryker } from "@stryker-mutator/core";

type StrykerMutant = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

/** A small change in the code. Lines can move, so they do not identify it. */
export interface Mutant {
  mutator: string;
  original: string;
  replacement: string;
}

/** A tested mutant with its result. */
export interface PlantedMutant extends Mutant {
  file: string;
  line: number;
  status: StrykerMutant["status"];
}

/** The mutants that no test can or should detect, by file. */
export type Reasons = Readonly<Record<string, readonly (Mutant & { reason: string })[]>>;

export interface Verdict {
  /** The share of mutants that the tests detect, in percent. */
  score: number;
  noticed: number;
  total: number;
  /** Survivors without a reason. */
  unexplained: PlantedMutant[];
  /** Reasons whose mutant does not exist, or is detected by a test. */
  stale: string[];
}

/** Compares the mutants of a file or folder with the reasons for its survivors. */
export function weigh(mutants: readonly PlantedMutant[], path: string, reasons: Reasons): Verdict {
  // Stryker ignores static mutants, which run while a module is loaded.
  const tested = mutants.filter(({ status }) => status !== "Ignored");
  const survivors = tested.filter(({ status }) => ["Survived", "NoCoverage"].includes(status));
  // On a busy machine, a mutant that no test can detect might time out.
  const unnoticed = tested.filter(({ status }) => status !== "Killed");
  const listed = Object.entries(reasons).filter(([file]) => `${file}/`.startsWith(`${path}/`));
  const [noticed, total] = [tested.length - survivors.length, tested.length];
  return {
    score: total === 0 ? 100 : (100 * noticed) / total,
    noticed,
    total,
    unexplained: survivors.filter((each) => !reasons[each.file]?.some((it) => isSame(it, each))),
    stale: listed.flatMap(([file, entries]) =>
      entries
        .filter((entry) => !unnoticed.some((it) => it.file === file && isSame(entry, it)))
        .map((entry) => `${file} ${format(entry)}`),
    ),
  };
}

function isSame(a: Mutant, b: Mutant): boolean {
  return a.mutator === b.mutator && a.original === b.original && a.replacement === b.replacement;
}

/** Formats a mutant on one line. */
export function format({ mutator, original, replacement }: Mutant): string {
  return `${mutator}: ${original} -> ${replacement}`;
}

/** Adds the original text to Stryker's results, whose lines and columns start at 1. */
export function readMutants(results: readonly StrykerMutant[], root: string): PlantedMutant[] {
  return results.map(({ fileName, location, mutatorName, replacement = "", status }) => {
    const { start, end } = location;
    const lines = readFileSync(fileName, "utf8")
      .split("\n")
      .slice(start.line - 1, end.line);
    lines.push(lines.pop()!.slice(0, end.column - 1));
    lines[0] = lines[0]!.slice(start.column - 1);
    return {
      file: fileName.slice(root.length),
      line: start.line,
      status,
      mutator: mutatorName,
      original: shorten(lines.join("\n")),
      replacement: shorten(replacement),
    };
  });
}

function shorten(code: string): string {
  const line = code.replace(/\s+/g, " ");
  return line.length <= 120 ? line : `${line.slice(0, 120)}…`;
}
