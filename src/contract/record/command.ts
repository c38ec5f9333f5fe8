import { parseArgs } from "node:util";
import { check } from "../../cli/command-error.js";
import { record } from "./record.js";
import type { RunOptions } from "./run.js";

/** What `media-catalogue record --help` prints. */
export const help = `Usage: media-catalogue record --base-url URL [OPTION...]

Calls a deployment and writes each answer to <operationId>/<case>.json, with stand-ins for secrets and for what is
personal. The access token is taken from CATALOGUE_TOKEN. One call after another; Retry-After is obeyed.

  --base-url URL  absolute http(s) URL of the deployment
  --out FOLDER    the folder of the recordings (default: test/recordings)
  --plan FILE     what to call: a JSON list of { operation, case, path?, query?, body?, error? }; a value
                  "$CATALOGUE_X" is taken from the environment (default: each operation that reads and needs no account)
  --write         also calls operations of the plan that change something
  --update        records again what is recorded already
  -h, --help      print this
  -v, --version   print the version

Exits with 0 if all was recorded or kept, 1 if a call failed or a secret was found in a recording (which is removed),
2 if the command line or the plan is wrong or a file cannot be written, 130 if interrupted; files are always whole.`;

/** The options that `record` and `contract --live` share. */
export const RUN_OPTIONS = {
  "base-url": { type: "string" },
  plan: { type: "string" },
  write: { type: "boolean" },
} as const;
type RunValues = ReturnType<typeof parseArgs<{ options: typeof RUN_OPTIONS }>>["values"];

/** The token is of the environment: arguments are seen by every process. @throws {CommandError} it is missing */
export function runOptionsOf(values: RunValues): RunOptions {
  const { "base-url": baseUrl, plan, write } = values;
  const { CATALOGUE_TOKEN: token } = process.env;
  check(baseUrl, "No --base-url: give the absolute URL of a deployment.");
  check(token, "No access token: set CATALOGUE_TOKEN in the environment.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  return { baseUrl, token, plan, write, log, signal: stop.signal };
}

/** Runs `media-catalogue record`. @returns the exit code */
export async function run(args: string[]): Promise<number> {
  const options = {
    ...RUN_OPTIONS,
    out: { type: "string", default: "test/recordings" },
    update: { type: "boolean", default: false },
  } as const;
  const { values } = parseArgs({ args, options });
  check(values.out, "--out is empty; give a folder.");
  const { recorded, kept, failed, leftOut } = await record({ ...values, ...runOptionsOf(values) });
  for (const { name, reason } of leftOut) log(`left out ${name}: ${reason}`);
  const counts = `${recorded.length} recorded, ${kept.length} kept, ${failed.length} failed`;
  process.stdout.write(`${counts}, ${leftOut.length} left out\n`);
  return failed.length > 0 ? 1 : 0;
}

/** The standard output is for results alone. */
function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
