import { redactor } from "../../redact.js";
import { CONTRACT_HELP, MAIN_HELP, readVersion, SANDBOX_HELP } from "./help.js";
import { hint, UsageError } from "./usage-error.js";

interface Command {
  help: string;
  run(args: string[], own: readonly string[]): Promise<number>;
}

/** Loaded when they are asked for: the description and its validators take longest to load. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  contract: async () => {
    const { contractCommand: run } = await import("./contract.js");
    return { help: CONTRACT_HELP, run };
  },
  record: async () => {
    const { RECORD_HELP: help, recordCommand: run } = await import("../record/command.js");
    return { help, run };
  },
  sandbox: async () => {
    const { sandboxCommand: run } = await import("./sandbox.js");
    return { help: SANDBOX_HELP, run };
  },
};

/**
 * Runs the command line `media-catalogue`. Nothing is thrown: a fault is printed, and never the token.
 * @param args what follows the name of the program
 * @param own paths that `contract` judges where it is given none
 * @returns the exit code
 */
export async function main(args: readonly string[], own: readonly string[] = []): Promise<number> {
  // What reads our output may have seen enough, such as `head`; the exit code is set before the first byte.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  const [name = "", ...rest] = args;
  try {
    if (name === "--help" || name === "-h") return print(MAIN_HELP);
    if (name === "--version" || name === "-v") return print(readVersion());
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!load) throw new UsageError(unknown(name, Object.keys(commands)));
    const options = new Set(rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest);
    if (options.has("--version") || options.has("-v")) return print(readVersion());
    const { help, run } = await load();
    if (options.has("--help") || options.has("-h")) return print(help);
    return await run(rest, own);
  } catch (error) {
    const known = Object.hasOwn(commands, name) ? `${name} ` : "";
    const problem =
      error instanceof UsageError
        ? `${error.message}\nRun media-catalogue ${known}--help for the usage.`
        : `This should not have happened; please report it:\n${(error as Error).stack}`;
    const redact = redactor([process.env.CATALOGUE_TOKEN ?? ""]);
    process.stderr.write(`media-catalogue: ${redact(problem)}\n`);
    return 2;
  }
}

function unknown(name: string, known: readonly string[]): string {
  if (name === "") return `No command: give one of ${known.join(", ")}.`;
  return `${name} is no command; known are ${known.join(", ")}.${hint(name, known)}`;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
