import { nearest } from "../contract/engine/nearest.js";

/** An error that the user can fix; the message says what is wrong and what to do. */
export class CommandError extends Error {
  constructor(
    message: string,
    /** 2: the command line is wrong, or a file cannot be read or written. */
    readonly exitCode: 1 | 2 = 2,
  ) {
    super(message);
  }
}

/** @throws {CommandError} if the condition does not hold */
export function check(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new CommandError(problem);
}

/** A hint for a word that is not one of the known ones; empty if none is close. */
export function didYouMean(word: string, known: readonly string[]): string {
  // The longest first: a known word that the given one starts with counts as close, too.
  const meant = nearest(
    word,
    known.toSorted((a, b) => b.length - a.length),
  );
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}
