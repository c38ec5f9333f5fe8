import { parseCommand } from "../cli/parse.js";
import { UsageError } from "../cli/usage-error.js";
import { LeakError } from "./leak-error.js";
import { record } from "./record.js";
import type { RunOptions } from "./run.js";
import { tokenFrom } from "./token.js";

/** What `media-catalogue record --help` prints. */
export const RECORD_HELP = `Usage: media-catalogue record --base-url URL [OPTION...]

Calls a deployment and writes each answer to <operationId>/<case>.json, with stand-ins for secrets and for what is
personal. The access token is taken from CATALOGUE_TOKEN. One call after another; Retry-After is obeyed.

  --base-url URL    absolute http(s) URL of the deployment
  --out FOLDER      the folder of the recordings (default: test/recordings)
  --plan FILE       what to call: a JSON list of { operation, case, path?, query?, body?, error? }; a value
                    "$CATALOGUE_X" is taken from the environment (default: each operation that reads and needs no account)
  --write           also calls operations of the plan that change something
  --update          records again what is recorded already
  --allow-insecure  sends the token over plain http to a host that is not loopback
  -h, --help        print this
  -v, --version     print the version

Exits with 0 if all was recorded or kept, 1 if a call failed or a secret was found in a recording (which is removed),
2 if the command line or the plan is wrong or a file cannot be written, 130 if interrupted; files are always whole.`;

/** The options that `record` and `contract --live` share. */
export const RUN_OPTIONS = {
  "base-url": { type: "string" },
  plan: { type: "string" },
  write: { type: "boolean", default: false },
  "allow-insecure": { type: "boolean", default: false },
} as const;

interface RunValues {
  "base-url"?: string | undefined;
  plan?: string | undefined;
  write: boolean;
  "allow-insecure": boolean;
}

/**
 * The options of a run from those of the command line, and from the environment.
 * @throws {UsageError} an option or the token is missing
 */
export function runOptionsOf(values: RunValues): RunOptions {
  const { "base-url": baseUrl, plan, write, "allow-insecure": allowInsecure } = values;
  if (!baseUrl) throw new UsageError("No --base-url: give the absolute URL of a deployment.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  const rest = { baseUrl, plan, write, allowInsecure, log, signal: stop.signal };
  return { ...rest, token: tokenFrom(process.env) };
}

/** Runs `media-catalogue record`. @returns the exit code */
export async function recordCommand(args: string[]): Promise<number> {
  const options = {
    ...RUN_OPTIONS,
    out: { type: "string", default: "test/recordings" },
    update: { type: "boolean", default: false },
  } as const;
  const { values } = parseCommand(args, options, false);
  return asUsage(async () => {
    const { recorded, kept, failed, leftOut } = await record({
      ...runOptionsOf(values),
      ...values,
    });
    for (const { name, reason } of leftOut) log(`left out ${name}: ${reason}`);
    const counts = `${recorded.length} recorded, ${kept.length} kept, ${failed.length} failed`;
    process.stdout.write(`${counts}, ${leftOut.length} left out\n`);
    return failed.length > 0 ? 1 : 0;
  });
}

/** Tells what the caller can mend from what should not happen. */
export async function asUsage(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const { name, message, syscall } = error as NodeJS.ErrnoException;
    if (name === "AbortError") return 130;
    if (error instanceof TypeError || syscall !== undefined) throw new UsageError(message);
    if (!(error instanceof LeakError)) throw error;
    log(message);
    return 1;
  }
}

/** The standard output is for results alone. */
function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
