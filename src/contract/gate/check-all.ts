import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { checkRouted } from "../engine/check.js";
import { isWithin, step, stepsOf } from "../engine/pointer.js";
import { routeOf } from "../engine/route.js";
import { severityOf } from "../engine/rules.js";
import type { Description, Finding, ObservedFact } from "../engine/types.js";
import type { SkipReason } from "../input/har.js";
import type { Item } from "../input/read.js";
import { createReport, mapStrings } from "../report/report.js";
import type { Report, ReportFinding, Results } from "../report/report.js";
import { collectSecrets, createSecrets, hideInText, type Secrets } from "../secrets.js";
import { applyAccepted, patternOf, type Config, type Failure } from "./config.js";

/** The results of a run, with the secrets in its inputs. */
export type Collected = Omit<Results, "minMatched"> & {
  secrets: Secrets;
  /** Whether the exchanges came from a deployment, which may lack cases that the recordings have. */
  isLive?: boolean;
};

/**
 * Checks exchanges as they are read, and keeps only their findings.
 * @param shown the path of a file in reports
 */
export async function collect(
  items: AsyncIterable<Item> | Iterable<Item>,
  { undeclared, description: name }: Config,
  shown: (path: string) => string,
): Promise<Collected> {
  const { description, facts } = await load(name);
  // The package contains the YAML next to the code.
  const own = createRequire(import.meta.url).resolve("media-catalogue/package.json");
  const path = join(dirname(own), description.file);
  const described = { ...description, file: shown(path) };
  const findings = new Map<string, ReportFinding>();
  const exchanges: Collected["exchanges"] = [];
  const skipped = new Map<SkipReason, number>();
  const problems: Collected["problems"] = [];
  const secrets = createSecrets([], redacted);
  let [matched, validated] = [0, 0];

  for await (const item of items) {
    // Learns from entries of other hosts too: they may reveal a token that another entry only quotes.
    const isExchange = "exchange" in item;
    collectSecrets(item.raw ?? (isExchange ? item.exchange.response : undefined), secrets);
    if ("unreadable" in item) problems.push({ kind: "unreadable", ...item.unreadable });
    if ("skipped" in item) skipped.set(item.skipped, (skipped.get(item.skipped) ?? 0) + 1);
    if (!isExchange) continue;

    const { exchange } = item;
    const route = routeOf(exchange, described);
    const found = checkRouted(exchange, route, described);
    const isMatch = route.isMatched;
    if (isMatch) matched += 1;
    // The body of an undescribed status has no schema.
    if (isMatch && !found.some(({ rule }) => rule === "surface/status")) validated += 1;
    exchanges.push({
      name: exchange.name,
      operation: (isMatch && route.operation?.id) || "",
      findings: found.map(({ fingerprint }) => fingerprint),
    });
    for (const finding of found) {
      const { fingerprint, recording, verdict } = finding;
      const same = findings.get(fingerprint);
      if (same) {
        for (const each of recording) same.recording.push(each);
        same.count += recording.length;
      } else {
        const severity = severityOf(verdict, undeclared);
        findings.set(fingerprint, {
          ...finding,
          ...observedIn(finding, facts),
          severity,
          count: recording.length,
        });
      }
    }
  }
  const counts = { description: described.file, exchanges, matched, validated, skipped, problems };
  return { ...counts, findings: [...findings.values()], secrets };
}

/** Loads a description and its validators; a run loads only the one that it uses. */
async function load(
  name: Config["description"],
): Promise<{ description: Description; facts?: readonly ObservedFact[] }> {
  return name === "observed"
    ? import("../../generated/observed-description.js")
    : import("../../generated/description.js");
}

/** The observed fact that a finding contradicts: the fact whose location encloses the finding most closely. */
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
  const text = `${fix} Observed: ${fact} Last seen ${seen} in ${sources.join(", ")}.`;
  return { fix: text, observed: { fact, sources, seen } };
}

/** Creates the report of a run, with secrets removed. @param today as YYYY-MM-DD */
export function reportOf(collected: Collected, config: Config, today: string): Report {
  const { secrets, ...results } = collected;
  const hide = hider(secrets);
  const hideName = nameHider(secrets);
  const isComplete =
    results.isLive !== true && results.validated > 0 && results.problems.length === 0;
  const { findings, problems } = applyAccepted(
    results.findings,
    config.accepted,
    today,
    isComplete,
  );
  return createReport({
    ...results,
    minMatched: config.minMatched,
    // `rule`, `operation` and `spec` never contain input.
    findings: findings.map((finding) => {
      const { pointer, expected, actual } = finding;
      const recording = finding.recording.slice(0, MOST_PLACES).map((each) => ({
        ...hideName(each),
        pointer: hideInPointer(each.pointer, hideName),
        actual: hide(each.actual),
      }));
      return {
        ...finding,
        pointer: hideInPointer(pointer, hideName),
        expected: hideName(expected),
        actual: hide(actual),
        recording,
      };
    }),
    exchanges: results.exchanges.map((each) => ({ ...each, name: hideName(each.name) })),
    problems: [...hide(results.problems), ...problems],
  });
}

/** The failures to accept, each with one pattern that covers all of its places. */
export function failuresOf(collected: Collected, config: Config, today: string): Failure[] {
  const hide = nameHider(collected.secrets);
  const { findings } = applyAccepted(collected.findings, config.accepted, today, false);
  return findings
    .filter(({ severity }) => severity === "fail")
    .map(({ rule, operation, recording }) => {
      const pattern = patternOf(recording.map(({ pointer }) => pointer));
      const steps = stepsOf(pattern).map((each) => (hide(each) === each ? step(each) : "/*"));
      return { rule, operation, pointer: steps.join("") };
    });
}

/** Hides secrets in a pointer. Its escapes would conceal a secret that contains `/` or `~`. */
function hideInPointer(pointer: string, hide: (text: string) => string): string {
  const steps = stepsOf(pointer).map((each) => step(hide(each)));
  // A step may name the secret in the next one.
  return hide(steps.join(""));
}

/** More occurrences of one finding are only counted. */
const MOST_PLACES = 1000;

const redacted = () => "[redacted]";

/** Hides secrets in paths and pointers, except passwords of letters only: there, they are ordinary words. */
function nameHider({ known }: Secrets) {
  const names = [...known].filter((each) => !/^[a-z]+$/i.test(each));
  return hider(createSecrets(names, redacted));
}

/** Creates a function that hides secrets in all strings of a value. It caches, because findings repeat their text. */
function hider(secrets: Secrets) {
  const hidden = new Map<string, string>();
  return <T>(value: T): T =>
    mapStrings(value, (text) => {
      const clean = hidden.get(text) ?? hideInText(text, secrets);
      hidden.set(text, clean);
      return clean;
    });
}
