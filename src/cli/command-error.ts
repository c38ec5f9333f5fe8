/** What ends a command and can be mended by who gave it; the message says what is wrong, and what to do. */
export class CommandError extends Error {
  constructor(
    message: string,
    /** 2: the command line is wrong, or a file cannot be read or written. */
    readonly exitCode: 1 | 2 = 2,
  ) {
    super(message);
  }
}

/** @throws {CommandError} a condition does not hold */
export function check(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new CommandError(problem);
}
