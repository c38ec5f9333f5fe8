import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { check, CommandError } from "../contract/shared/command-error.js";
import { joinChoices, pluralize } from "../contract/engine/format-value.js";
import { didYouMean } from "../contract/engine/suggest.js";
import type { UndeclaredSeverity } from "../contract/engine/rules.js";
import { applyAccepted, writeAccepted } from "../contract/gate/accepted.js";
import { checkAll, loadDescription, reportRun } from "../contract/gate/check-all.js";
import { CONFIG_FILE, readConfig } from "../contract/gate/config.js";
import {
  createPathFormatter,
  listInputFiles,
  readInputs,
  resolveLinks,
  type Item,
} from "../contract/input/read.js";
import { callDeployment } from "../contract/record/live.js";
import type { Problem } from "../contract/report/create-report.js";
import { formatProblem } from "../contract/engine/format-position.js";
import { escapeInvisible, MAX_SHOWN } from "../contract/report/format-report.js";
import { FORMATS, render } from "../contract/report/render.js";
import { writeFile } from "../contract/shared/write-file.js";
import type { MainOptions } from "./main.js";
import { createProgress } from "./progress.js";
import { readRunOptions, RUN_OPTIONS } from "./run-options.js";
import { parseUrl } from "../client/text.js";

/** The output of `media-catalogue contract --help`. */
export const help = `Usage: media-catalogue contract [PATH...] [OPTION...]

Checks recorded exchanges against the description of the service. PATH is a recording (.json), a HAR 1.2 file from a
browser or a proxy, a folder with such files, or - for standard input. Files larger than 64 MB are rejected.

Input
  --base-url URL        base URL of the deployment; HAR entries with other URLs are skipped (default: the part of the
                        HAR URLs before a documented path)
  --live                call a deployment instead of reading PATHs; accepts --base-url, --plan, --delay, --timeout,
                        and --allow-writes, as media-catalogue record does, and reads the access token from
                        CATALOGUE_TOKEN

Configuration
  --config FILE         settings and accepted findings (default: ${CONFIG_FILE}, if it exists)
  --full                check against the full description, which adds facts and operations from public recordings
  --undeclared VALUE    error or warning: the severity of undeclared properties, headers, and bodies (default: the
                        value in the configuration, otherwise warning)
  --accept              accept all errors: add them to the configuration file

Output
  --format FORMAT       pretty, json, junit, sarif, github, or markdown (default: pretty)
  --format FORMAT=FILE  write that format to a file; repeatable

  -h, --help            print this help
  -v, --version         print the version

Exit codes
  0  everything passed
  1  there are errors
  2  the command line or the configuration is invalid, an input cannot be read, or a report cannot be written (the
     other inputs are still checked)
  3  too few exchanges with the service were validated: none, or a smaller share than minValidatedShare (default: 90%;
     with --live: all)
If more than one applies, 2 takes precedence over 1, and 1 over 3.`;

const OPTIONS = {
  ...RUN_OPTIONS,
  live: { type: "boolean" },
  config: { type: "string" },
  full: { type: "boolean" },
  undeclared: { type: "string" },
  accept: { type: "boolean" },
  format: { type: "string", multiple: true },
} as const;

/** Options that are valid only together with `--live`. */
const LIVE_OPTIONS = ["plan", "delay", "timeout", "allow-writes"] as const;
const LEVELS: readonly UndeclaredSeverity[] = ["error", "warning"];

/**
 * Reads the arguments of `media-catalogue contract`.
 * @param defaultPaths paths to check if the arguments name no path
 * @param hasExchanges whether `contract` checks other exchanges if the arguments name no path
 * @throws {CommandError} if an argument is invalid
 */
function readOptions(args: string[], defaultPaths: readonly string[], hasExchanges: boolean) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const { live: isLive = false, config } = values;
  const misplaced = isLive ? undefined : LIVE_OPTIONS.find((name) => values[name] !== undefined);
  check(!misplaced, `--${misplaced} requires --live`);
  check(!isLive || positionals.length === 0, "PATHs cannot be combined with --live");
  const paths = isLive || positionals.length > 0 ? positionals : defaultPaths;
  const advice = "pass a recording, a HAR file, a folder, or - for standard input";
  check(isLive || hasExchanges || paths.length > 0, `PATH is missing; ${advice}`);
  check(!paths.includes(""), `PATH is empty; ${advice}`);
  check(config !== "", "--config must name a file");
  check(values.plan !== "", "--plan must name a file");
  const undeclared = LEVELS.find((each) => each === values.undeclared);
  check(
    undeclared === values.undeclared,
    `--undeclared must be error or warning, not "${values.undeclared}"`,
  );
  const baseUrl = values["base-url"];
  // The error message does not quote the URL, because the URL might contain credentials.
  const url = /^https?:\/\//i.test(baseUrl ?? "") ? parseUrl(baseUrl!) : undefined;
  check(baseUrl === undefined || url !== undefined, "--base-url must be an absolute http(s) URL");
  return {
    paths,
    ...readOutputs(values.format ?? []),
    baseUrl: url,
    config,
    undeclared,
    description: values.full ? ("full" as const) : undefined,
    isAccepting: values.accept ?? false,
    live: isLive ? readRunOptions(values) : undefined,
  };
}

/** Reads the `--format` options: the format for standard output, and the format and name of each output file. */
function readOutputs(formats: readonly string[]) {
  const outputs = formats.map((each) => {
    const [, name = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(each) ?? [];
    const format = FORMATS.find((one) => one === name);
    const hint = didYouMean(name, FORMATS) || `; use ${joinChoices(FORMATS)}`;
    check(format, `unknown format "${name}"${hint}`);
    check(file !== "", `--format ${each} needs a file name after the equals sign`);
    return { format, file };
  });
  const files = outputs.flatMap(({ format, file }) => (file === undefined ? [] : { format, file }));
  const [standard, ...others] = outputs.filter(({ file }) => file === undefined);
  const advice = "only one --format can go to standard output; use FORMAT=FILE for the others";
  check(others.length === 0, advice);
  const isUnique = new Set(files.map(({ file }) => resolve(file))).size === files.length;
  check(isUnique, "two --format options write to the same file; use one file per format");
  return { files, format: standard?.format ?? ("pretty" as const) };
}

/** Checks that no report would replace an input. @throws {CommandError} if a report would replace an input */
function checkOutputs(files: readonly { file: string }[], inputs: readonly string[]): void {
  const targets = new Set(inputs.map((each) => resolveLinks(resolve(each))));
  const replaced = files.find(({ file }) => targets.has(resolveLinks(resolve(file))));
  check(!replaced, `--format would replace the input ${replaced?.file}; choose another file`);
}

const EXIT_CODES = { passed: 0, failed: 1, unreadable: 2, inconclusive: 3 };

/**
 * Runs `media-catalogue contract`.
 * @returns the exit code
 * @throws {CommandError} if the arguments or the configuration are invalid, or an output cannot be written
 */
export async function run(
  args: string[],
  { defaultPaths = [], loadDefaultExchanges: exchanges }: MainOptions,
): Promise<number> {
  const options = readOptions(args, defaultPaths, exchanges !== undefined);
  const cwd = process.cwd();
  const displayPath = createPathFormatter(options.paths, cwd, process.env);
  const path = resolve(cwd, options.config ?? CONFIG_FILE);
  const name = displayPath(path);
  const inputs = [path, options.live?.plan ?? path, ...listInputFiles(options.paths, cwd)];
  checkOutputs(options.files, inputs);
  const readSettings = async () => {
    const config = await readConfig(
      path,
      name,
      options.config === undefined || options.isAccepting,
    );
    return {
      ...config,
      description: options.description ?? config.description,
      undeclared: options.undeclared ?? config.undeclared,
    };
  };
  let config = await readSettings();
  const loaded = await loadDescription(config.description);
  const { operations } = loaded.description;
  const items = options.live
    ? await callDeployment({
        ...options.live,
        isFull: config.description === "full",
      })
    : showItems(
        readInputs({
          ...options,
          cwd,
          stdin: process.stdin,
          displayPath,
          operations,
          ...(options.paths === defaultPaths && { exchanges }),
        }),
      );
  const checked = await checkAll(items, loaded, config, displayPath);
  const today = new Date().toISOString().slice(0, 10);
  if (options.isAccepting) {
    const { findings } = applyAccepted(checked.findings, config.accepted, today, false);
    const count = await writeAccepted(path, name, findings, config.accepted, today);
    const entries = `${count} accepted ${count === 1 ? "entry" : "entries"}`;
    process.stderr.write(`wrote ${entries} to ${name}\n`);
    config = await readSettings();
  }
  const report = reportRun(checked, config, { isLive: options.live !== undefined, today });
  printUnreadable(report.problems);
  const unwritable: string[] = [];
  for (const { format, file } of options.files)
    await writeFile(file, render(format, report, false)).catch(({ message }: CommandError) =>
      unwritable.push(message),
    );
  // Writes to standard output last, because the process exits if the reader closes the pipe.
  const color = process.stdout.isTTY && !process.env.NO_COLOR;
  process.stdout.write(render(options.format, report, color));
  if (unwritable.length > 0) throw new CommandError(unwritable.join("\n"));
  return EXIT_CODES[report.summary.outcome];
}

/** Yields the items unchanged, and shows on a terminal how many items have been read. */
async function* showItems(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const showProgress = createProgress();
  let count = 0;
  try {
    for await (const item of items) {
      count += 1;
      const name = "exchange" in item ? `: ${item.exchange.name}` : "";
      showProgress(`${count} read${name}`);
      yield item;
    }
  } finally {
    showProgress("");
  }
}

function printUnreadable(problems: readonly Problem[]): void {
  const lines = problems.flatMap((each) =>
    each.kind === "unreadable" ? [formatProblem(each)] : [],
  );
  const hidden = lines.length - MAX_SHOWN;
  if (hidden > 0)
    lines.splice(MAX_SHOWN, hidden, `… and ${pluralize(hidden, "more input")} that cannot be read`);
  for (const line of lines) process.stderr.write(`media-catalogue: ${escapeInvisible(line)}\n`);
}
