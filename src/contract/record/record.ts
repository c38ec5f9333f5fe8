import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../../cli/command-error.js";
import type { Missing, PlannedCase } from "./plan.js";
import { prepare, type RunOptions } from "./run.js";
import { openFolder } from "./save.js";
import { scan } from "./scan.js";
import type { RawExchange } from "./scrub.js";

/** What a recording run takes: a folder for `<operationId>/<case>.json`, and whether to record again what is there. */
export interface RecordOptions extends RunOptions {
  out: string;
  update?: boolean | undefined;
}

/** Headers that are recorded: the described ones and what RFC 9110 makes part of the message; the rest is traffic. */
const HEADERS =
  /^(authentication-callback|cache-control|content-(encoding|language|type)|etag|last-modified|link|retry-after|vary)$/;
const NOTE =
  "Recorded from a deployment; stand-ins took the place of secrets and of what is personal.";
const NO_JSON = "a body that is not JSON, which no recording holds";

/**
 * Calls a deployment and writes what it answers, one exchange a file, without secrets. Interrupted at any point, it
 * leaves whole files alone.
 * @throws {CommandError} an option or the plan is wrong or the folder cannot be written, and nothing was sent; or the
 * independent scan found a secret, and what it found it in is not on disk any more
 */
export async function record(options: RecordOptions) {
  const { out, update = false, log = () => {} } = options;
  const recorded: string[] = [];
  const kept: string[] = [];
  const failed: Missing[] = [];
  const fileOf = ({ name }: PlannedCase) => join(out, `${name}.json`);
  const keep = (planned: PlannedCase) => {
    const file = fileOf(planned);
    kept.push(file);
    log(`kept ${planned.name}: ${file} is there already; --update records it again`);
    return true;
  };
  const isKept = (planned: PlannedCase) => !update && existsSync(fileOf(planned)) && keep(planned);
  const { leftOut, secrets, calls, fail } = await prepare(options, isKept);
  const save = await openFolder(out, update);
  try {
    for await (const called of calls()) {
      const { planned, outcome, isAsPlanned } = called;
      const isFailed = !isAsPlanned || outcome instanceof Error;
      if (isFailed || outcome.response.body === undefined) {
        failed.push(fail(called, isFailed ? undefined : NO_JSON));
        continue;
      }
      const text = textOf(outcome);
      // Before the disk sees it; what is on disk is scanned in the end, when all secrets are known.
      refuse(`${planned.name} (not written)`, leaksIn(text, secrets.known));
      if (await save(fileOf(planned), text)) {
        recorded.push(fileOf(planned));
        log(`recorded ${planned.name} (${outcome.response.status})`);
      } else keep(planned);
    }
  } finally {
    await removeLeaks(recorded, secrets.known);
  }
  return { recorded, kept, failed, leftOut };
}

function textOf({ operation, request, response: { status, headers, body } }: RawExchange): string {
  const kept = Object.entries(headers).filter(([name]) => HEADERS.test(name));
  const source = { kind: "live", note: NOTE, recordedAt: new Date().toISOString() };
  const response = { status, headers: Object.fromEntries(kept), body };
  return `${JSON.stringify({ operation, source, request, response }, null, 2)}\n`;
}

/** The form of a recording is no leak, even where a password is one of its words. */
function leaksIn(text: string, known: Iterable<string>): string[] {
  const { request, response } = JSON.parse(text) as RawExchange;
  const { path, query, body } = request;
  return scan(
    JSON.stringify([path, query, body, Object.values(response.headers), response.body]),
    known,
  );
}

async function removeLeaks(files: readonly string[], known: Iterable<string>): Promise<void> {
  const leaks = new Map<string, string[]>();
  for (const file of files) {
    const found = leaksIn(await readFile(file, "utf8"), known);
    if (found.length === 0) continue;
    await rm(file);
    leaks.set(file, found);
  }
  refuse(`${[...leaks.keys()].join(", ")} (removed)`, [...leaks.values()].flat());
}

function refuse(place: string, found: readonly string[]): void {
  if (found.length === 0) return;
  const what = [...new Set(found)].join("; ");
  throw new CommandError(`${what} in ${place}; do not publish this, and report it`, 1);
}
