import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { check } from "../contract/shared/command-error.js";
import { pluralize } from "../contract/engine/format-value.js";
import type { UndeclaredSeverity } from "../contract/engine/rules.js";
import { applyAccepted, writeAccepted } from "../contract/gate/accepted.js";
import {
  checkAll,
  FULL_ROUTES,
  loadDescription,
  reportRun,
  type RunResult,
} from "../contract/gate/check-all.js";
import { CONFIG_FILE, readConfig, type Config } from "../contract/gate/config.js";
import { mergeShards, selectShard } from "../contract/gate/shards.js";
import { createPathFormatter, listInputFiles } from "../contract/input/list-files.js";
import { readInputs, type Inputs, type Item } from "../contract/input/read.js";
import type { DeploymentOptions } from "../contract/record/call-plan.js";
import { callDeployment } from "../contract/record/live.js";
import type { Problem } from "../contract/report/create-report.js";
import { formatProblem } from "../contract/engine/format-position.js";
import { escapeInvisible, MAX_SHOWN } from "../contract/report/format-report.js";
import type { MainOptions } from "./main.js";
import { createProgress } from "./progress.js";
import { checkOutputs, readOutputs, writeReports } from "./report-outputs.js";
import { readRunOptions, RUN_OPTIONS } from "./run-options.js";
import { adviceFor, VERSION } from "../client/options.js";
import { parseUrl } from "../client/text.js";

/** The output of `media-catalogue contract --help`. */
export const help = `Usage: media-catalogue contract [PATH...] [OPTION...]

Checks recorded exchanges against the description of the service. PATH is a recording (.json), a HAR 1.2 file from a
browser or a proxy, a folder with such files, or - for standard input. A HAR can have any size.

Input
  --base-url URL        base URL of the deployment; HAR entries with other URLs are skipped (default: the part of the
                        HAR URLs before a documented path)
  --live                call a deployment instead of reading PATHs; accepts --base-url, --plan, --delay, --timeout,
                        and --allow-writes, as media-catalogue record does, and reads the access token from
                        CATALOGUE_TOKEN, or a v3 API key from CATALOGUE_API_KEY
  --shard INDEX/COUNT   check only some of the files, such as 2/4, so that several jobs can share the work
  --merge               merge the JSON reports of all shards, which PATHs name, into the report of one run

Configuration
  --config FILE         settings and accepted findings (default: ${CONFIG_FILE}, if it exists)
  --full                check against the full description, which adds facts and operations from public recordings
  --undeclared VALUE    error or warning: the severity of undeclared properties, headers, and bodies (default: the
                        value in the configuration, otherwise warning)
  --accept              accept all errors: add them to the configuration file

Output
  --format FORMAT       pretty, json, junit, sarif, github, or markdown (default: pretty)
  --format FORMAT=FILE  write that format to a file; repeatable
  --notes               also list notes in the sarif format

  -h, --help            print this help
  -v, --version         print the version

Exit codes
  0  everything passed
  1  there are errors
  2  the command line or the configuration is invalid, an input cannot be read, or a report cannot be written (the
     other inputs are still checked)
  3  too few exchanges with the service were validated: none, or a smaller share than minValidatedShare (default: 90%;
     with --live: all; with --shard: decided by --merge)
If more than one applies, 2 takes precedence over 1, and 1 over 3.`;

const OPTIONS = {
  ...RUN_OPTIONS,
  live: { type: "boolean" },
  config: { type: "string" },
  full: { type: "boolean" },
  undeclared: { type: "string" },
  accept: { type: "boolean" },
  format: { type: "string", multiple: true },
  notes: { type: "boolean" },
  shard: { type: "string" },
  merge: { type: "boolean" },
} as const;

/** Options that are valid only together with `--live`. */
const LIVE_OPTIONS = ["plan", "delay", "timeout", "allow-writes"] as const;
const LEVELS: readonly UndeclaredSeverity[] = ["error", "warning"];

/**
 * Reads the arguments of `media-catalogue contract`.
 * @param hasExchanges whether `contract` checks other exchanges if the arguments name no path
 * @throws {CommandError} if an argument is invalid
 */
function readOptions(args: string[], hasExchanges: boolean) {
  const { values, positionals: paths } = parseArgs({
    args,
    options: OPTIONS,
    allowPositionals: true,
  });
  const { live: isLive = false, config } = values;
  const misplaced = isLive ? undefined : LIVE_OPTIONS.find((name) => values[name] !== undefined);
  check(!misplaced, `--${misplaced} requires --live`);
  check(!isLive || paths.length === 0, "PATHs cannot be combined with --live");
  const { merge: isMerging = false } = values;
  const shard = values.shard === undefined ? undefined : readShard(values.shard);
  check(!(isLive && (shard || isMerging)), "--live cannot be combined with --shard or --merge");
  check(!(shard && isMerging), "--shard cannot be combined with --merge");
  check(!shard || paths.length > 0, "--shard needs PATHs");
  check(!shard || !paths.includes("-"), "--shard cannot divide standard input");
  check(!isMerging || paths.length > 0, "--merge needs the JSON reports of all shards");
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
  // The error message does not quote the URL, which might contain credentials.
  const url = /^https?:\/\//i.test(baseUrl ?? "") ? parseUrl(baseUrl!) : undefined;
  const hint = baseUrl === undefined || url ? "" : adviceFor(baseUrl);
  const problem = `--base-url must be an absolute http(s) URL${hint && `; ${hint}`}`;
  check(baseUrl === undefined || url !== undefined, problem);
  const [version] = VERSION.exec(url?.pathname.replace(/\/+$/, "") ?? "") ?? [];
  const misplacedVersion = `--base-url must not end in ${version}; every path already starts with /3`;
  check(version === undefined, misplacedVersion);
  return {
    paths,
    outputs: readOutputs(values.format ?? []),
    hasNotes: values.notes ?? false,
    shard,
    isMerging,
    baseUrl: url,
    config,
    undeclared,
    description: values.full ? ("full" as const) : undefined,
    isAccepting: values.accept ?? false,
    live: isLive ? readRunOptions(values) : undefined,
  };
}

/** Reads the `--shard` option, such as `2/4`. @throws {CommandError} if the option is invalid */
function readShard(text: string) {
  const [, index, count] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  const isValid = Number(index) <= Number(count);
  check(isValid, `--shard must be INDEX/COUNT, such as 2/4, not "${text}"`);
  return { index: Number(index), count: Number(count) };
}

const EXIT_CODES = { passed: 0, failed: 1, unreadable: 2, inconclusive: 3 };

/**
 * Runs `media-catalogue contract`.
 * @returns the exit code
 * @throws {CommandError} if the arguments or the configuration are invalid, or an output cannot be written
 */
export async function run(
  args: string[],
  { loadDefaultExchanges: exchanges }: MainOptions,
): Promise<number> {
  // Otherwise, garbage that V8 has not yet collected needs half of the memory.
  for (const flag of ["--semi-space-growth-factor=1", "--heap-growing-percent=30"])
    setFlagsFromString(flag);
  const options = readOptions(args, exchanges !== undefined);
  const cwd = process.cwd();
  const displayPath = createPathFormatter(options.paths, cwd, process.env);
  const path = resolve(cwd, options.config ?? CONFIG_FILE);
  const name = displayPath(path);
  const files = [...listInputFiles(options.paths, cwd)];
  await checkOutputs(options.outputs, [path, options.live?.plan ?? path, ...files]);
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
  const { shard: part, isMerging } = options;
  const checked = isMerging
    ? await mergeShards(files, displayPath, config)
    : await checkInputs({
        ...options,
        paths: part ? selectShard(files, part, displayPath) : options.paths,
        cwd,
        config,
        displayPath,
        isShard: part !== undefined,
        ...(!options.live && options.paths.length === 0 && { exchanges }),
      });
  const today = new Date().toISOString().slice(0, 10);
  if (options.isAccepting) {
    const { findings } = applyAccepted(checked.findings, config.accepted, today, false);
    const count = await writeAccepted(path, name, findings, config.accepted, today);
    const entries = `${count} accepted ${count === 1 ? "entry" : "entries"}`;
    process.stderr.write(`wrote ${entries} to ${name}\n`);
    config = await readSettings();
  }
  const shard = part && { ...part, files: files.map(displayPath) };
  const report = reportRun(checked, config, { isLive: options.live !== undefined, shard, today });
  printUnreadable(report.problems);
  const code = EXIT_CODES[report.summary.outcome];
  // If the reader of standard output closes the pipe early, the process exits with this code.
  process.exitCode = code;
  await writeReports(report, options.outputs, {
    color: process.stdout.isTTY && !process.env.NO_COLOR,
    hasNotes: options.hasNotes,
    summary: process.env.GITHUB_STEP_SUMMARY ?? "",
  });
  return code;
}

/** Checks the inputs, or calls the deployment and checks its responses. */
async function checkInputs({
  live,
  config,
  isShard,
  ...inputs
}: Omit<Inputs, "operations" | "apiPaths" | "stdin"> & {
  live: DeploymentOptions | undefined;
  config: Config;
  isShard: boolean;
}): Promise<RunResult> {
  const loaded = await loadDescription(config.description);
  const { operations } = loaded.description;
  const items = live
    ? await callDeployment({ ...live, isFull: config.description === "full" })
    : showItems(readInputs({ ...inputs, stdin: process.stdin, operations, apiPaths: FULL_ROUTES }));
  return checkAll(items, loaded, config, isShard, inputs.displayPath);
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
