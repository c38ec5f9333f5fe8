/** An error that the user can fix; the message explains the problem and the fix. */
export class CommandError extends Error {
  constructor(
    message: string,
    /** The exit code: 2 if the command line is invalid or a file cannot be read or written, and 1 for other errors. */
    readonly exitCode: 1 | 2 = 2,
  ) {
    super(message);
  }
}

/** Checks a condition. @throws {CommandError} if the condition is false */
export function check(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new CommandError(problem);
}
