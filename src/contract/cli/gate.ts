import { checkExchange } from "../engine/check.js";
import { isWithin } from "../engine/pointer.js";
import { isMatched, operationOf } from "../engine/route.js";
import { severityOf } from "../engine/rules.js";
import type { Description, Finding, ObservedFact } from "../engine/types.js";
import type { SkipReason } from "../input/har.js";
import type { Item } from "../input/read.js";
import { collectSecrets, createSecrets, hideInText, type Secrets } from "../secrets.js";
import { createReport, type Report } from "../report/report.js";
import type { Problem, ReportExchange, ReportFinding } from "../report/report.js";
import { mapStrings } from "../report/visible.js";
import { applyAccepted, type Config } from "./config.js";
import { descriptionPath } from "../input/paths.js";

/** What a run collects from its input. Findings and places are as they were read, with their secrets. */
export type Collected = Awaited<ReturnType<typeof collect>>;

/**
 * Checks exchanges while they are read. Only the findings of an exchange are kept.
 * @param shown the path of a file in reports
 */
export async function collect(
  items: AsyncIterable<Item> | Iterable<Item>,
  { undeclared, description: name }: Config,
  shown: (path: string) => string,
) {
  const { description, facts } = await load(name);
  const described = { ...description, file: shown(descriptionPath(description.file)) };
  const findings = new Map<string, ReportFinding>();
  const exchanges: Omit<ReportExchange, "outcome">[] = [];
  const skipped = new Map<SkipReason, number>();
  const problems: Problem[] = [];
  const secrets = createSecrets([], redacted);
  let [matched, validated] = [0, 0];

  for await (const item of items) {
    // Another entry, such as one of another host, may name a token that this one only quotes.
    collectSecrets(item.raw, secrets);
    if ("unreadable" in item) problems.push({ kind: "unreadable", ...item.unreadable });
    if ("skipped" in item) skipped.set(item.skipped, (skipped.get(item.skipped) ?? 0) + 1);
    if (!("exchange" in item)) continue;

    const { exchange } = item;
    collectSecrets(exchange.response.body, secrets);
    const found = checkExchange(exchange, described);
    const isMatch = isMatched(exchange, described);
    if (isMatch) matched += 1;
    // The body of a status that nobody described has no schema.
    if (isMatch && !found.some(({ rule }) => rule === "surface/status")) validated += 1;
    exchanges.push({
      name: exchange.name,
      operation: isMatch ? operationOf(exchange, described) : "",
      findings: found.map(({ fingerprint }) => fingerprint),
    });
    for (const finding of found) {
      const { fingerprint, recording, verdict } = finding;
      const same = findings.get(fingerprint);
      if (same) for (const place of recording) same.recording.push(place);
      else {
        const severity = severityOf(verdict, undeclared);
        const own = { ...finding, ...observedIn(finding, facts), severity };
        findings.set(fingerprint, { ...own, recording: [...recording] });
      }
    }
  }
  const { file } = described;
  const counts = { description: file, exchanges, matched, validated, skipped, problems };
  return { ...counts, findings: [...findings.values()], secrets };
}

/** A description with its validators. Nobody who does not ask for the observed one waits for it. */
async function load(
  name: Config["description"],
): Promise<{ description: Description; facts?: readonly ObservedFact[] }> {
  return name === "observed"
    ? import("../../generated/observed-description.js")
    : import("../../generated/description.js");
}

/** The observed fact that a finding contradicts: the one that states the innermost place around it. */
function observedIn(
  { spec, verdict, fix }: Finding,
  facts: readonly ObservedFact[] = [],
): Partial<Pick<ReportFinding, "observed" | "fix">> {
  if (verdict === "gap-observed") return {};
  const [found] = facts
    .flatMap((fact) => fact.places.map((place) => ({ place, fact })))
    .filter(({ place }) => isWithin(spec.pointer, place))
    .toSorted((a, b) => b.place.length - a.place.length);
  if (!found) return {};
  const { fact, sources, seen } = found.fact;
  const said = `${fix} Observed: ${fact} Last seen ${seen} in ${sources.join(", ")}.`;
  return { fix: said, observed: { fact, sources, seen } };
}

/** Makes the report of a run, without its secrets. @param today as YYYY-MM-DD */
export function reportOf(collected: Collected, config: Config, today: string): Report {
  const { secrets, ...results } = collected;
  const hide = hider(secrets);
  // A lower-case word that is a password somewhere is an ordinary word in paths and pointers.
  const names = [...secrets.known].filter((each) => !/^[a-z]+$/i.test(each));
  const hideName = hider(createSecrets(names, redacted));
  const { findings, problems } = applyAccepted(results.findings, config.accepted, today);
  return createReport({
    ...results,
    minMatched: config.minMatched,
    // Rule, operation and spec are the gate's own words.
    findings: findings.map((finding): ReportFinding => {
      const { pointer, expected, actual } = finding;
      const recording = finding.recording.map((each) => ({
        ...hideName(each),
        actual: hide(each.actual),
      }));
      return { ...finding, ...hideName({ pointer, expected }), actual: hide(actual), recording };
    }),
    exchanges: results.exchanges.map((each) => ({ ...each, name: hideName(each.name) })),
    problems: [...hide(results.problems), ...problems],
  });
}

const redacted = () => "[redacted]";

/** Makes a function that hides secrets in all texts of a value; findings repeat the same text thousands of times. */
function hider(secrets: Secrets) {
  const hidden = new Map<string, string>();
  return <T>(value: T): T =>
    mapStrings(value, (text) => {
      const clean = hidden.get(text) ?? hideInText(text, secrets);
      hidden.set(text, clean);
      return clean;
    });
}
