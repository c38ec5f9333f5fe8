import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import type { Description, Json } from "../../src/openapi/description.js";
import { compileDocument } from "../generate/contract/compile.js";
import { compareExchange } from "../learn/deviations.js";
import { editOverlay } from "../overlay/edit-overlay.js";
import { listFacts, countMonths } from "../overlay/facts.js";
import { learnFacts } from "../learn/learn-facts.js";
import { applyOverlay, readOverlay, parseOverlay } from "../overlay/overlay.js";
import { findProblems, readWitnesses } from "../learn/witnesses.js";
import { root, type Proof } from "./project.js";
import { readSharedBodies, type SharedBody } from "./shared-bodies.js";

/** A fact last seen more than this many months ago must be checked again or dropped. */
const MAX_AGE_MONTHS = 60;
const LIMITS = { minSources: 2, minRequired: 3 };
const EMPTY =
  'overlay: 1.1.0\ninfo:\n  title: Facts\n  version: 1.0.0\n  x-as-of: "2024-12"\nactions: []\n';

/** The observed facts have witnesses, and `npm run observe` finds those that recorded bodies show. */
export async function proveObserved(): Promise<Proof> {
  const catalogue = parse(await readFile(`${root}openapi/catalogue.yaml`, "utf8")) as Json;
  const facts = await proveFacts(catalogue);
  const bodies = readSharedBodies(catalogue);
  const observed = bodies
    ? await proveObserve(catalogue, bodies)
    : {
        summary: ["npm run observe: skipped, because ../shared/observed is not there"],
        problems: [],
      };
  return {
    summary: [...facts.summary, ...observed.summary],
    problems: [...facts.problems, ...observed.problems],
  };
}

/**
 * Each fact with its witnesses: exchanges that the description rejects without the fact. Problems are a fact without
 * a witness, an outdated fact, and a witness that the whole description rejects.
 */
async function proveFacts(before: Json): Promise<Proof> {
  const result = await readOverlay(`${root}openapi/observed.overlay.yaml`, before);
  const { actions: all, document, asOf } = result;
  const witnesses = await readWitnesses(`${root}test/observed/witnesses`);
  const description = compileDocument({ document, positions: {} });
  const summary: string[] = [];
  const problems = witnesses.flatMap((witness) =>
    findProblems(witness, description).map((problem) => `${witness.name}: ${problem}`),
  );
  for (const fact of listFacts(result, before)) {
    const { gap = "none", sources, seen, actions, operations } = fact;
    const others = all.filter((_, index) => !actions.includes(index));
    const without = tryCompile(applyOverlay(before, others).document);
    const noticing = witnesses
      .filter(({ operation }) => operations.includes(operation))
      .filter((witness) => !without || findProblems(witness, without).length > 0)
      .map(({ name }) => name);
    const details = [`gap: ${gap}`, `last seen: ${seen}`, `witnesses: ${noticing.join(", ")}`];
    details.push(...sources.map((source) => `source: ${source}`));
    summary.push(fact.fact, ...details.map((each) => `  ${each}`));
    if (noticing.length === 0) problems.push(`no witness: ${fact.fact}`);
    if (countMonths(seen, asOf) > MAX_AGE_MONTHS) problems.push(`too old: ${fact.fact}`);
  }
  return { summary, problems };
}

/** Makes a document ready for validation; undefined if another fact refers to what it lacks. */
function tryCompile(document: Json): Description | undefined {
  try {
    return compileDocument({ document, positions: {} });
  } catch {
    return undefined;
  }
}

/** Starting from an empty overlay, `observe` must describe every current body, and the project's overlay lacks nothing. */
async function proveObserve(catalogue: Json, bodies: readonly SharedBody[]): Promise<Proof> {
  const problems: string[] = [];
  const write = (text: string, evidence: readonly SharedBody[]) => {
    const found = learnFacts(evidence, catalogue, parseOverlay(text, "overlay", catalogue), LIMITS);
    return { ...found, text: editOverlay(text, found.actions, found.seenAgain) };
  };
  const { text, actions, undecided } = write(EMPTY, bodies);
  if (write(text, bodies).text !== text) problems.push("a second run changes the overlay");
  if (write(EMPTY, bodies.toReversed()).text !== text)
    problems.push("the overlay depends on the order of the exchanges");

  const { document } = parseOverlay(text, "overlay", catalogue);
  const description = compileDocument({ document, positions: {} });
  const listed = new Set(undecided.flatMap(({ places }) => places));
  for (const { exchange } of bodies) {
    const { deviations, undecided: findings } = compareExchange(exchange, description);
    const places = [
      ...deviations.map(({ location }) => location),
      ...findings.flatMap(({ occurrences }) => occurrences.map(({ pointer }) => pointer)),
    ];
    const open = places.filter((each) => !listed.has(`${exchange.locate(each).file}:1:1`));
    if (open.length > 0)
      problems.push(`${exchange.name} is neither described nor listed: ${open.join(", ")}`);
  }

  const own = await readOverlay(`${root}openapi/observed.overlay.yaml`, catalogue);
  const again = learnFacts(bodies, catalogue, own, LIMITS);
  const lacking = again.actions.map((each) => each["x-observed"].fact);
  problems.push(...lacking.map((each) => `the overlay lacks a fact; run npm run observe: ${each}`));
  const facts = new Map(own.actions.map((each) => [each["x-observed"].fact, each["x-observed"]]));
  const others = [...facts.values()].filter(({ fact }) => !again.seenAgain.has(fact));
  return {
    summary: [
      `npm run observe over ${bodies.length} bodies: ${actions.length} actions`,
      ...undecided.map(({ reason, subject }) => `  not written: ${subject} (${reason})`),
      ...others.map(({ fact, sources }) => `  only by hand: ${fact} (${sources[0]})`),
    ],
    problems,
  };
}
