import { existsSync } from "node:fs";
import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "../../cli/command-error.js";
import { makeFolder, unwritable, write } from "../../cli/write.js";
import { description } from "../../generated/description.js";
import { at } from "../engine/pointer.js";
import { INTERRUPTED, prepare, type RunOptions } from "./calls.js";
import { isRead, type Missing, type PlannedCase } from "./plan.js";
import { leaksIn, removeLeaks, type Leak } from "./scan.js";
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

/** What became of every case. */
export interface RecordSummary {
  /** Files that were written. */
  recorded: string[];
  /** Files that already existed. */
  kept: string[];
  failed: Missing[];
  leftOut: Missing[];
  /** Files in which the second scan found a secret. They no longer exist. */
  leaks: Leak[];
  /** Whether the signal ended the calls early. */
  interrupted: boolean;
}

const NOTE =
  "Recorded from a deployment. Secrets, personal data and values of undeclared fields are replaced.";
const NOT_JSON = "the response body is not JSON, which a recording cannot hold";

/**
 * Calls a deployment and writes one file per exchange, without secrets. First makes all calls, then scrubs with all
 * their secrets, then writes, then scans every file in the folder. The same responses give the same files.
 * @throws {CommandError} an option or the plan is wrong or the folder is unusable (nothing was sent), or a file cannot
 * be written
 */
export async function record(options: RecordOptions): Promise<RecordSummary> {
  const { out, update = false, keepUndeclared, log = () => {} } = options;
  const { plan, secrets, callAll, fail } = await prepare(options);
  const { cases, leftOut } = plan;
  const nothing = { recorded: [], kept: [], failed: [], leaks: [] };
  const summary: RecordSummary = { ...nothing, leftOut, interrupted: false };
  const fileOf = ({ name }: PlannedCase) => join(out, `${name}.json`);
  await openFolder(out);
  const isKept = (planned: PlannedCase) => !update && existsSync(fileOf(planned));
  const keep = (planned: PlannedCase) => {
    summary.kept.push(fileOf(planned));
    log(`kept ${planned.name}: ${fileOf(planned)} exists; --update replaces it`);
  };
  const kept = new Set(cases.filter(isKept));
  for (const planned of kept) keep(planned);
  // If anything is missing, kept cases are called too: their responses may name a token that another one quotes.
  const wanted = cases.filter((each) => !kept.has(each) || isRead(each.operation));
  const called = kept.size === cases.length ? [] : await callAll(wanted);
  summary.interrupted = leftOut.some(({ reason }) => reason === INTERRUPTED);

  const known = [...secrets.known];
  // To be replaced in texts, but no reason to remove a file.
  for (const name of called.flatMap(({ outcome }) => usernameIn(outcome))) secrets.learn(name);
  for (const each of called.filter(({ planned }) => !kept.has(planned))) {
    const { planned, outcome, isExpected } = each;
    const file = fileOf(planned);
    const isFailed = !isExpected || outcome instanceof Error;
    if (isFailed || outcome.response.body === undefined) {
      summary.failed.push(fail(each, isFailed ? undefined : NOT_JSON));
      continue;
    }
    const text = textOf(scrub(outcome, { secrets, given: plan.given, keepUndeclared }));
    const kinds = leaksIn(text, known);
    // The file may have appeared during the calls.
    if (isKept(planned)) keep(planned);
    else if (kinds.length > 0) {
      const reason = `the response holds ${kinds.join("; ")}, which cannot be replaced`;
      summary.failed.push(fail(each, reason));
    } else {
      await writeWhole(file, text);
      summary.recorded.push(file);
    }
  }
  const removed = await removeLeaks(out, known);
  const isGone = (file: string) => removed.some((each) => each.file === file);
  summary.leaks = removed;
  summary.recorded = summary.recorded.filter((file) => !isGone(file));
  summary.kept = summary.kept.filter((file) => !isGone(file));
  return summary;
}

function usernameIn(outcome: RawExchange | Error): string[] {
  if (outcome instanceof Error || outcome.operation !== "account.details") return [];
  const name = at(outcome.response.body, "/username");
  return typeof name === "string" ? [name] : [];
}

/** Headers that a recording holds: the described ones, and what a client needs to read the response. */
function isRecorded(operation: string, name: string): boolean {
  const described = description.operations.find(({ id }) => id === operation);
  const headers = described?.responses.flatMap((each) => each.headers) ?? [];
  return /^(content-type|retry-after)$/.test(name) || headers.some((each) => each.name === name);
}

function textOf({ operation, request, response: { status, headers, body } }: RawExchange): string {
  const recorded = Object.entries(headers)
    .filter(([name]) => isRecorded(operation, name))
    // An entity tag changes with every response, and may be made of anything.
    .map(([name, value]) => [name, name === "etag" ? '"scrubbed"' : value]);
  const response = { status, headers: Object.fromEntries(recorded) as object, body };
  const source = { kind: "live", note: NOTE };
  return `${JSON.stringify({ operation, source, request, response }, null, 2)}\n`;
}

/** An unfinished file. It stands outside the folders of the operations, so that nothing reads it. */
const TEMPORARY = ".recording-";

/** @throws {CommandError} files cannot be written there, or the folder holds more than recordings */
async function openFolder(out: string): Promise<void> {
  for (const name of ["package.json", ".git", "node_modules"])
    if (existsSync(join(out, name)))
      throw new CommandError(
        `--out ${out} holds ${name}; give a folder for recordings alone, because files with secrets are removed from it.`,
      );
  const probe = join(out, `${TEMPORARY}${process.pid}`);
  await write(probe, "", `--out ${out}`);
  // Leftovers of runs that were killed.
  for (const name of await readdir(out))
    if (name.startsWith(TEMPORARY)) await rm(join(out, name), { force: true });
}

async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = join(dirname(dirname(file)), `${TEMPORARY}${process.pid}`);
  try {
    await makeFolder(dirname(file));
    await writeFile(temporary, text, { flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(file, error as Error);
  }
}
