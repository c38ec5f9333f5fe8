import { nearest } from "../contract/engine/short.js";

/** An error that the user can fix; the message explains the problem and the fix. */
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

/** A hint for an unknown word; empty if no known word is close. */
export function didYouMean(word: string, known: readonly string[]): string {
  // Longest first, because a known word also counts as close if the given word starts with it.
  const meant = nearest(
    word,
    known.toSorted((a, b) => b.length - a.length),
  );
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}
