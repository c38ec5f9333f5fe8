import { parseArgs } from "node:util";
import { check } from "../../cli/command-error.js";
import { operations } from "../../generated/operations.js";
import type { Asked, Reading } from "../input/file.js";
import { RUN_OPTIONS, runOptionsOf } from "../record/record-command.js";
import { isOperation } from "../record/plan.js";
import { isFormat, FORMATS, type Format } from "../report/formats.js";

/** What `media-catalogue contract --help` prints. */
export const help = `Usage: media-catalogue contract [PATH...] [OPTION...]

Judges recorded exchanges by the description of the service. PATH is a recording (.json), a HAR 1.2 of a browser or
a proxy, a folder of them, or - for the standard input. Of a HAR, what is not of the service is skipped and counted.
A file of more than 64 MB is refused.

  --operation ID        each PATH is the bare body of this operation's answer, such as movies.lists
  --status STATUS       what it was answered with (default: 200)
  --base-url URL        where the service is called; entries of a HAR with another scheme, host, port or path are
                        skipped (default: any, path /3/)
  --undeclared SEVERITY fail or warn, for anything that nobody described (default: warn)
  --coverage            the passing recordings have to cover the description
  --mutate              also damages every recording in every way, to prove that each damage is found
  --live                calls a deployment and judges its answers at once; takes --base-url, --plan and --write as
                        media-catalogue record does, and the access token from CATALOGUE_TOKEN

  --format FORMAT       pretty, json, junit, sarif, github, markdown or html (default: pretty)
  --format FORMAT=FILE  writes that format to a file; repeatable

  -h, --help            print this
  -v, --version         print the version

Exits with 0 if everything is as described, 1 if something is not, 2 if the command line is wrong or an input
cannot be read (the others are judged all the same), 3 if nothing could be judged or, with --live, fewer than 90 % of
the operations were reached, whatever was found.`;

const OPTIONS = {
  ...RUN_OPTIONS,
  operation: { type: "string" },
  status: { type: "string" },
  undeclared: { type: "string" },
  format: { type: "string", multiple: true },
  coverage: { type: "boolean" },
  mutate: { type: "boolean", default: false },
  live: { type: "boolean", default: false },
} as const;

/** Options that say something of each PATH, and those that say what `--live` calls. */
const OF_PATHS = ["operation", "status", "coverage"] as const;
const OF_LIVE = ["plan", "write"] as const;

const UNDECLARED = ["fail", "warn"] as const;

/**
 * Reads the arguments of `media-catalogue contract`. @throws {CommandError} they are wrong
 * @param own paths that are judged, and have to cover the description, where none is given
 */
export function readContractOptions(args: string[], own: readonly string[]) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const { live, mutate } = values;
  const misplaced = (live ? OF_PATHS : OF_LIVE).find((name) => values[name] !== undefined);
  check(
    !misplaced,
    live
      ? `--${misplaced} is about PATHs, and --live judges a deployment; leave one of them out.`
      : `--${misplaced} is about the calls of --live; add that, or leave it out.`,
  );
  const isOwn = positionals.length === 0;
  const paths = isOwn ? own : positionals;
  check(!live || isOwn, "--live judges a deployment and no PATH; leave one of them out.");
  check(
    live || paths.length > 0,
    "No PATH: give recordings, folders or .har files to judge, or - for the standard input.",
  );
  const undeclared = UNDECLARED.find((each) => each === values.undeclared);
  check(values.undeclared === undeclared, `--undeclared ${values.undeclared}: give fail or warn.`);
  return {
    paths,
    outputs: readOutputs(values.format ?? []),
    asked: readAsked(values.operation, values.status),
    undeclared: undeclared ?? (isOwn && !live ? "fail" : "warn"),
    target: readTarget(values["base-url"]),
    coverage: values.coverage ?? (isOwn && !live),
    mutate,
    /** The deployment to call instead of reading. */
    live: live ? runOptionsOf(values) : undefined,
  };
}

/** @returns where each output goes; without a file, to the standard output */
function readOutputs(formats: readonly string[]): { format: Format; file?: string }[] {
  const outputs = formats.map((each) => {
    const [, format = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(each) ?? [];
    check(isFormat(format), `--format ${format} is none of ${FORMATS.join(", ")}.`);
    check(file !== "", `--format ${each} has no file.`);
    return { format, ...(file !== undefined && { file }) };
  });
  const open = outputs.filter(({ file }) => file === undefined).length;
  check(open <= 1, "Only one --format may go to the standard output; give the others FORMAT=FILE.");
  return open === 1 ? outputs : [...outputs, { format: "pretty" }];
}

function readAsked(operation: string | undefined, status?: string): Asked | undefined {
  if (operation === undefined && status === undefined) return undefined;
  check(operation !== undefined, "--status says what a body was answered with; add --operation.");
  const known = Object.keys(operations).join(", ");
  check(isOperation(operation), `--operation ${operation} is not described. Known are ${known}.`);
  const isStatus = status === undefined || /^[1-5]\d\d$/.test(status);
  check(isStatus, `--status ${status} is no HTTP status; give one such as 200.`);
  const [method, path] = operations[operation];
  return { operation, method, path, status: Number(status ?? 200) };
}

function readTarget(baseUrl: string | undefined): Reading["target"] {
  if (baseUrl === undefined) return {};
  const isUrl = /^https?:\/\//i.test(baseUrl) && URL.canParse(baseUrl);
  // The value is not repeated: it may hold credentials.
  check(isUrl, "--base-url is no absolute http(s) URL.");
  return { baseUrl: new URL(baseUrl) };
}
