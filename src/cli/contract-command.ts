import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { check, didYouMean } from "../../cli/command-error.js";
import { write } from "../../cli/write.js";
import type { Undeclared } from "../engine/rules.js";
import { createNamer, readInputs } from "../input/read.js";
import { live, RUN_OPTIONS, runOptionsOf } from "../record/calls.js";
import { FORMATS, render, type Format } from "../report/formats.js";
import { MOST, textOf, visible, type Problem } from "../report/report.js";
import { CONFIG_FILE, readConfig, writeAccepted } from "./config.js";
import { collect, failuresOf, reportOf } from "./gate.js";

/** The output of `media-catalogue contract --help`. */
export const help = `Usage: media-catalogue contract [PATH...] [OPTION...]

Checks recorded exchanges against the description of the service. PATH is a recording (.json), a HAR 1.2 file from a
browser or a proxy, a folder with such files, or - for standard input. Files larger than 64 MB are refused.

Input
  --base-url URL        base URL of the service; HAR entries of other hosts are skipped (default: any host whose
                        paths start with /3/)
  --live                call a deployment instead of reading PATHs; accepts --base-url, --plan, --pause and --write
                        like media-catalogue record, and reads the access token from CATALOGUE_TOKEN

Configuration
  --config FILE         settings and accepted findings (default: ${CONFIG_FILE}, if it exists)
  --observed            check against the observed description, which adds facts from public recordings
  --undeclared VALUE    fail or warn: how to treat undeclared fields, headers and bodies (default: the
                        configuration, otherwise warn)
  --write-accepted      accept the failures of this run: add them to the configuration file

Output
  --format FORMAT       pretty, json, junit, sarif, github, markdown or html (default: pretty)
  --format FORMAT=FILE  write that format to a file; repeatable

  -h, --help            print this help
  -v, --version         print the version

Exit codes
  0  everything passed
  1  the run has failures
  2  the command line or the configuration is wrong, or an input cannot be read (the rest is checked)
  3  nothing was validated, or too few exchanges matched an operation (minMatched, default 90%), or, with --live,
     fewer than 90% of the operations were reached
If more than one applies, 2 takes precedence over 1, and 1 over 3.`;

const OPTIONS = {
  ...RUN_OPTIONS,
  live: { type: "boolean" },
  config: { type: "string" },
  observed: { type: "boolean" },
  undeclared: { type: "string" },
  "write-accepted": { type: "boolean" },
  format: { type: "string", multiple: true },
} as const;

/** Options for the calls of `--live`. */
const OF_LIVE = ["plan", "pause", "write"] as const;
const LEVELS: readonly Undeclared[] = ["fail", "warn"];

/** Reads the arguments. @param own paths to check if none are given @throws {CommandError} they are wrong */
function readOptions(args: string[], own: readonly string[]) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const { live: isLive = false, config } = values;
  const misplaced = isLive ? undefined : OF_LIVE.find((name) => values[name] !== undefined);
  check(!misplaced, `--${misplaced} requires --live.`);
  check(!isLive || positionals.length === 0, "PATHs cannot be combined with --live.");
  const paths = isLive || positionals.length > 0 ? positionals : own;
  const advice = "pass recordings, folders or .har files, or - for standard input.";
  check(isLive || paths.length > 0, `No PATH: ${advice}`);
  const undeclared = LEVELS.find((each) => each === values.undeclared);
  check(
    undeclared === values.undeclared,
    `--undeclared must be fail or warn, not "${values.undeclared}".`,
  );
  check(config !== "", "--config must name a file.");
  const baseUrl = values["base-url"];
  // The value may hold credentials, so the message does not repeat it.
  const isUrl = (each: string) => /^https?:\/\//i.test(each) && URL.canParse(each);
  check(baseUrl === undefined || isUrl(baseUrl), "--base-url must be an absolute http(s) URL.");
  return {
    paths,
    outputs: readOutputs(values.format ?? []),
    baseUrl: baseUrl === undefined ? undefined : new URL(baseUrl),
    config,
    undeclared,
    description: values.observed ? ("observed" as const) : undefined,
    isAccepting: values["write-accepted"] ?? false,
    live: isLive ? runOptionsOf(values) : undefined,
  };
}

interface Output {
  format: Format;
  /** Standard output if undefined. */
  file: string | undefined;
}

function readOutputs(formats: readonly string[]): Output[] {
  const outputs = formats.map((each): Output => {
    const [, name = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(each) ?? [];
    const format = FORMATS.find((one) => one === name);
    const hint = `${didYouMean(name, FORMATS)} Formats: ${FORMATS.join(", ")}.`;
    check(format, `Unknown format "${name}".${hint}`);
    check(file !== "", `--format ${each} needs a file name after the equals sign.`);
    return { format, file };
  });
  const open = outputs.filter(({ file }) => file === undefined).length;
  check(open <= 1, "Only one --format can go to standard output; use FORMAT=FILE for the others.");
  const files = outputs.flatMap(({ file }) => (file === undefined ? [] : resolve(file)));
  const isUnique = new Set(files).size === files.length;
  check(isUnique, "Two --format options write to the same file; use one file per format.");
  return open === 1 ? outputs : [...outputs, { format: "pretty", file: undefined }];
}

const EXIT_CODES = { passed: 0, failed: 1, unreadable: 2, inconclusive: 3 };

/**
 * Runs `media-catalogue contract`. @returns the exit code
 * @throws {CommandError} the arguments or the configuration are wrong, or an output cannot be written
 */
export async function run(args: string[], own: readonly string[]): Promise<number> {
  const options = readOptions(args, own);
  const cwd = process.cwd();
  const shown = createNamer(options.paths, cwd, process.env);
  const path = resolve(cwd, options.config ?? CONFIG_FILE);
  const readSettings = async () => {
    const isOptional = options.config === undefined || options.isAccepting;
    const config = await readConfig(path, shown(path), isOptional);
    return {
      ...config,
      description: options.description ?? config.description,
      undeclared: options.undeclared ?? config.undeclared,
    };
  };
  let config = await readSettings();
  const called = options.live && (await live(options.live));
  const items = called
    ? called.items
    : readInputs({ ...options, cwd, stdin: process.stdin, shown });
  const collected = await collect(items, config, shown);
  collected.isLive = called !== undefined;
  if (called?.inconclusive) {
    const problem = "Fewer than 90% of the operations were reached";
    collected.problems.push({ kind: "inconclusive", problem });
  }
  const today = new Date().toISOString().slice(0, 10);
  if (options.isAccepting) {
    const failures = failuresOf(collected, config, today);
    const count = await writeAccepted(path, shown(path), failures, today);
    const entries = `${count} accepted ${count === 1 ? "entry" : "entries"}`;
    process.stderr.write(`Wrote ${entries} to ${shown(path)}\n`);
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
