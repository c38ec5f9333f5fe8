import { readFileSync } from "node:fs";
import type { Stryker } from "@stryker-mutator/core";

type StrykerMutant = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

/** A small change in the code. The text of the line identifies the change, because line numbers change often. */
export interface Mutant {
  /** The line of code on which the change starts. */
  code: string;
  mutator: string;
  original: string;
  replacement: string;
}

/** A mutant with its test result. */
export interface PlantedMutant extends Mutant {
  file: string;
  line: number;
  status: StrykerMutant["status"];
}

/** The mutants that no test can or should detect, by file. */
export type Reasons = Readonly<Record<string, readonly (Mutant & { reason: string })[]>>;

export interface Score {
  /** The share of mutants that the tests detect, in percent. */
  score: number;
  detected: number;
  total: number;
  /** The survivors without a reason. */
  unexplained: PlantedMutant[];
  /** Listed reasons whose mutant does not exist, or is detected by a test. */
  stale: string[];
}

/** Calculates the score of a file or folder, and compares its survivors with the listed reasons. */
export function scoreMutants(
  mutants: readonly PlantedMutant[],
  path: string,
  reasons: Reasons,
): Score {
  // Stryker ignores static mutants, which run while a module is loaded.
  const tested = mutants.filter(({ status }) => status !== "Ignored");
  const survivors = tested.filter(({ status }) => ["Survived", "NoCoverage"].includes(status));
  // A timeout does not prove that a reason is stale, because the machine might just be busy.
  const undetected = tested.filter(({ status }) => status !== "Killed");
  const listed = Object.entries(reasons).filter(([file]) => `${file}/`.startsWith(`${path}/`));
  const [detected, total] = [tested.length - survivors.length, tested.length];
  return {
    score: total === 0 ? 100 : (100 * detected) / total,
    detected,
    total,
    unexplained: survivors.filter((each) => !reasons[each.file]?.some((it) => isSame(it, each))),
    stale: listed.flatMap(([file, entries]) =>
      entries
        .filter((entry) => !undetected.some((it) => it.file === file && isSame(entry, it)))
        .map((entry) => `${file} ${format(entry)}`),
    ),
  };
}

function isSame(a: Mutant, b: Mutant): boolean {
  const names = ["code", "mutator", "original", "replacement"] as const;
  return names.every((name) => a[name] === b[name]);
}

/** Formats a mutant on one line. */
export function format({ mutator, original, replacement }: Mutant): string {
  return `${mutator}: ${original} -> ${replacement}`;
}

/** Adds the original code to Stryker's results. Lines and columns start at 1. */
export function readMutants(results: readonly StrykerMutant[], root: string): PlantedMutant[] {
  return results.map(({ fileName, location, mutatorName, replacement = "", status }) => {
    const { start, end } = location;
    const lines = readFileSync(fileName, "utf8")
      .split("\n")
      .slice(start.line - 1, end.line);
    const code = shorten(lines[0]!.trim());
    lines.push(lines.pop()!.slice(0, end.column - 1));
    lines[0] = lines[0]!.slice(start.column - 1);
    return {
      file: fileName.slice(root.length),
      line: start.line,
      status,
      code,
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
