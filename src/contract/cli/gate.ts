import { readFile } from "node:fs/promises";
import { description } from "../../generated/description.js";
import { coverage, type Judged } from "../coverage.js";
import { groupFindings } from "../fault.js";
import type { Item } from "../input/file.js";
import type { SkipReason, Unreadable } from "../input/problem.js";
import { judge } from "../judge.js";
import { mutationScore } from "../mutate.js";
import { severityOf } from "../policy.js";
import { hideInText } from "../record/scrub-text.js";
import { excerptsOf, type Excerpts } from "../report/excerpt.js";
import { createReport, type Mutation, type Report, type ReportExchange } from "../report/report.js";
import type { ReportFinding } from "../report/report.js";
import { collectSecrets, createReportSecrets } from "../report/secrets.js";
import { mapStrings } from "../report/visible.js";
import { placeOf } from "../report/words.js";
import { operationOf } from "../route.js";
import type { Exchange, Finding, Origin } from "../types.js";

/** What a run of the gate gives. */
export interface Gate {
  report: Report;
  /** What the first place of each finding looks like. */
  excerpts: Excerpts;
}

/** What a run of the gate does, and says of itself. */
export interface GateOptions {
  /** Measures what passing exchanges of the repository exercise of the description. */
  coverage: boolean;
  /** Also plants faults in every exchange, to see whether they are found. */
  mutate: boolean;
  inconclusive: boolean;
  /** Called for each exchange that is judged or damaged. */
  onExchange?: (() => void) | undefined;
}

/** Findings are grouped whenever so many have come together: a HAR may hold the same one a hundred thousand times. */
const PENDING = 1000;
/** The package holds the YAML beside its code. */
const YAML = new URL("../../../openapi/catalogue.yaml", import.meta.url);

/**
 * Judges and reports what is read, while it is read. Of an exchange only its findings are kept, unless coverage or
 * mutation needs it.
 */
export async function runGate(
  items: AsyncIterable<Item> | Iterable<Item>,
  options: GateOptions,
): Promise<Gate> {
  const { inconclusive, onExchange = () => {} } = options;
  const byOrigin = new Map<Origin, Finding[]>();
  const exchanges: ReportExchange[] = [];
  const judged: Judged[] = [];
  const skipped = new Map<SkipReason, number>();
  const unreadable: Unreadable[] = [];
  const secrets = createReportSecrets();
  const excerpts: Excerpts = new Map();
  const excerpted = new Set<string>();

  const judgeItem = ({ exchange, source }: Extract<Item, { exchange: Exchange }>) => {
    const { origin, name } = exchange;
    const severity = (each: Finding) => severityOf(each, origin);
    const found = judge(exchange, description).filter((each) => severity(each) !== "ignore");
    const findings = [...new Set(found.map(({ fingerprint }) => fingerprint))];
    const outcome = found.some((each) => severity(each) === "fail") ? "failed" : "passed";
    exchanges.push({ name, operation: operationOf(exchange, description), outcome, findings });
    if ((origin === "repository" && options.coverage) || options.mutate) {
      judged.push({ exchange, findings: found });
    }
    collectSecrets(exchange.response.body ?? null, secrets);

    const all = [...(byOrigin.get(origin) ?? []), ...found];
    byOrigin.set(origin, all.length > PENDING ? groupFindings(all) : all);
    const excerptAt = source && excerptsOf(source.text, source);
    for (const { fingerprint, recording } of found) {
      const finding = `${origin} ${fingerprint}`;
      if (!excerptAt || excerpted.has(finding)) continue;
      excerpted.add(finding);
      for (const place of recording.slice(0, 1)) excerpts.set(placeOf(place), excerptAt(place));
    }
    onExchange();
  };

  for await (const item of items) {
    // A token may have its name where it was fetched, in an entry of another host.
    if ("raw" in item) collectSecrets(item.raw ?? null, secrets);
    if ("unreadable" in item) unreadable.push(item.unreadable);
    else if ("skipped" in item) skipped.set(item.skipped, (skipped.get(item.skipped) ?? 0) + 1);
    else judgeItem(item);
  }
  const findings = [...byOrigin].flatMap(([origin, all]) =>
    groupFindings(all).map((each) => {
      const severity = severityOf(each, origin) as ReportFinding["severity"];
      return { ...each, severity };
    }),
  );
  if (findings.length > 0) {
    const excerptAt = excerptsOf(await readFile(YAML, "utf8"), { line: 1, column: 1 });
    for (const { spec } of findings) excerpts.set(placeOf(spec), excerptAt(spec));
  }
  // Findings say the same thousands of times.
  const hidden = new Map<string, string>();
  const hide = <T>(value: T) =>
    mapStrings(value, (text) => {
      let clean = hidden.get(text);
      if (clean === undefined) hidden.set(text, (clean = hideInText(text, secrets)));
      return clean;
    });
  for (const [place, each] of excerpts) excerpts.set(place, hide(each));
  const own = judged.filter(({ exchange }) => exchange.origin === "repository");
  const report = createReport({
    description: description.file,
    findings: hide(findings),
    exchanges: hide(exchanges),
    coverage: options.coverage ? coverage(own, description) : null,
    mutation: options.mutate ? hide(mutationOf(judged, options.coverage, onExchange)) : null,
    skipped,
    inconclusive,
    unreadable: hide(unreadable),
  });
  return { report, excerpts };
}

/** @param isAll whether the recordings are those that the waivers were written for */
function mutationOf(judged: readonly Judged[], isAll: boolean, onExchange: () => void): Mutation {
  function* exchanges() {
    for (const { exchange } of judged) {
      onExchange();
      yield exchange;
    }
  }
  const { untouched: _, ...mutation } = mutationScore(exchanges(), description);
  return isAll ? mutation : { ...mutation, stale: [] };
}
