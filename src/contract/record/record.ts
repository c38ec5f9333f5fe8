import { join } from "node:path";
import { fileExists } from "../shared/file-exists.js";
import { ensureWritableFolder, writeAtomically } from "../shared/write-file.js";
import { describeFailure, INTERRUPTED, prepareRun } from "./call-plan.js";
import type { CallResult, DeploymentOptions } from "./call-plan.js";
import { isReadOnly, toRequest, type PlannedCall, type CaseReason } from "./plan.js";
import { redactExchange } from "./redact-exchange.js";
import type { CompleteExchange } from "../../types/exchange.js";
import { collectSecrets, type RunSecrets } from "./run-secrets.js";

/** Options for {@link record}. */
export interface RecordOptions extends DeploymentOptions {
  /** The folder for the recordings. Each recording is named `<operationId>/<case>.json`. */
  out: string;
  /** Whether to replace existing recordings. */
  overwrite?: boolean | undefined;
}

/** The files and cases of a recording run, by outcome. */
export interface RecordSummary {
  /** Paths to the files that were written. */
  recorded: string[];
  /** Paths to the files that already existed and were not replaced. */
  kept: string[];
  failed: CaseReason[];
  skipped: CaseReason[];
  /** Whether the abort signal ended the recording early. */
  interrupted: boolean;
}

const NOTE =
  "Recorded from a deployment. Values that the description does not declare, or marks as sensitive, are replaced.";

/**
 * Calls a deployment and writes one file per exchange. Makes all calls before writing the first file, because an early
 * response can quote a value that only a later response shows to be sensitive. The same responses produce the same
 * files.
 * @throws {CommandError} if an option or the plan is invalid, or if the folder or a file cannot be written
 */
export async function record(options: RecordOptions): Promise<RecordSummary> {
  const { out, overwrite = false, log = () => {} } = options;
  const { cases, skipped, notCalled, secrets: given, callAll } = await prepareRun(options);
  await ensureWritableFolder(out, `--out ${out}`);
  const fileOf = ({ name }: PlannedCall) => join(out, `${name}.json`);
  const kept: PlannedCall[] = [];
  const keep = (each: PlannedCall) => {
    log(`kept ${fileOf(each)}; pass --overwrite to replace it`);
    kept.push(each);
  };
  cases.filter((each) => !overwrite && fileExists(fileOf(each))).forEach(keep);
  // If any recording is missing, all read-only calls are made, even if their recordings exist. The responses might
  // contain a token that a new response repeats, and only known tokens can be replaced.
  const wanted = cases.filter((each) => !kept.includes(each) || isReadOnly(each.entry.operation));
  const called = kept.length === cases.length ? [] : await callAll(wanted);

  const exchanges = called.flatMap(({ outcome }) => (outcome instanceof Error ? [] : outcome));
  const secrets = collectSecrets(given, exchanges);
  const recorded: string[] = [];
  const failed: CaseReason[] = [];
  for (const each of called.filter(({ planned }) => !kept.includes(planned))) {
    const result = createRecording(each, secrets);
    if ("problem" in result) {
      const failure = describeFailure(each, secrets, result.problem);
      log(`failed ${failure.name}: ${failure.reason}`);
      failed.push(failure);
      continue;
    }
    const file = fileOf(each.planned);
    // Another process might have written the file during the calls.
    if (await writeAtomically(file, result.text, out, overwrite)) recorded.push(file);
    else keep(each.planned);
  }
  return {
    recorded,
    kept: kept.map(fileOf),
    failed,
    skipped: [...skipped, ...notCalled],
    interrupted: notCalled.some(({ reason }) => reason === INTERRUPTED),
  };
}

/** Creates the text of a recording, or returns a problem if the response cannot be recorded. */
function createRecording(
  { planned, outcome }: CallResult,
  secrets: RunSecrets,
): { text: string } | { problem: string } {
  if (outcome instanceof Error) return { problem: "" };
  const { status, body } = outcome.response;
  const statusClass = planned.entry.expectError ? 4 : 2;
  if (Math.floor(status / 100) !== statusClass)
    return { problem: `the plan expects a ${statusClass}xx response` };
  if (body === undefined)
    return { problem: "the response body is not JSON; `record` writes only JSON bodies" };
  const redacted = redactExchange(outcome, toRequest(planned.redactedEntry), secrets);
  if (!redacted) return { problem: "not recorded, because placeholders would change the findings" };
  const text = formatRecording(redacted);
  return secrets.isExposed(text)
    ? { problem: "not recorded, because the recording would still contain a sensitive value" }
    : { text };
}

function formatRecording({ operation, request, response }: CompleteExchange): string {
  const source = { kind: "recording", values: "redacted", note: NOTE };
  return `${JSON.stringify({ operation, source, request, response }, null, 2)}\n`;
}
