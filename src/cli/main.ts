import { CommandError } from "../contract/shared/command-error.js";
import { joinChoices } from "../contract/engine/format-value.js";
import { didYouMean } from "../contract/engine/suggest.js";
import { findPackage } from "../contract/shared/find-package.js";
import type { Inputs } from "../contract/input/read.js";
import { createRedactor } from "../client/redact.js";

const HELP = `Usage: media-catalogue COMMAND [OPTION...]

  contract [PATH...]  check recorded exchanges against the description of the service
  record              record exchanges with a deployment
  sandbox             serve the catalogue offline, from example responses

  -h, --help          print this help, or the help of a command
  -v, --version       print the version

Exit codes
  0    everything passed
  1    there are errors
  2    the command line is invalid, or a file cannot be read or written
  3    too few exchanges were validated
  130  recording was interrupted`;

interface Command {
  help: string;
  /** Runs the command and returns the exit code. */
  run(args: string[], mainOptions: MainOptions): Promise<number>;
}

/** Functions that load a command on demand, because the description and its validators are slow to load. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  contract: () => import("./contract-command.js"),
  record: () => import("./record-command.js"),
  sandbox: () => import("./sandbox-command.js"),
};

/** Options for scripts that wrap the command line, such as `npm run contract`. */
export interface MainOptions {
  /** Exchanges that `contract` checks if the command line names no path. */
  loadDefaultExchanges?: Inputs["exchanges"];
  /** The command that a usage error suggests for help. */
  usage?: string;
}

/**
 * Runs the `media-catalogue` command line. Removes the access token and the API key from error messages.
 * @param args the arguments after the program name
 * @returns the exit code
 */
export async function main(
  args: readonly string[],
  mainOptions: MainOptions = {},
): Promise<number> {
  tolerateClosedPipes();
  const [name = "", ...rest] = joinNegativeValues(args);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const command = await load?.();
  const options = command ? rest : [name];
  const hasOption = (...names: string[]) => names.some((each) => options.includes(each));
  try {
    if (hasOption("--version", "-v")) return print(findPackage()?.version ?? "unknown");
    if (hasOption("--help", "-h")) return print(command?.help ?? HELP);
    if (!command) throw new CommandError(unknownCommand(name));
    return await command.run(rest, mainOptions);
  } catch (error) {
    const usage = mainOptions.usage ?? `npx media-catalogue ${command ? `${name} ` : ""}--help`;
    return fail(error as Error, usage, command?.help ?? HELP);
  }
}

/** Joins an option with a negative value, such as `--delay -1`, because `parseArgs` calls the value ambiguous. */
function joinNegativeValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const each of args) {
    const option = /^-\d/.test(each) && /^--[a-z-]+$/.test(joined.at(-1) ?? "") && joined.pop();
    joined.push(option ? `${option}=${each}` : each);
  }
  return joined;
}

/** Prevents a crash if a reader such as `head` closes the pipe early. */
function tolerateClosedPipes(): void {
  if (process.stdout.listeners("error").includes(onOutputError)) return;
  process.stdout.on("error", onOutputError);
  // Ignores errors while writing to standard error, because the exit code still reports the outcome.
  process.stderr.on("error", () => {});
}

function onOutputError(error: NodeJS.ErrnoException): void {
  process.exit(error.code === "EPIPE" ? process.exitCode : fail(error, "", ""));
}

/** Prints an error and returns the exit code. */
function fail(error: Error, usage: string, help: string): number {
  const { message, stack, code, syscall } = error as NodeJS.ErrnoException;
  const isParsing = code?.startsWith("ERR_PARSE_ARGS") ?? false;
  const exitCode = error instanceof CommandError ? error.exitCode : 2;
  const isUsage = error instanceof CommandError || isParsing;
  const problem = isParsing ? parsingProblem(message, help) : message;
  const text =
    isUsage || syscall
      ? `${problem}${isUsage && exitCode === 2 ? `\nrun ${usage} for help` : ""}`
      : `internal error; please report it:\n${stack}`;
  const redact = createRedactor([
    process.env.CATALOGUE_TOKEN ?? "",
    process.env.CATALOGUE_API_KEY ?? "",
  ]);
  process.stderr.write(`media-catalogue: ${redact(text)}\n`);
  return exitCode;
}

/** Rewrites an error message from `parseArgs` in the style of `media-catalogue`. */
function parsingProblem(message: string, help: string): string {
  const [, option] = /^Unknown option '(.*?)'/.exec(message) ?? [];
  if (option !== undefined)
    return `unknown option "${option}"${didYouMean(option, help.match(/--[a-z-]+/g) ?? [])}`;
  const [, valued] = /^Option '(.*?)' argument is ambiguous/.exec(message) ?? [];
  if (valued !== undefined)
    return `option "${valued}" needs a value; write ${valued}=VALUE if the value starts with "-"`;
  const [sentence = ""] = message.split(/\.?(?:\s*$|\n)|\. /, 1);
  return sentence[0]!.toLowerCase() + sentence.slice(1).replaceAll("'", '"');
}

function unknownCommand(name: string): string {
  const known = Object.keys(commands);
  const choices = joinChoices(known);
  if (name === "") return `the command is missing; use ${choices}`;
  return `unknown command "${name}"${didYouMean(name, known) || `; use ${choices}`}`;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
