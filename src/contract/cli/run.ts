import type { Coverage, Judged } from "../coverage.js";
import type { MutationScore } from "../mutate.js";
import type { Item } from "../input/file.js";
import type { SkipReason, Unreadable } from "../input/problem.js";
import { addExcerpt, excerptsOf, type Excerpts } from "../report/excerpt.js";
import { createReport, type Mutation, type Report, type ReportExchange } from "../report/report.js";
import type { ReportFinding } from "../report/report.js";
import { collectSecrets, createHider } from "../report/secrets.js";
import { mapStrings } from "../report/visible.js";
import { placeOf } from "../report/words.js";
import type { Exchange, Finding, Origin, Severity } from "../types.js";

/** What judges: the engine, bound to a description. */
export interface Engine {
  /** Path of the description, as reports name it. */
  description: string;
  judge(exchange: Exchange): Finding[];
  /** Makes one finding of those with the same fingerprint. */
  group(findings: Finding[]): Finding[];
  severityOf(finding: Finding, origin: Origin): Severity;
  /** Plants faults in exchanges, to see whether they are found; undefined where it is not asked for. */
  mutate?: ((exchanges: Iterable<Exchange>) => MutationScore) | undefined;
  /** The text of the description, for excerpts; undefined where it is not at hand. */
  readDescription(): Promise<string | undefined>;
  /** The operationId of an exchange; empty where none matches. */
  operationOf(exchange: Exchange): string;
  /** What passing exchanges exercise of the description; undefined where it is not asked for. */
  coverage?: ((judged: readonly Judged[]) => Coverage) | undefined;
}

/** What a run of the gate gives. */
export interface Gate {
  report: Report;
  /** What the first place of each finding looks like. */
  excerpts: Excerpts;
}

/** Findings are grouped whenever so many have come together: a HAR may hold the same one a hundred thousand times. */
const PENDING = 1000;
/** A reader of the page does not look at more. */
const EXCERPTS = 500;

/**
 * Judges and reports what is read, while it is read. Of an exchange only its findings are kept, unless coverage
 * needs it.
 */
export async function runGate(
  items: AsyncIterable<Item> | Iterable<Item>,
  engine: Engine,
  { inconclusive, onExchange }: { inconclusive?: boolean; onExchange?: () => void } = {},
): Promise<Gate> {
  const byOrigin = new Map<Origin, Finding[]>();
  const exchanges: ReportExchange[] = [];
  const judged: Judged[] = [];
  const skipped = new Map<SkipReason, number>();
  const unreadable: Unreadable[] = [];
  const secrets = new Set<string>();
  const excerpts: Excerpts = new Map();

  const judgeItem = ({ exchange, source, raw }: Extract<Item, { exchange: Exchange }>) => {
    const { origin, name } = exchange;
    const found = engine
      .judge(exchange)
      .filter((each) => engine.severityOf(each, origin) !== "ignore");
    const failed = found.some((each) => engine.severityOf(each, origin) === "fail");
    const findings = [...new Set(found.map(({ fingerprint }) => fingerprint))];
    const outcome = failed ? "failed" : "passed";
    exchanges.push({ name, operation: engine.operationOf(exchange), outcome, findings });
    const isKept = (origin === "repository" && engine.coverage) || engine.mutate;
    if (isKept) judged.push({ exchange, findings: found });
    collectSecrets(raw ?? null, secrets);
    collectSecrets(exchange.response.body ?? null, secrets);

    const all = [...(byOrigin.get(origin) ?? []), ...found];
    byOrigin.set(origin, all.length > PENDING ? engine.group(all) : all);
    const excerptAt = source && excerptsOf(source.text, source);
    for (const { recording } of found) {
      const [place] = recording;
      if (place && excerptAt && excerpts.size < EXCERPTS) addExcerpt(excerpts, place, excerptAt);
    }
    onExchange?.();
  };

  for await (const item of items) {
    if ("unreadable" in item) unreadable.push(item.unreadable);
    else if ("skipped" in item) skipped.set(item.skipped, (skipped.get(item.skipped) ?? 0) + 1);
    else judgeItem(item);
  }
  const hide = createHider(secrets);
  const findings = [...byOrigin].flatMap(([origin, all]) =>
    engine.group(all).map((each) => withoutSecrets(each, engine.severityOf(each, origin), hide)),
  );
  const report = createReport({
    description: engine.description,
    findings,
    exchanges,
    coverage:
      engine.coverage?.(judged.filter(({ exchange }) => exchange.origin === "repository")) ?? null,
    mutation: mutationOf(engine, judged, onExchange),
    skipped,
    inconclusive,
    unreadable: mapStrings(unreadable, hide),
  });
  const yaml = findings.length > 0 ? await engine.readDescription() : undefined;
  if (yaml !== undefined) {
    const excerptAt = excerptsOf(yaml, { line: 1, column: 1 });
    for (const { spec } of findings) addExcerpt(excerpts, spec, excerptAt);
  }
  const shown = new Set(
    findings.flatMap(({ recording: [place], spec }) => [
      place ? placeOf(place) : "",
      placeOf(spec),
    ]),
  );
  const kept = [...excerpts].filter(([place]) => shown.has(place));
  return {
    report,
    excerpts: new Map(kept.map(([place, each]) => [place, mapStrings(each, hide)])),
  };
}

function mutationOf(
  { mutate }: Engine,
  judged: readonly Judged[],
  onExchange?: () => void,
): Mutation | null {
  if (!mutate) return null;
  const { untouched: _, ...mutation } = mutate(ticking(judged, onExchange));
  return mutation;
}

function* ticking(judged: readonly Judged[], onExchange?: () => void): Generator<Exchange> {
  for (const { exchange } of judged) {
    onExchange?.();
    yield exchange;
  }
}

/** What of a finding comes out of a recording may hold a secret; rule, files and fingerprint do not. */
function withoutSecrets(
  finding: Finding,
  severity: Severity,
  hide: (text: string) => string,
): ReportFinding {
  const { expected, actual, pointer, recording, fix } = finding;
  return {
    ...finding,
    severity: severity as ReportFinding["severity"],
    ...mapStrings({ expected, actual, pointer, fix }, hide),
    recording: recording.map((each) => Object.assign({}, each, { pointer: hide(each.pointer) })),
  };
}
