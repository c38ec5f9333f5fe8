import { parseArgs } from "node:util";
import { check } from "../contract/shared/command-error.js";
import { record } from "../contract/record/record.js";
import { printLine, readRunOptions, RUN_OPTIONS } from "./run-options.js";

/** The output of `media-catalogue record --help`. */
export const help = `Usage: media-catalogue record --base-url URL [OPTION...]

Calls a deployment and writes each exchange to <operationId>/<case>.json. A value is written only if the description
declares it and does not mark it as sensitive; any other value is replaced. The credential and every sensitive value
are replaced wherever they appear. The command makes all calls one at a time, before it writes any file. It honors
Retry-After, and reads the access token from CATALOGUE_TOKEN, or a v3 API key from CATALOGUE_API_KEY.

  --base-url URL     absolute http(s) URL of the deployment
  --out FOLDER       folder for the recordings (default: test/recordings)
  --plan FILE        calls to make; see docs/configuration.md (default: one call to every read-only operation whose
                     required parameters have examples in the description)
  --full             also call the operations that only the full description contains
  --delay MS         milliseconds between two calls (default: 250)
  --timeout SECONDS  seconds to wait for each response (default: 30)
  --allow-writes     also make planned calls that change data
  --overwrite        replace existing recordings (default: keep existing recordings, but repeat their read-only calls if
                     any other recording is missing, to learn which values are sensitive)
  -h, --help         print this help
  -v, --version      print the version

Exit codes
  0    all cases were recorded, kept, or skipped
  1    a call failed
  2    the command line is invalid, or a file cannot be read or written
  130  interrupted: the exchanges received so far are recorded; a file is never half-written`;

/** Runs `media-catalogue record` and returns the exit code. */
export async function run(args: string[]): Promise<number> {
  const options = {
    ...RUN_OPTIONS,
    out: { type: "string", default: "test/recordings" },
    overwrite: { type: "boolean", default: false },
    full: { type: "boolean", default: false },
  } as const;
  const { values } = parseArgs({ args, options });
  const { out, overwrite, full: isFull } = values;
  check(out, "--out must name a folder");
  const summary = await record({ ...readRunOptions(values), isFull, out, overwrite });
  const { recorded, kept, failed, skipped, interrupted } = summary;
  for (const { name, reason } of skipped) printLine(`skipped ${name}: ${reason}`);
  if (recorded.length + kept.length > 0) {
    const folder = /\s/.test(out) ? `"${out}"` : out;
    const next = `npx media-catalogue contract ${folder}${isFull ? " --full" : ""}`;
    printLine(`the recordings are in ${folder}; to check them, run ${next}`);
  }
  const counts = [
    `${recorded.length} recorded, ${kept.length} kept`,
    `${failed.length} failed, ${skipped.length} skipped`,
  ];
  process.stdout.write(`${counts.join(", ")}\n`);
  if (interrupted) return 130;
  return failed.length > 0 ? 1 : 0;
}
