import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { Json } from "../../src/contract/engine/types.js";
import { applyOverlay, overlaid } from "../observed/overlay.js";
import { factsOf, monthsBetween } from "../observed/facts.js";
import { checkerOf, readWitnesses } from "../observed/witnesses.js";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
/** A fact last seen more than this many months ago must be checked again or dropped. */
const TOO_OLD = 60;

/**
 * `npm run prove -- observed`: prints each observed fact with its gap, sources, last recording and witnesses.
 * @returns the exit code: 1 if there is a problem
 */
export async function observed(): Promise<number> {
  const { table, problems } = await proofOfFacts();
  console.log([...table, ...problems, `${problems.length} problems`].join("\n"));
  return problems.length > 0 ? 1 : 0;
}

/**
 * Each fact with its witnesses: exchanges that the description rejects without the fact. Problems are a fact without
 * a witness, an outdated fact, and a witness that the whole description rejects.
 */
export async function proofOfFacts(): Promise<{ table: string[]; problems: string[] }> {
  const before = parse(await readFile(join(PROJECT, "openapi/catalogue.yaml"), "utf8")) as Json;
  const result = await overlaid(join(PROJECT, "openapi/observed.overlay.yaml"), before);
  const { overlay, document } = result;
  const witnesses = await readWitnesses(join(PROJECT, "test/observed/witnesses"));
  const checker = checkerOf(document);
  const table: string[] = [];
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
    table.push(
      fact,
      `  gap: ${gap}`,
      `  last seen: ${seen}`,
      `  witnesses: ${noticing.join(", ")}`,
    );
    table.push(...sources.map((source) => `  source: ${source}`));
    if (noticing.length === 0) problems.push(`no witness: ${fact}`);
    if (monthsBetween(seen, overlay.info["x-as-of"]) > TOO_OLD) problems.push(`too old: ${fact}`);
  }
  return { table, problems };
}
