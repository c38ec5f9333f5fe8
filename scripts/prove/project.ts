import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkExchange } from "../../src/contract/index.js";
import type { Description, Exchange, Finding } from "../../src/contract/index.js";

/** Why mutants of one operator survive at one schema or below it. */
export interface Waiver {
  operator: string;
  /** Pointer into the description. */
  spec: string;
  reason: string;
}

/** Accepted exceptions: uncovered statements, by dimension and item, and mutants that may survive. */
export interface Reasons {
  coverage: Record<string, Record<string, string>>;
  waivers: Waiver[];
}

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The exceptions of this project. An unnecessary exception fails the proof. */
export const reasons = JSON.parse(
  readFileSync(`${root}scripts/prove/reasons.json`, "utf8"),
) as Reasons;

/** The recordings of this project, read independently of the gate. */
export function readRecordings(): Exchange[] {
  const folder = `${root}test/recordings`;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".json"))
    .toSorted()
    .map((file) => ({
      ...(JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Exchange),
      name: file,
      locate: (place: string) => ({ file: `${file} ${place}`, line: 1, column: 1 }),
    }));
}

/** The findings that reveal a fault, so not gaps. */
export function faultsIn(exchange: Exchange, description: Description): Finding[] {
  return checkExchange(exchange, description).filter(({ verdict }) => verdict !== "gap-observed");
}

/** Prints the result of a proof. @returns its exit code: 1 if there is a problem */
export function report(summary: readonly string[], problems: readonly string[]): number {
  for (const line of summary) console.log(line);
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
}
