import { parseArgs } from "node:util";
import { check } from "../../cli/command-error.js";
import type { RunOptions } from "./calls.js";
import { record } from "./record.js";

/** The output of `media-catalogue record --help`. */
export const help = `Usage: media-catalogue record --base-url URL [OPTION...]

Calls a deployment and writes each exchange to <operationId>/<case>.json, without secrets and personal data. Values of
fields that the description does not declare become placeholders. Makes all calls first, one after another, and obeys
Retry-After. Reads the access token from CATALOGUE_TOKEN.

  --base-url URL     absolute http(s) URL of the deployment
  --out FOLDER       folder of the recordings (default: test/recordings)
  --plan FILE        cases to call: a JSON list of { operation, case, path?, query?, body?, error? }; a value
                     "$CATALOGUE_X" comes from the environment
                     (default: each operation that only reads and needs no account)
  --pause MS         milliseconds between two calls (default: 250)
  --write            also calls operations of the plan that change data
  --update           replaces existing recordings; without it they are kept, and called only for their secrets
                     if another case is missing
  --keep-undeclared  keeps the values of undeclared fields, without secrets that can be recognized
  -h, --help         print this help
  -v, --version      print the version

After each run a second, independent scan reads every file in the folder. A file that holds a secret is removed.

Exit codes: 0 all cases are recorded, 1 a call failed or a file held a secret, 2 wrong usage or an unwritable file,
130 interrupted (what was fetched is recorded; files are always whole).`;

/** Options that `record` and `contract --live` share. */
export const RUN_OPTIONS = {
  "base-url": { type: "string" },
  plan: { type: "string" },
  pause: { type: "string" },
  write: { type: "boolean" },
} as const;
type RunValues = ReturnType<typeof parseArgs<{ options: typeof RUN_OPTIONS }>>["values"];

/** The token comes from the environment, because every process can read arguments. @throws {CommandError} it is missing */
export function runOptionsOf(values: RunValues): RunOptions {
  const { "base-url": baseUrl, plan, pause = "250", write } = values;
  const { CATALOGUE_TOKEN: token } = process.env;
  check(baseUrl, "No --base-url: give the absolute URL of a deployment.");
  check(/^\d{1,6}$/.test(pause), `--pause must be a number of milliseconds, not ${pause}.`);
  check(token, "No access token: set CATALOGUE_TOKEN in the environment.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  return { baseUrl, token, plan, pause: Number(pause), write, log, signal: stop.signal };
}

/** Runs `media-catalogue record`. @returns the exit code */
export async function run(args: string[]): Promise<number> {
  const options = {
    ...RUN_OPTIONS,
    out: { type: "string", default: "test/recordings" },
    update: { type: "boolean", default: false },
    "keep-undeclared": { type: "boolean", default: false },
  } as const;
  const { values } = parseArgs({ args, options });
  const { out, update, "keep-undeclared": keepUndeclared } = values;
  check(out, "--out is empty; give a folder.");
  const summary = await record({ ...runOptionsOf(values), out, update, keepUndeclared });
  const { recorded, kept, failed, leftOut, leaks, interrupted } = summary;
  for (const { name, reason } of leftOut) log(`left out ${name}: ${reason}`);
  for (const { file, kinds } of leaks) log(`removed ${file}: it held ${kinds.join("; ")}`);
  const counts = `${recorded.length} recorded, ${kept.length} kept, ${failed.length} failed`;
  const removed = leaks.length > 0 ? `, ${leaks.length} removed` : "";
  process.stdout.write(`${counts}, ${leftOut.length} left out${removed}\n`);
  if (interrupted) return 130;
  return failed.length > 0 || leaks.length > 0 ? 1 : 0;
}

/** Standard output is for results only. */
function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
