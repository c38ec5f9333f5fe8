import { styleText } from "node:util";
import type { Redact } from "../../src/redact.js";
import type { Outcome, Problem } from "./call.js";

type Colour = "green" | "red" | "yellow" | "dim";

/** Longer values are cut off: a problem is one line. */
const LONGEST_VALUE = 120;

/** Writes a run, row by row as it goes on. */
export interface Report {
  /** Says what is under way, on a terminal only, until the next line. */
  progress(text: string): void;
  line(text?: string, colour?: Colour): void;
  header(): void;
  called(outcome: Outcome): void;
  skipped(operation: string, reason: string): void;
  problem(problem: Problem): void;
}

/**
 * Makes a report on a stream. Colours appear on a terminal only, and not where NO_COLOR is set.
 * @param operations the operationIds that will have a row
 * @param redact takes out what never appears, wherever it comes from
 */
export function createReport(
  stream: NodeJS.WriteStream,
  operations: readonly string[],
  redact: Redact,
): Report {
  const width = Math.max(...operations.map((each) => each.length));
  const row = (operation: string, status: string, time: string, verdict: string) =>
    line(`${operation.padEnd(width)}  ${status.padStart(6)}  ${time.padStart(9)}  ${verdict}`);
  const paint = (colour: Colour, text: string) => styleText(colour, text, { stream });

  function line(text = "", colour?: Colour): void {
    const clean = redact(text);
    stream.write(`${stream.isTTY ? "\r\x1b[K" : ""}${colour ? paint(colour, clean) : clean}\n`);
  }

  return {
    line,
    progress: (text) => {
      if (stream.isTTY) stream.write(`\r\x1b[K${paint("dim", redact(text))}`);
    },
    header: () => row("operation", "status", "time", "verdict"),
    called: ({ operation, status, ms, problems }) => {
      const verdict = problems.length === 0 ? paint("green", "passed") : paint("red", "failed");
      row(operation, String(status ?? "-"), `${ms.toFixed(1)} ms`, verdict);
    },
    skipped: (operation, reason) =>
      row(operation, "-", "-", `${paint("yellow", "skipped")}: ${reason}`),
    problem: ({ operation, place, expected, actual, more }) => {
      // Before it is cut, so that no part of a secret is left at the end.
      const value = redact(actual);
      const short = value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
      const others = more === 0 ? "" : ` (and ${more} more like it)`;
      line(`${operation} ${place}: expected ${expected}, got ${short}${others}`);
    },
  };
}
