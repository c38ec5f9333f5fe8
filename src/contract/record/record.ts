import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../../cli/command-error.js";
import type { Missing } from "./plan.js";
import { prepare, type Called, type RunOptions } from "./run.js";
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
  const { plan, secrets, calls, fail } = await prepare(options);
  await openFolder(out);
  const summary: RecordSummary = { recorded: [], kept: [], failed: [], leftOut: plan.leftOut };
  const fileOf = (name: string) => join(out, `${name}.json`);
  const keep = (name: string) => {
    summary.kept.push(fileOf(name));
    log(`kept ${name}: ${fileOf(name)} is there already; --update records it again`);
  };
  const isKept = ({ name }: { name: string }) => {
    const isThere = !update && existsSync(fileOf(name));
    if (isThere) keep(name);
    return isThere;
  };
  try {
    for await (const called of calls(isKept)) {
      const { name } = called.planned;
      const clean = called.exchange && scrub(called.exchange, secrets);
      const problem = problemOf(called);
      if (problem !== undefined || !clean) {
        summary.failed.push(fail(name, problem ?? "no answer"));
        continue;
      }
      const text = textOf(clean);
      // Before the disk sees it; what is on disk is scanned in the end, when all secrets are known.
      const leaks = scan(Buffer.from(text), secrets.known);
      if (leaks.length > 0) throw leak(`${name} (not written)`, leaks);
      if (await save(out, fileOf(name), text, update)) {
        summary.recorded.push(fileOf(name));
        log(`recorded ${name} (${clean.response.status})`);
      } else {
        keep(name);
      }
    }
  } finally {
    await removeLeaks(summary.recorded, secrets.known);
  }
  return summary;
}

/** Why no recording can be made of a call; undefined where one can. It may quote the service, and so hold secrets. */
function problemOf({ exchange, error, isAsPlanned }: Called): string | undefined {
  if (!isAsPlanned || !exchange) {
    return error?.message ?? `status ${exchange?.response.status} is not what the plan asks for`;
  }
  const { body } = exchange.response;
  return body === undefined ? "a body that is not JSON, which no recording holds" : undefined;
}

function textOf({ operation, request, response: { status, headers, body } }: RawExchange): string {
  const kept = Object.entries(headers).filter(([name]) => HEADERS.test(name));
  const source = { kind: "live", note: NOTE, recordedAt: new Date().toISOString() };
  const response = { status, headers: Object.fromEntries(kept), body };
  return `${JSON.stringify({ operation, source, request, response }, null, 2)}\n`;
}

async function removeLeaks(files: readonly string[], known: Iterable<string>): Promise<void> {
  const leaking: string[] = [];
  const kinds: string[] = [];
  for (const file of files) {
    const leaks = scan(await readFile(file), known);
    if (leaks.length === 0) continue;
    await rm(file);
    leaking.push(file);
    kinds.push(...leaks);
  }
  if (leaking.length > 0) throw leak(`${leaking.join(", ")} (removed)`, kinds);
}

function leak(place: string, kinds: readonly string[]): CommandError {
  const what = [...new Set(kinds)].join("; ");
  return new CommandError(`${what} in ${place}; do not publish this, and report it`, 1);
}
