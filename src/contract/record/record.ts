import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../types.js";
import { problemOf } from "./answered.js";
import type { RawExchange } from "./call.js";
import { jsonText } from "./json-text.js";
import { LeakError } from "./leak-error.js";
import { nameOf, type LeftOut } from "./plan.js";
import { prepare, type RunOptions } from "./run.js";
import { exists, makeFolder, save, sweep } from "./save.js";
import { scan } from "./scan.js";
import { scrub } from "./scrub.js";

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
  failed: { name: string; reason: string }[];
  leftOut: LeftOut[];
}

/** Headers that are recorded: the described ones and what RFC 9110 makes part of the message; the rest is traffic. */
const HEADERS =
  /^(authentication-callback|cache-control|content-(encoding|language|type)|etag|last-modified|link|retry-after|vary)$/;
const NOTE =
  "Recorded from a deployment; stand-ins took the place of secrets and of what is personal.";

/**
 * Calls a deployment and writes what it answers, one exchange a file, without secrets. It goes one call after another
 * and obeys `Retry-After`. Interrupted at any point, it leaves whole files alone.
 * @throws {TypeError} an option or the plan is wrong; nothing was sent
 * @throws {LeakError} the independent scan found a secret; what it found it in is not on disk any more
 */
export async function record(options: RecordOptions): Promise<RecordSummary> {
  const { out, update = false, log = () => {} } = options;
  const run = await prepare(options);
  const { secrets, say } = run;
  const summary: RecordSummary = { recorded: [], kept: [], failed: [], leftOut: run.plan.leftOut };
  const fileOf = (planned: { operation: string; case: string }) =>
    join(out, planned.operation, `${planned.case}.json`);
  const keep = (name: string, file: string) => {
    summary.kept.push(file);
    log(say(`kept ${name}: ${file} is there already; --update records it again`));
  };
  await sweep(out);

  const calls = run.calls(async (planned) => {
    const there = !update && (await exists(fileOf(planned)));
    if (there) keep(nameOf(planned), fileOf(planned));
    return there;
  });
  try {
    for await (const called of calls) {
      const { planned, outcome } = called;
      const name = nameOf(planned);
      const file = fileOf(planned);
      const clean = outcome.exchange && scrub(outcome.exchange, secrets);
      const problem = problemOf(called);
      if (problem !== undefined || !clean) {
        const reason = say(problem ?? "no answer");
        summary.failed.push({ name, reason });
        log(`failed ${name}: ${reason}`);
        continue;
      }
      const text = textOf(clean);
      // Before the disk sees it; what is on disk is scanned in the end, when all secrets are known.
      const leaks = scan(Buffer.from(text), secrets.known);
      if (leaks.length > 0) throw leak(`${name} (not written)`, leaks);
      await makeFolder(join(out, planned.operation));
      if (await saved(file, text, update)) {
        summary.recorded.push(file);
        log(`recorded ${name} (${clean.response.status})`);
      } else {
        keep(name, file);
      }
    }
  } finally {
    await removeLeaks(summary.recorded, secrets.known);
  }
  return summary;
}

function textOf({ operation, request, response }: RawExchange): string {
  const headers = Object.entries(response.headers).filter(([name]) => HEADERS.test(name));
  return jsonText({
    operation,
    source: { kind: "live", note: NOTE, recordedAt: new Date().toISOString() },
    request,
    response: {
      status: response.status,
      headers: Object.fromEntries(headers),
      body: response.body ?? null,
    },
  } as unknown as Json);
}

async function saved(file: string, text: string, update: boolean): Promise<boolean> {
  try {
    await save(file, text, update);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
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

function leak(place: string, kinds: string[]): LeakError {
  const what = [...new Set(kinds)].join("; ");
  return new LeakError(`record: ${what} in ${place}; do not publish this, and report it`);
}
