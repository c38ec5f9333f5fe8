import { createRequire } from "node:module";
import { CommandError } from "../contract/shared/command-error.js";
import { didYouMean } from "../contract/engine/suggest.js";
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
  1    there are failures
  2    the command line is invalid, or a file cannot be read or written
  3    too few exchanges were validated
  130  recording was interrupted`;

interface Command {
  help: string;
  /** @returns the exit code */
  run(args: string[], start: MainOptions): Promise<number>;
}

/** Loads commands on demand, because the description and its validators are slow to load. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  contract: () => import("./contract-command.js"),
  record: () => import("./record-command.js"),
  sandbox: () => import("./sandbox-command.js"),
};

/** Options for scripts that start the command line under another name. */
export interface MainOptions {
  /** Paths that `contract` checks if the command line names none. */
  defaultPaths?: readonly string[];
  /** Exchanges that `contract` checks after the default paths. */
  defaultExchanges?: Inputs["exchanges"];
  /** The command that prints the help. */
  usage?: string;
}

/**
 * Runs the `media-catalogue` command line. Prints errors without the token.
 * @param args the arguments after the program name
 * @returns the exit code
 */
export async function main(args: readonly string[], start: MainOptions = {}): Promise<number> {
  tolerateClosedPipes();
  const [name = "", ...rest] = args;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const command = await load?.();
  const options = command ? rest : [name];
  const asks = (...names: string[]) => names.some((each) => options.includes(each));
  try {
    if (asks("--version", "-v")) return print(readVersion());
    if (asks("--help", "-h")) return print(command?.help ?? HELP);
    if (!command) throw new CommandError(unknownCommand(name));
    return await command.run(rest, start);
  } catch (error) {
    const usage = start.usage ?? `npx media-catalogue ${command ? `${name} ` : ""}--help`;
    return fail(error as Error, usage, command?.help ?? HELP);
  }
}

/** A reader such as `head` can close the pipe early. */
function tolerateClosedPipes(): void {
  if (process.stdout.listeners("error").includes(onOutputError)) return;
  process.stdout.on("error", onOutputError);
  // Nothing reads the output anymore; the exit code still reports the result.
  process.stderr.on("error", () => {});
}

function onOutputError(error: NodeJS.ErrnoException): void {
  process.exit(error.code === "EPIPE" ? process.exitCode : fail(error, "", ""));
}

/** Prints an error. @returns the exit code */
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
  const redact = createRedactor([process.env.CATALOGUE_TOKEN ?? ""]);
  process.stderr.write(`media-catalogue: ${redact(text)}\n`);
  return exitCode;
}

/** Rewrites an error message of `parseArgs`. */
function parsingProblem(message: string, help: string): string {
  const [, option] = /^Unknown option '(.*?)'/.exec(message) ?? [];
  if (option !== undefined)
    return `unknown option "${option}"${didYouMean(option, help.match(/--[a-z-]+/g) ?? [])}`;
  const [sentence = ""] = message.split(/\.?(?:\s*$|\n)|\. /, 1);
  return sentence[0]!.toLowerCase() + sentence.slice(1).replaceAll("'", '"');
}

function unknownCommand(name: string): string {
  const known = Object.keys(commands);
  if (name === "") return `the command is missing; use ${known.join(", ")}`;
  return `unknown command "${name}"${didYouMean(name, known) || `; use ${known.join(", ")}`}`;
}

function readVersion(): string {
  const manifest = createRequire(import.meta.url)("media-catalogue/package.json") as {
    version: string;
  };
  return manifest.version;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
