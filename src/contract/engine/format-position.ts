import type { Position } from "./types.js";

/** Formats a position as `file:line:column`, which terminals and editors turn into a link. */
export function formatPosition({ file, line, column }: Partial<Position>): string {
  return [file, line, column].filter((each) => each !== undefined).join(":");
}

/** Formats a problem as its message, preceded by its position if there is one. */
export function formatProblem(problem: Partial<Position> & { message: string }): string {
  return [formatPosition(problem), problem.message].filter(Boolean).join(" ");
}
