import { readFileSync } from "node:fs";
import { redactor } from "../redact.js";
import { CommandError } from "./command-error.js";

const HELP = `Usage: media-catalogue COMMAND [OPTION...]

  contract [PATH...]  judges recorded exchanges by the description of the service
  record              records exchanges of a deployment
  sandbox             serves an offline catalogue that answers from recordings

  -h, --help          print this, or after a command its options
  -v, --version       print the version

Exits with 0 if everything is as described, 1 if something is not, 2 if the command line is wrong or a file cannot be
read or written, 3 if too little could be judged to tell.`;

interface Command {
  help: string;
  /** @returns the exit code */
  run(args: string[], own: readonly string[]): Promise<number>;
}

/** Loaded when they are asked for: the description and its validators take longest to load. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  contract: () => import("../contract/cli/contract.js"),
  record: () => import("../contract/record/record-command.js"),
  sandbox: () => import("../sandbox/command.js"),
};

/** How the command line was started, where it was not by its name. */
export interface Start {
  /** Paths that `contract` judges where it is given none. */
  own?: readonly string[];
  /** The command that prints the help. */
  usage?: string;
}

/**
 * Runs the command line `media-catalogue`. Nothing is thrown: a fault is printed, and never the token.
 * @param args what follows the name of the program
 * @returns the exit code
 */
export async function main(args: readonly string[], start: Start = {}): Promise<number> {
  // What reads our output may have seen enough, such as `head`; the exit code is set before the first byte.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? process.exitCode : fail(error, ""));
  });
  // Nobody is left to be told, and the exit code still tells.
  process.stderr.on("error", () => {});
  const [name = "", ...rest] = args;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const options = load ? rest.slice(0, rest.indexOf("--") + 1 || rest.length) : [name];
  const asks = (...names: string[]) => names.some((each) => options.includes(each));
  try {
    if (asks("--version", "-v")) return print(readVersion());
    if (asks("--help", "-h")) return print(load ? (await load()).help : HELP);
    if (!load) throw new CommandError(unknown(name));
    return await (await load()).run(rest, start.own ?? []);
  } catch (error) {
    return fail(error as Error, start.usage ?? `media-catalogue ${load ? `${name} ` : ""}--help`);
  }
}

/** Says what went wrong. @returns the exit code */
function fail(error: Error, usage: string): number {
  const { name, message, stack, code, syscall } = error as NodeJS.ErrnoException;
  if (name === "AbortError") return 130;
  const exitCode = error instanceof CommandError ? error.exitCode : 2;
  const isUsage = error instanceof CommandError || code?.startsWith("ERR_PARSE_ARGS");
  const problem =
    isUsage || syscall
      ? `${message}${isUsage && exitCode === 2 ? `\nRun ${usage} for the usage.` : ""}`
      : `This should not have happened; please report it:\n${stack}`;
  const redact = redactor([process.env.CATALOGUE_TOKEN ?? ""]);
  process.stderr.write(`media-catalogue: ${redact(problem)}\n`);
  return exitCode;
}

function unknown(name: string): string {
  const known = Object.keys(commands).join(", ");
  return name === ""
    ? `No command: give one of ${known}.`
    : `${name} is no command; known are ${known}.`;
}

function readVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
