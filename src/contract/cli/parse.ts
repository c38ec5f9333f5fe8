import { parseArgs, type ParseArgsConfig } from "node:util";
import { hint, UsageError } from "./usage-error.js";

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Parses the arguments of a command.
 * @throws {UsageError} an option is unknown or has no value; with a hint where a known one is near
 */
export function parseCommand<const T extends Options>(
  args: string[],
  options: T,
  allowPositionals: boolean,
): ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: boolean }>> {
  try {
    return parseArgs({ args, options, allowPositionals });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ""] = error.message.split(". ");
    const [, unknown] = /^Unknown option '(--?[^']*)'/.exec(problem) ?? [];
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`${problem}.${unknown === undefined ? "" : hint(unknown, known)}`);
  }
}
