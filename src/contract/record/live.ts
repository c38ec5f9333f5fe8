import type { Item } from "../input/file.js";
import { builtInPlan, isRead } from "./plan.js";
import { prepare, type RunOptions } from "./run.js";
import { learnSecrets, scrub, type RawExchange } from "./scrub.js";

/** What was seen of a deployment. */
export interface LiveRun {
  /**
   * For the judge. Secrets and what is personal are stand-ins: reports quote what they are about. Skipped are calls
   * without an answer to judge: no connection, a status 5xx, 408 or 429, a redirect.
   */
  items: Item[];
  /**
   * Less than 90 % of the operations that read, but for those of which no id is known, answered what was asked:
   * whatever was found or not, the run says nothing about the service.
   */
  inconclusive: boolean;
}

const ENOUGH = 0.9;

/**
 * Calls a deployment as `record` does and gives the exchanges to the judge, without writing anything. A refusal
 * (status 4xx) is judged too, but the operation counts as reached only where the plan asks for it.
 * @throws {CommandError} an option or the plan is wrong; nothing was sent
 */
export async function live(options: RunOptions): Promise<LiveRun> {
  const { log = () => {} } = options;
  const { cases, leftOut, secrets, calls, fail } = await prepare(options);
  const answered: { name: string; exchange: RawExchange }[] = [];
  const skipped: Item[] = [];
  const reached = new Set<string>();
  for await (const called of calls()) {
    const { exchange, answer, isAsPlanned } = called;
    const { name, operation } = called.planned;
    if (exchange) learnSecrets(exchange, secrets);
    if (isAsPlanned) reached.add(operation);
    if (exchange && answer !== "none") {
      answered.push({ name, exchange });
      log(`called ${name} (${exchange.response.status})`);
    } else {
      fail(called);
      skipped.push({ file: name, skipped: "no answer" });
    }
  }
  // Now that all secrets of the run are known.
  const judged = answered.map(({ name, exchange }): Item => {
    const file = `live:${name.replace(/\/typical$/, "")}`;
    const locate = () => ({ file, line: 1, column: 1 });
    return { exchange: { ...scrub(exchange, secrets), origin: "live", name: file, locate } };
  });
  for (const { name } of leftOut) skipped.push({ file: name, skipped: "not called" });
  // A short plan does not make a short way to green: what the built-in plan can call is due as well.
  const all = [...cases, ...builtInPlan().cases].map(({ operation }) => operation);
  const due = [...new Set(all.filter(isRead))];
  const there = due.filter((operation) => reached.has(operation)).length;
  log(`reached ${there} of ${due.length} operations`);
  return { items: [...judged, ...skipped], inconclusive: there < ENOUGH * due.length };
}
