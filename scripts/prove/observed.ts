import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import type { Json } from "../../src/contract/engine/types.js";
import { applyOverlay, overlaid } from "../observed/overlay.js";
import { factsOf, monthsBetween } from "../observed/facts.js";
import { checkerOf, readWitnesses } from "../observed/witnesses.js";
import { root, type Proof } from "./project.js";

/** A fact last seen more than this many months ago must be checked again or dropped. */
const TOO_OLD = 60;

/**
 * Each fact with its witnesses: exchanges that the description rejects without the fact. Problems are a fact without
 * a witness, an outdated fact, and a witness that the whole description rejects.
 */
export async function proveObserved(): Promise<Proof> {
  const before = parse(await readFile(`${root}openapi/catalogue.yaml`, "utf8")) as Json;
  const result = await overlaid(`${root}openapi/observed.overlay.yaml`, before);
  const { overlay, document } = result;
  const witnesses = await readWitnesses(`${root}test/observed/witnesses`);
  const checker = checkerOf(document);
  const summary: string[] = [];
  const problems = [
    ...checker.documentProblems(),
    ...witnesses.flatMap((witness) =>
      checker.witnessProblems(witness).map((problem) => `${witness.name}: ${problem}`),
    ),
  ];
  for (const { fact, gap = "none", sources, seen, actions, operations } of factsOf(
    result,
    before,
  )) {
    const others = overlay.actions.filter((_, index) => !actions.includes(index));
    const { witnessProblems } = checkerOf(applyOverlay(before, others).document);
    const noticing = witnesses
      .filter(({ operation }) => operations.includes(operation))
      .filter((witness) => witnessProblems(witness).length > 0)
      .map(({ name }) => name);
    const details = [`gap: ${gap}`, `last seen: ${seen}`, `witnesses: ${noticing.join(", ")}`];
    details.push(...sources.map((source) => `source: ${source}`));
    summary.push(fact, ...details.map((each) => `  ${each}`));
    if (noticing.length === 0) problems.push(`no witness: ${fact}`);
    if (monthsBetween(seen, overlay.info["x-as-of"]) > TOO_OLD) problems.push(`too old: ${fact}`);
  }
  return { summary, problems };
}
