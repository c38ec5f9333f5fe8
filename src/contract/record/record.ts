import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { check } from "../../cli/command-error.js";
import { makeFolder, unwritable, write } from "../../cli/write.js";
import { description } from "../../generated/description.js";
import { at } from "../engine/pointer.js";
import { INTERRUPTED, isExpected, prepare, printLine, RUN_OPTIONS, runOptionsOf } from "./calls.js";
import type { RunOptions } from "./calls.js";
import { isRead, type Missing, type PlannedCase } from "./plan.js";
import { removeLeaks, type Leak } from "./scan.js";
import { scrub, type RawExchange } from "./scrub.js";

/** Options of a recording run. */
export interface RecordOptions extends RunOptions {
  /** The folder of `<operationId>/<case>.json`. */
  out: string;
  /** Replaces existing recordings. */
  update?: boolean | undefined;
  /** Keeps the values of undeclared fields instead of placeholders. */
  keepUndeclared?: boolean | undefined;
}

/** The result of every case. */
export interface RecordSummary {
  /** Files that were written. */
  recorded: string[];
  /** Files that already existed. */
  kept: string[];
  failed: Missing[];
  leftOut: Missing[];
  /** Files in which the second scan found a secret. */
  leaks: Leak[];
  /** Whether the signal ended the calls early. */
  interrupted: boolean;
}

const NOTE =
  "Recorded from a deployment, with secrets, personal data, and values of undeclared fields replaced.";
const NOT_JSON = "the response body is not JSON, which a recording cannot contain";
const REPEATED = "the response body repeats a key, which a recording cannot contain";

/**
 * Calls a deployment and writes one file per exchange, without secrets. Makes all calls, scrubs the exchanges
 * with all secrets, writes the files, then scans the folder. The same responses produce the same files.
 * @throws {CommandError} an option or the plan is wrong or the folder is unusable (nothing was sent), or a file cannot
 * be written
 */
export async function record(options: RecordOptions): Promise<RecordSummary> {
  const { out, update = false, keepUndeclared, log = () => {} } = options;
  const { cases, leftOut, secrets, callAll, fail } = await prepare(options);
  const temporary = await openFolder(out);
  const fileOf = ({ name }: PlannedCase) => join(out, `${name}.json`);
  const kept = cases.filter((each) => !update && existsSync(fileOf(each)));
  for (const each of kept) log(`kept ${fileOf(each)}; --update replaces it`);
  // If any file is missing, kept cases are called too: their responses may contain a token that another one quotes.
  const wanted = cases.filter((each) => !kept.includes(each) || isRead(each.operation));
  const called = kept.length === cases.length ? [] : await callAll(wanted);

  const known = [...secrets.known];
  // Usernames are replaced in texts, but do not cause the removal of a file.
  for (const { outcome } of called)
    if (!(outcome instanceof Error) && outcome.operation === "account.details")
      secrets.learn(String(at(outcome.response.body, "/username") ?? ""));
  const recorded: string[] = [];
  const failed: Missing[] = [];
  for (const each of called.filter(({ planned }) => !kept.includes(planned))) {
    const { planned, outcome } = each;
    if (!isExpected(each) || outcome instanceof Error) failed.push(fail(each));
    else if (outcome.response.body === undefined) failed.push(fail(each, NOT_JSON));
    else if (outcome.response.repeated?.length) failed.push(fail(each, REPEATED));
    else {
      const file = fileOf(planned);
      await writeWhole(file, textOf(scrub(outcome, { secrets, keepUndeclared })), temporary);
      recorded.push(file);
    }
  }
  await rm(temporary, { force: true });
  const leaks = await removeLeaks(out, known);
  const interrupted = leftOut.some(({ reason }) => reason === INTERRUPTED);
  const isThere = (file: string) => !leaks.some((each) => each.isRemoved && each.file === file);
  return {
    recorded: recorded.filter(isThere),
    kept: kept.map(fileOf).filter(isThere),
    failed,
    leftOut,
    leaks,
    interrupted,
  };
}

/** Headers to record: the described ones, and those that a client needs to read the response. */
function isRecorded(operation: string, name: string): boolean {
  const described = description.operations.find(({ id }) => id === operation);
  const headers = described?.responses.flatMap((each) => each.headers) ?? [];
  return /^(content-type|retry-after)$/.test(name) || headers.some((each) => each.name === name);
}

function textOf({ operation, request, response: { status, headers, body } }: RawExchange): string {
  const recorded = Object.entries(headers)
    .filter(([name]) => isRecorded(operation, name))
    // An entity tag changes with every response, and may contain anything.
    .map(([name, value]) => [name, name === "etag" ? '"scrubbed"' : value]);
  const response = { status, headers: Object.fromEntries(recorded) as object, body };
  const source = { kind: "live", note: NOTE };
  return `${JSON.stringify({ operation, source, request, response }, null, 2)}\n`;
}

/**
 * @throws {CommandError} files cannot be written there, or the folder contains more than recordings
 * @returns the temporary file, outside the folders of the operations so that other programs do not read it
 */
async function openFolder(out: string): Promise<string> {
  for (const name of ["package.json", ".git", "node_modules"]) {
    const advice =
      "pass a folder that contains only recordings, because those with secrets are deleted";
    check(!existsSync(join(out, name)), `--out ${out} contains ${name}; ${advice}.`);
  }
  const temporary = join(out, ".recording");
  await write(temporary, "", `--out ${out}`);
  return temporary;
}

async function writeWhole(file: string, text: string, temporary: string): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await writeFile(temporary, text, { flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(file, error as Error);
  }
}

/** The output of `media-catalogue record --help`. */
export const help = `Usage: media-catalogue record --base-url URL [OPTION...]

Calls a deployment and writes each exchange to <operationId>/<case>.json, without secrets or personal data. Values of
fields that the description does not declare become placeholders. Makes all calls one at a time, before it writes any
file, and honors Retry-After. Reads the access token from CATALOGUE_TOKEN.

  --base-url URL     absolute http(s) URL of the deployment
  --out FOLDER       folder of the recordings (default: test/recordings)
  --plan FILE        cases to call: a JSON list of { operation, case, path?, query?, body?, error? }; a value
                     "$CATALOGUE_X" comes from the environment
                     (default: every read-only operation that needs no account)
  --pause MS         milliseconds between two calls (default: 250)
  --write            also calls operations of the plan that change data
  --update           replaces existing recordings; otherwise they are kept; if another case is missing, kept cases
                     are called again only to learn which secrets to remove
  --keep-undeclared  keeps the values of undeclared fields, except recognizable secrets
  -h, --help         print this help
  -v, --version      print the version

After each run a second, independent scan reads every file in the folder. A recording that contains a secret is deleted;
any other file that contains one is named.

Exit codes: 0 all cases were recorded, 1 a call failed or a file contained a secret, 2 wrong usage or an unwritable
file, 130 interrupted (exchanges fetched so far are recorded; files are always complete).`;

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
  check(out, "--out must name a folder.");
  const summary = await record({ ...runOptionsOf(values), out, update, keepUndeclared });
  const { recorded, kept, failed, leftOut, leaks, interrupted } = summary;
  for (const { name, reason } of leftOut) printLine(`left out ${name}: ${reason}`);
  for (const { file, kinds, isRemoved } of leaks) {
    const found = kinds.join("; ");
    if (isRemoved) printLine(`removed ${file}: it contained ${found}`);
    else printLine(`left ${file}, which is not a recording: remove ${found} from it`);
  }
  const removed = leaks.filter((each) => each.isRemoved).length;
  const counts = [
    `${recorded.length} recorded, ${kept.length} kept, ${failed.length} failed`,
    `, ${leftOut.length} left out`,
    removed > 0 ? `, ${removed} removed` : "",
    leaks.length > removed ? `, ${leaks.length - removed} with secrets` : "",
  ];
  process.stdout.write(`${counts.join("")}\n`);
  if (interrupted) return 130;
  return failed.length > 0 || leaks.length > 0 ? 1 : 0;
}
