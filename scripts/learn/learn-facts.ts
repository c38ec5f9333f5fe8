import { getAtPointer, parentPointer } from "../../src/openapi/pointer.js";
import { isUnconstrained } from "../../src/contract/engine/body.js";
import { ruleOf } from "../../src/contract/engine/rules.js";
import type { Schema } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import type { Finding } from "../../src/contract/engine/types.js";
import { analyze, compileDocument } from "../description/compile.js";
import { planChanges, type Change } from "./changes.js";
import { compareExchange, type ComparedExchange, type Deviation } from "./deviations.js";
import { findOrigin } from "../shared/evidence-level.js";
import { combineProvenance, type Evidence } from "./evidence.js";
import { describeFact } from "./describe-fact.js";
import { createVocabulary } from "./infer.js";
import {
  applyOverlay,
  type Action,
  type FactProvenance,
  type AppliedOverlay,
} from "../overlay/overlay.js";
import { renewFacts } from "./renew-facts.js";

/** The number of independent sources that each kind of fact needs. */
export interface Limits {
  /** A fact can loosen a statement of the specification only if at least this many sources show the fact. */
  minSources: number;
  /** A new property that every object has is required only if the objects come from at least this many sources. */
  minRequired: number;
}

/** A fact that the overlay does not state yet. */
interface NewFact {
  observed: FactProvenance;
  changes: Change[];
  /** Whether all values that show the fact are strings, numbers, booleans, or null. */
  isSimple: boolean;
  shown: Group["shown"];
}

/** A deviation that is not added to the overlay as a fact. */
export interface Undecided {
  reason: string;
  subject: string;
  sources: string[];
  /** The positions of the deviation in the exchanges, as `FILE:LINE:COLUMN`. */
  locations: string[];
}

/** The facts that exchanges show, and the deviations that do not count as facts. */
export interface Observation {
  /** The actions to add to the overlay. Actions for the same fact share one provenance object. */
  actions: Action[];
  /** The new provenance of each fact that was seen again, keyed by the text of the fact. */
  seenAgain: Map<string, FactProvenance>;
  undecided: Undecided[];
}

/** A deviation, and every exchange that shows it. */
interface Group extends Deviation {
  /** Whether the deviation contradicts the overlay rather than the specification. */
  isOwn: boolean;
  shown: { evidence: Evidence; value: Json | undefined; location: string }[];
}

/** Returns the reason why a null or an absence does not count as a fact yet. */
export function tooFewSources({ minSources }: Pick<Limits, "minSources">): string {
  return `fewer than ${minSources} independent sources show the fact`;
}

/** Learns facts from exchanges. The order of the exchanges does not matter. */
export function learnFacts(
  evidence: readonly Evidence[],
  catalogue: Json,
  overlaid: AppliedOverlay,
  limits: Limits,
): Observation {
  const facts: NewFact[] = [];
  let current = overlaid;
  for (;;) {
    const round = findFacts(evidence, catalogue, current.document, limits);
    // Facts with simple values come first. They can complete a component schema, which facts about objects can then
    // reuse.
    const simple = applyFacts(
      round.facts.filter(({ isSimple }) => isSimple),
      current,
    );
    const next = simple.added.length > 0 ? simple : applyFacts(round.facts, current);
    if (next.added.length === 0) {
      const before = compareAll(evidence, catalogue).comparisons;
      const seen = renewFacts(before, round.comparisons, current);
      // A second run with the same exchanges must not change the provenance.
      for (const fact of facts) fact.observed = seen.get(fact.observed.fact) ?? fact.observed;
      removeUnused(facts, current.document);
      const rejected = round.facts.map(({ observed, shown }) =>
        describeUndecided(
          "the generator would reject the changed description",
          observed.fact,
          shown,
        ),
      );
      const undecided = [...round.undecided, ...rejected].toSorted(compareSubjects);
      return { actions: toActions(facts), seenAgain: seen, undecided };
    }
    facts.push(...next.added);
    current = next.overlaid;
  }
}

/** Applies facts one by one, but skips facts that the generator would reject. */
function applyFacts(facts: readonly NewFact[], overlaid: AppliedOverlay) {
  const added: NewFact[] = [];
  let current = overlaid;
  for (const fact of facts) {
    const { actions, document, locations } = applyOverlay(current.document, toActions([fact]));
    if (analyze(document).problems.length > 0) continue;
    added.push(fact);
    current = {
      actions: [...current.actions, ...actions],
      document,
      locations: [...current.locations, ...locations],
    };
  }
  return { added, overlaid: current };
}

function toActions(facts: readonly NewFact[]): Action[] {
  return facts.flatMap(({ observed, changes }) =>
    changes.map((each) => ({ ...each, "x-observed": observed })),
  );
}

/** Compares each exchange with a description. */
function compareAll(evidence: readonly Evidence[], document: Json) {
  const description = compileDocument({ document, positions: {} });
  const comparisons: ComparedExchange[] = evidence.map((each) => ({
    evidence: each,
    comparison: compareExchange(each.exchange, description),
  }));
  return { description, comparisons };
}

/** Finds facts that a description does not state. The facts do not depend on each other. */
function findFacts(
  evidence: readonly Evidence[],
  catalogue: Json,
  document: Json,
  { minSources, minRequired }: Limits,
): { facts: NewFact[]; undecided: Undecided[]; comparisons: ComparedExchange[] } {
  const { description, comparisons } = compareAll(evidence, document);
  const vocabulary = createVocabulary(
    description,
    comparisons.flatMap(findSensitiveStrings),
    minRequired,
  );
  const facts: NewFact[] = [];
  const removed = new Set<string>();
  const undecided = groupUndecided(comparisons);
  for (const group of groupDeviations(comparisons, catalogue)) {
    const { kind, gap, isOwn, shown } = group;
    const samples = shown.flatMap(({ value, evidence: { source } }) =>
      value === undefined ? [] : [{ value, origin: findOrigin(source) }],
    );
    const origins = new Set(shown.map((each) => findOrigin(each.evidence.source))).size;
    const isNull = kind === "type" && samples.every(({ value }) => value === null);
    const isLoosening = !isOwn && (kind === "absence" || isNull);
    const changes =
      isLoosening && origins < minSources
        ? tooFewSources({ minSources })
        : planChanges(group, samples, isOwn, vocabulary);
    const fact = describeFact(group, samples, description, vocabulary);
    if (typeof changes === "string") {
      undecided.push(describeUndecided(changes, fact, shown));
    } else if (changes.length > 0) {
      // Two new parameters of an operation replace the same free-form parameter, which can be removed only once.
      const own = changes.filter(({ target, remove }) => !remove || !removed.has(target));
      for (const { target } of own) removed.add(target);
      const provenance = combineProvenance(shown.map((each) => each.evidence));
      const isSimple = samples.every(({ value }) => typeof value !== "object" || value === null);
      facts.push({
        observed: { ...(gap && { gap }), fact, ...provenance },
        changes: own,
        isSimple,
        shown,
      });
    }
  }
  return { facts, undecided, comparisons };
}

/** Groups equal deviations, and collects the exchanges that show each deviation. */
function groupDeviations(comparisons: readonly ComparedExchange[], catalogue: Json): Group[] {
  const all = comparisons.flatMap(({ evidence, comparison }) =>
    comparison.deviations.map((deviation) => ({ evidence, comparison, deviation })),
  );
  const fields = new Set(
    all.map(
      ({ deviation: { kind, descriptionPointer, name } }) =>
        `${kind} ${descriptionPointer} ${name}`,
    ),
  );
  const groups = new Map<string, Group>();
  for (const { evidence, comparison, deviation } of all) {
    const { kind, name, value, location } = deviation;
    // If exchanges show the same new property in objects of the base schema, the base schema declares the property for
    // all schemas that extend it.
    const around =
      kind === "field" ? comparison.locations.get(parentPointer(location))?.schemas : [];
    const base = around?.find(({ pointer }) => fields.has(`field ${pointer} ${name}`));
    const descriptionPointer = base?.pointer ?? deviation.descriptionPointer;
    const isOwn = isOverlayStatement({ ...deviation, descriptionPointer }, catalogue);
    const parts = [descriptionPointer, kind, name];
    if (kind === "unlisted") parts.push(JSON.stringify(value));
    if (kind === "type" && !isOwn) parts.push(String(value === null));
    const key = parts.join(" ");
    const group = groups.get(key) ?? { ...deviation, descriptionPointer, isOwn, shown: [] };
    group.shown.push({ evidence, value, location });
    groups.set(key, group);
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** Returns whether a deviation contradicts a statement that only the overlay makes. */
function isOverlayStatement(
  { kind, descriptionPointer, name }: Deviation,
  catalogue: Json,
): boolean {
  const schema = getAtPointer(catalogue, descriptionPointer) as Schema | undefined;
  if (!schema) return true;
  return kind === "absence"
    ? !schema.required?.includes(name)
    : isUnconstrained([{ pointer: descriptionPointer, schema }]);
}

/** Returns the strings in an exchange that the description marks as sensitive. */
function findSensitiveStrings({ comparison }: ComparedExchange): string[] {
  return [...comparison.locations.values()].flatMap(({ value, isSensitive }) =>
    typeof value === "string" && isSensitive ? value : [],
  );
}

/** Adds actions that remove the shared free-form parameters to which no operation refers any longer. */
function removeUnused(facts: readonly NewFact[], document: Json): void {
  const dropped = new Map(
    facts.flatMap(({ changes }) =>
      changes.flatMap(({ target }) => {
        const [, name] = /'#\/components\/parameters\/(\w+)'\]$/.exec(target) ?? [];
        return name === undefined ? [] : [[name, changes] as const];
      }),
    ),
  );
  const text = JSON.stringify(document);
  for (const [name, changes] of dropped) {
    const isUsed = text.includes(`"#/components/parameters/${name}"`);
    if (!isUsed) changes.push({ target: `$.components.parameters.${name}`, remove: true });
  }
}

/** Lists the findings that no fact can resolve. A finding in several exchanges is listed once. */
function groupUndecided(comparisons: readonly ComparedExchange[]): Undecided[] {
  const groups = new Map<string, { finding: Finding; shown: Group["shown"] }>();
  for (const { evidence, comparison } of comparisons) {
    for (const finding of comparison.undecided) {
      const group = groups.get(finding.fingerprint) ?? { finding, shown: [] };
      groups.set(finding.fingerprint, group);
      for (const { pointer } of finding.occurrences)
        group.shown.push({ evidence, value: undefined, location: pointer });
    }
  }
  return [...groups.values()].map(({ finding: { rule, operation }, shown }) => {
    const subject = `${operation && `\`${operation}\`: `}${ruleOf(rule).title} (${rule}).`;
    return describeUndecided("an overlay cannot resolve the finding", subject, shown);
  });
}

function describeUndecided(reason: string, subject: string, shown: Group["shown"]): Undecided {
  const locations = shown.map(({ evidence: { exchange }, location }) => {
    const { file, line, column } = exchange.locate(location);
    return `${file}:${line}:${column}`;
  });
  const { sources } = combineProvenance(shown.map(({ evidence }) => evidence));
  return { reason, subject, sources, locations: [...new Set(locations)].toSorted() };
}

function compareSubjects(a: Undecided, b: Undecided): number {
  return `${a.reason}\n${a.subject}` < `${b.reason}\n${b.subject}` ? -1 : 1;
}
