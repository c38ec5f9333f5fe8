import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { check, didYouMean } from "../../cli/command-error.js";
import { write } from "../../cli/write.js";
import { operations } from "../../generated/operations.js";
import { readInputs, type Asked } from "../input/read.js";
import { RUN_OPTIONS, runOptionsOf } from "../record/record-command.js";
import { live } from "../record/calls.js";
import { isOperation } from "../record/plan.js";
import { FORMATS, render, type Format } from "../report/formats.js";
import { MOST, textOf, type Problem } from "../report/report.js";
import { visible } from "../report/visible.js";
import { CONFIG_FILE, readConfig, writeAccepted } from "./config.js";
import { collect, reportOf } from "./gate.js";
import { createNamer } from "../input/paths.js";

/** What `media-catalogue contract --help` prints. */
export const help = `Usage: media-catalogue contract [PATH...] [OPTION...]

Checks recorded exchanges against the description of the service. PATH is a recording (.json), a HAR 1.2 file of a
browser or a proxy, a folder of them, or - for standard input. Files of more than 64 MB are refused.

Input
  --operation ID        each PATH is only the response body of this operation, such as movies.lists
  --status STATUS       the status of that response (default: 200)
  --base-url URL        where the service is called; other entries of a HAR are skipped (default: every host with
                        paths below /3/)
  --live                call a deployment instead of reading PATHs; takes --base-url, --plan and --write like
                        media-catalogue record, and the access token from CATALOGUE_TOKEN

Configuration
  --config FILE         settings and accepted findings (default: ${CONFIG_FILE}, if there is one)
  --observed            check against the observed description, which adds what public recordings show
  --undeclared VALUE    fail or warn: what to do about undeclared fields, headers and bodies (default: the
                        configuration, else warn)
  --write-accepted      accept the failures of this run: add them to the configuration file

Output
  --format FORMAT       pretty, json, junit, sarif, github, markdown or html (default: pretty)
  --format FORMAT=FILE  write that format to a file; repeatable

  -h, --help            print this help
  -v, --version         print the version

Exit codes
  0  everything passed
  1  there are failures
  2  the command line or the configuration is wrong, or an input cannot be read (the rest is checked)
  3  nothing was validated, or too few exchanges matched an operation (minMatched, default 90 %), or with --live
     fewer than 90 % of the operations were reached
If more than one applies, 2 takes precedence over 1, and 1 over 3.`;

const OPTIONS = {
  ...RUN_OPTIONS,
  operation: { type: "string" },
  status: { type: "string" },
  live: { type: "boolean" },
  config: { type: "string" },
  observed: { type: "boolean" },
  undeclared: { type: "string" },
  "write-accepted": { type: "boolean" },
  format: { type: "string", multiple: true },
} as const;

/** Options about each PATH, and options about the calls of `--live`. */
const OF_PATHS = ["operation", "status"] as const;
const OF_LIVE = ["plan", "write"] as const;

/** Reads the arguments. @param own paths to check if there are none @throws {CommandError} they are wrong */
export function readContractOptions(args: string[], own: readonly string[]) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const { config } = values;
  const misplaced = (values.live ? OF_PATHS : OF_LIVE).find((name) => values[name] !== undefined);
  const problem = values.live ? "cannot be combined with --live" : "requires --live";
  check(!misplaced, `--${misplaced} ${problem}.`);
  const paths = positionals.length > 0 ? positionals : own;
  check(!values.live || positionals.length === 0, "PATHs cannot be combined with --live.");
  check(
    values.live || paths.length > 0,
    "No PATH: pass recordings, folders or .har files, or - for standard input.",
  );
  const undeclared = (["fail", "warn"] as const).find((each) => each === values.undeclared);
  check(
    undeclared === values.undeclared,
    `--undeclared must be fail or warn, not "${values.undeclared}".`,
  );
  check(config !== "", "--config is empty; pass a file.");
  return {
    paths: values.live ? [] : paths,
    outputs: readOutputs(values.format ?? []),
    asked: readAsked(values.operation, values.status),
    baseUrl: readBaseUrl(values["base-url"]),
    config,
    undeclared,
    description: values.observed ? ("observed" as const) : undefined,
    writeAccepted: values["write-accepted"] ?? false,
    live: values.live ? runOptionsOf(values) : undefined,
  };
}

/** @returns where each output goes: to a file, or to standard output */
function readOutputs(formats: readonly string[]): { format: Format; file?: string }[] {
  const outputs = formats.map((each) => {
    const [, name = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(each) ?? [];
    const format = FORMATS.find((one) => one === name);
    const formatHint = `${didYouMean(name, FORMATS)} Formats: ${FORMATS.join(", ")}.`;
    check(format, `Unknown format "${name}".${formatHint}`);
    check(file !== "", `--format ${each} has no file name.`);
    return { format, ...(file !== undefined && { file }) };
  });
  const open = outputs.filter(({ file }) => file === undefined).length;
  check(open <= 1, "Only one --format can go to standard output; use FORMAT=FILE for the others.");
  return open === 1 ? outputs : [...outputs, { format: "pretty" }];
}

function readAsked(operation: string | undefined, status?: string): Asked | undefined {
  check(operation !== undefined || status === undefined, "--status requires --operation.");
  if (operation === undefined) return undefined;
  const known = Object.keys(operations);
  const operationHint = didYouMean(operation, known) || ` Operations: ${known.join(", ")}.`;
  check(isOperation(operation), `Unknown operation "${operation}".${operationHint}`);
  const isStatus = status === undefined || /^[1-5]\d\d$/.test(status);
  check(isStatus, `--status must be an HTTP status such as 200, not "${status}".`);
  const [method, path] = operations[operation];
  return { operation, method, path, status: Number(status ?? 200) };
}

function readBaseUrl(baseUrl: string | undefined): URL | undefined {
  if (baseUrl === undefined) return undefined;
  const isUrl = /^https?:\/\//i.test(baseUrl) && URL.canParse(baseUrl);
  // The value may hold credentials, so the message does not repeat it.
  check(isUrl, "--base-url must be an absolute http(s) URL.");
  return new URL(baseUrl);
}

const EXIT_CODES = { passed: 0, failed: 1, unreadable: 2, inconclusive: 3 };

/**
 * Runs `media-catalogue contract`. @returns the exit code
 * @throws {CommandError} the arguments or the configuration are wrong, or an output cannot be written
 */
export async function run(args: string[], own: readonly string[]): Promise<number> {
  const options = readContractOptions(args, own);
  const cwd = process.cwd();
  const shown = createNamer(options.paths, cwd, process.env);
  const readSettings = async () => {
    const config = await readConfig(options.config, cwd, shown);
    return {
      ...config,
      description: options.description ?? config.description,
      undeclared: options.undeclared ?? config.undeclared,
    };
  };
  let config = await readSettings();
  const called = options.live && (await live(options.live));
  const items = called?.items ?? readInputs({ ...options, cwd, stdin: process.stdin, shown });
  const collected = await collect(items, config, shown);
  if (called?.inconclusive) {
    const problem = "Fewer than 90 % of the operations were reached";
    collected.problems.push({ kind: "inconclusive", problem });
  }
  const today = new Date().toISOString().slice(0, 10);
  if (options.writeAccepted) {
    const { findings } = reportOf(collected, config, today);
    const path = resolve(cwd, options.config ?? CONFIG_FILE);
    const count = await writeAccepted(path, shown(path), findings, today);
    process.stderr.write(
      `Wrote ${count} accepted ${count === 1 ? "entry" : "entries"} to ${shown(path)}\n`,
    );
    config = await readSettings();
  }
  const report = reportOf(collected, config, today);
  printUnreadable(report.problems);
  // Set before the first byte is written: a reader that closes the pipe ends the process.
  const code = (process.exitCode = EXIT_CODES[report.summary.outcome]);
  for (const { format, file } of options.outputs) {
    const color = file === undefined && process.stdout.isTTY && !process.env.NO_COLOR;
    const text = render(format, report, color);
    if (file === undefined) process.stdout.write(text);
    else await write(file, text);
  }
  return code;
}

function printUnreadable(problems: readonly Problem[]): void {
  const lines = problems.flatMap((each) => (each.kind === "unreadable" ? [textOf(each)] : []));
  const hidden = lines.length - MOST;
  if (hidden > 0) lines.splice(MOST, hidden, `… and ${hidden} more that cannot be read`);
  for (const line of lines) process.stderr.write(`media-catalogue: ${visible(line)}\n`);
}
