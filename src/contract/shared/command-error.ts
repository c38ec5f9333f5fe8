/** An error that the user can fix; the message explains the problem and the fix. */
export class CommandError extends Error {
  constructor(
    message: string,
    /** 2: the command line is invalid, or a file cannot be read or written. */
    readonly exitCode: 1 | 2 = 2,
  ) {
    super(message);
  }
}

/** @throws {CommandError} if the condition does not hold */
export function check(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new CommandError(problem);
}
