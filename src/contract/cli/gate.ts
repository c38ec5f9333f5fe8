import { readFile } from "node:fs/promises";
import { description } from "../../generated/description.js";
import { coverage, type Judged } from "../coverage.js";
import type { Item } from "../input/file.js";
import type { SkipReason, Unreadable } from "../input/problem.js";
import { checkExchange } from "../engine/check.js";
import { mutationScore } from "../mutate.js";
import { severityOf, type Undeclared } from "../engine/rules.js";
import { collectSecrets, createSecrets, hideInText, type Secrets } from "../secrets.js";
import { excerptsOf, type Excerpts } from "../report/excerpt.js";
import { createReport } from "../report/report.js";
import type { Mutation, ReportExchange, ReportFinding } from "../report/report.js";
import { mapStrings } from "../report/visible.js";
import { placeOf } from "../report/words.js";
import { operationOf } from "../engine/route.js";

/** What a run of the gate measures beside its findings, and says of itself. */
export interface GateOptions extends Record<"coverage" | "mutate" | "inconclusive", boolean> {
  undeclared: Undeclared;
}

/** The package holds the YAML beside its code. */
const YAML = new URL("../../../openapi/catalogue.yaml", import.meta.url);

/**
 * Judges and reports what is read, while it is read. Of an exchange only its findings are kept, unless coverage or
 * mutation needs it.
 * @returns the report, and what the first place of each finding looks like
 */
export async function runGate(items: AsyncIterable<Item> | Iterable<Item>, options: GateOptions) {
  const groups = new Map<string, ReportFinding>();
  const exchanges: ReportExchange[] = [];
  const judged: Judged[] = [];
  const skipped = new Map<SkipReason, number>();
  const unreadable: Unreadable[] = [];
  const secrets = createSecrets([], redacted);
  const excerpts: Excerpts = new Map();

  for await (const item of items) {
    // A token may have its name where it was fetched, in an entry of another host.
    collectSecrets(item.raw, secrets);
    if ("unreadable" in item) unreadable.push(item.unreadable);
    if ("skipped" in item) skipped.set(item.skipped, (skipped.get(item.skipped) ?? 0) + 1);
    if (!("exchange" in item)) continue;

    const { exchange, source } = item;
    const { name, response } = exchange;
    collectSecrets(response.body, secrets);
    const findings = checkExchange(exchange, description).map((each) => ({
      ...each,
      severity: severityOf(each.verdict, options.undeclared),
    }));
    exchanges.push({
      name,
      operation: operationOf(exchange, description),
      outcome: findings.some(({ severity }) => severity === "fail") ? "failed" : "passed",
      findings: findings.map(({ fingerprint }) => fingerprint),
    });
    if (options.coverage || options.mutate) {
      judged.push({ exchange, findings });
    }
    const excerptAt = source && excerptsOf(source.text, source);
    for (const finding of findings) {
      const { fingerprint, recording } = finding;
      const group = groups.get(fingerprint);
      if (group) for (const place of recording) group.recording.push(place);
      else groups.set(fingerprint, { ...finding, recording: [...recording] });
      const [first] = recording;
      if (!group && first && excerptAt) excerpts.set(placeOf(first), excerptAt(first));
    }
  }

  const hide = hider(secrets);
  // A word that is a password somewhere is a word in paths and pointers.
  const names = [...secrets.known].filter((each) => !/^[a-z]+$/i.test(each));
  const hideName = hider(createSecrets(names, redacted));
  // Rule, operation and place in the description are the gate's own words, which no recording writes.
  const findings = [...groups.values()].map((finding): ReportFinding => {
    const { pointer, expected, actual } = finding;
    const recording = finding.recording.map((each) => ({
      ...hideName(each),
      actual: hide(each.actual),
    }));
    return { ...finding, ...hideName({ pointer, expected }), actual: hide(actual), recording };
  });
  const shown: Excerpts = new Map(
    Array.from(excerpts, ([place, each]) => [hideName(place), hide(each)]),
  );
  if (findings.length > 0) {
    const excerptAt = excerptsOf(await readFile(YAML, "utf8"), { line: 1, column: 1 });
    for (const { spec } of findings) shown.set(placeOf(spec), excerptAt(spec));
  }
  const report = createReport({
    description: description.file,
    findings,
    exchanges: exchanges.map((each) => ({ ...each, name: hideName(each.name) })),
    coverage: options.coverage ? coverage(judged, description) : null,
    mutation: options.mutate ? hideName(mutationOf(judged, options)) : null,
    skipped,
    inconclusive: options.inconclusive,
    unreadable: hide(unreadable),
  });
  return { report, excerpts: shown };
}

const redacted = () => "[redacted]";

/** Makes a function that hides secrets in all texts of a value; findings say the same thousands of times. */
function hider(secrets: Secrets) {
  const hidden = new Map<string, string>();
  return <T>(value: T): T =>
    mapStrings(value, (text) => {
      const clean = hidden.get(text) ?? hideInText(text, secrets);
      hidden.set(text, clean);
      return clean;
    });
}

function mutationOf(judged: readonly Judged[], options: GateOptions): Mutation {
  const exchanges = judged.map(({ exchange }) => exchange);
  const { untouched: _, ...mutation } = mutationScore(exchanges, description);
  // The waivers were written for the recordings that have to cover the description.
  return options.coverage ? mutation : { ...mutation, stale: [] };
}
