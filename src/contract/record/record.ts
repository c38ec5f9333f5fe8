import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../../cli/command-error.js";
import type { Missing, PlannedCase } from "./plan.js";
import { prepare, type RunOptions } from "./run.js";
import { openFolder, save } from "./save.js";
import { scan } from "./scan.js";
import { scrub, type RawExchange } from "./scrub.js";

/** What a recording run takes. */
export interface RecordOptions extends RunOptions {
  /** The folder of the recordings; each is `<operationId>/<case>.json` in it. */
  out: string;
  /** Records cases again that are recorded already. @default false */
  update?: boolean | undefined;
}

/** What a recording run did. */
export interface RecordSummary {
  /** Files that were written. */
  recorded: string[];
  /** Files that were there already; their cases were not called. */
  kept: string[];
  /** Calls that gave nothing to record. */
  failed: Missing[];
  leftOut: Missing[];
}

/** Headers that are recorded: the described ones and what RFC 9110 makes part of the message; the rest is traffic. */
const HEADERS =
  /^(authentication-callback|cache-control|content-(encoding|language|type)|etag|last-modified|link|retry-after|vary)$/;
const NOTE =
  "Recorded from a deployment; stand-ins took the place of secrets and of what is personal.";

/**
 * Calls a deployment and writes what it answers, one exchange a file, without secrets. It goes one call after another
 * and obeys `Retry-After`. Interrupted at any point, it leaves whole files alone.
 * @throws {CommandError} an option or the plan is wrong or the folder cannot be written, and nothing was sent; or the
 * independent scan found a secret, and what it found it in is not on disk any more
 */
export async function record(options: RecordOptions): Promise<RecordSummary> {
  const { out, update = false, log = () => {} } = options;
  const { leftOut, secrets, calls, fail } = await prepare(options);
  await openFolder(out);
  const summary: RecordSummary = { recorded: [], kept: [], failed: [], leftOut };
  const fileOf = ({ name }: PlannedCase) => join(out, `${name}.json`);
  const keep = (planned: PlannedCase) => {
    const file = fileOf(planned);
    summary.kept.push(file);
    log(`kept ${planned.name}: ${file} is there already; --update records it again`);
    return true;
  };
  const isKept = (planned: PlannedCase) => !update && existsSync(fileOf(planned)) && keep(planned);
  try {
    for await (const called of calls(isKept)) {
      const { planned, exchange, isAsPlanned } = called;
      const clean = exchange && scrub(exchange, secrets);
      if (!isAsPlanned || clean?.response.body === undefined) {
        const noJson = "a body that is not JSON, which no recording holds";
        summary.failed.push(fail(called, isAsPlanned ? noJson : undefined));
        continue;
      }
      const text = textOf(clean);
      // Before the disk sees it; what is on disk is scanned in the end, when all secrets are known.
      refuse(`${planned.name} (not written)`, scan(text, secrets.known));
      if (await save(out, fileOf(planned), text, update)) {
        summary.recorded.push(fileOf(planned));
        log(`recorded ${planned.name} (${clean.response.status})`);
      } else {
        keep(planned);
      }
    }
  } finally {
    await removeLeaks(summary.recorded, secrets.known);
  }
  return summary;
}

function textOf({ operation, request, response: { status, headers, body } }: RawExchange): string {
  const kept = Object.entries(headers).filter(([name]) => HEADERS.test(name));
  const source = { kind: "live", note: NOTE, recordedAt: new Date().toISOString() };
  const response = { status, headers: Object.fromEntries(kept), body };
  return `${JSON.stringify({ operation, source, request, response }, null, 2)}\n`;
}

async function removeLeaks(files: readonly string[], known: readonly string[]): Promise<void> {
  const leaks = new Map<string, string[]>();
  for (const file of files) {
    const found = scan(await readFile(file, "utf8"), known);
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
