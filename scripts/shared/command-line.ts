import { spawnSync } from "node:child_process";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { DescriptionError } from "./description-error.js";

/** Thrown if the arguments or the environment of a script are invalid. The message explains the fix. */
export class UsageError extends Error {}

/** Parses the arguments of a script. @throws {UsageError} if an argument is unknown, or its value is missing */
export function parseArguments<Options extends NonNullable<ParseArgsConfig["options"]>>(
  args: string[],
  options: Options,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args, options, allowPositionals });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/**
 * Runs a script and exits with the code that its main function returns. `--help` prints the usage and exits with 0;
 * invalid arguments exit with 2.
 * @param command the command that a user types, such as `npm run docs`
 * @param usage the text for `--help`, whose first paragraph shows the syntax
 */
export async function runMain(
  command: string,
  usage: string,
  main: (args: string[]) => Promise<number>,
): Promise<void> {
  const args = process.argv.slice(2);
  // A program that reads the output, such as `head`, can close the pipe early.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    return;
  }
  try {
    process.exitCode = await main(args);
  } catch (error) {
    const name = command.split(" ").at(-1);
    if (error instanceof DescriptionError) {
      console.error(`${name}: ${error.message}`);
      process.exitCode = 1;
      return;
    }
    if (!(error instanceof UsageError)) throw error;
    const [synopsis] = usage.split("\n\n");
    const hint = `${command} -- --help lists the options.`;
    console.error(`${name}: ${error.message}\n${synopsis}\n${hint}`);
    process.exitCode = 2;
  }
}

/** Builds dist. @param output the file descriptor for messages @returns whether the build succeeded */
export function buildPackage(output: 1 | 2): boolean {
  const args = ["--import", "tsx", "scripts/build.ts"];
  const cwd = `${import.meta.dirname}/../..`;
  return spawnSync(process.execPath, args, { cwd, stdio: ["ignore", output, 2] }).status === 0;
}
