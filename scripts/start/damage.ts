import type { Exchange } from "../../src/contract/index.js";
import type { Gate } from "./call.js";
import type { Report } from "./report.js";

/**
 * Damages the answers that passed in every way that the description makes possible, and has each copy judged: a gate
 * that passes everything is seen at once.
 * @returns whether every copy was refused, but those where the source says that anything may stand
 */
export function damageAnswers(gate: Gate, exchanges: readonly Exchange[], report: Report): boolean {
  const started = performance.now();
  report.progress("judging damaged copies of the answers ...");
  const { total, killed, waived, survivors } = gate.mutationScore(exchanges, gate.description);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  report.line(
    `\n${total} damaged copies of these answers: ${killed} refused, ${waived.length} where anything may stand, ` +
      `${survivors.length} missed (${seconds} s)`,
    survivors.length > 0 ? "red" : undefined,
  );
  for (const { operator, name, place } of survivors)
    report.line(`${name} ${place}: nothing was found, but the damage was: ${operator}`);
  return survivors.length === 0;
}
