import type { Occurrence } from "./types.js";
import type { Position } from "../../types/exchange.js";

/** Formats a position as `file:line:column`, which terminals and editors turn into a link. */
export function formatPosition({ file, line, column }: Partial<Position>): string {
  return [file, line, column].filter((each) => each !== undefined).join(":");
}

/** Formats a problem as its message, preceded by its position if there is one. */
export function formatProblem(problem: Partial<Position> & { message: string }): string {
  return [formatPosition(problem), problem.message].filter(Boolean).join(" ");
}

/** Formats where an occurrence is: its position or, if the exchange comes from no file, the name of the exchange. */
export function formatOccurrence(occurrence: Occurrence): string {
  return formatPosition(occurrence) || occurrence.exchange;
}
