import type { Item } from "../input/read.js";
import { builtInPlan, isRead } from "./plan.js";
import { prepare, type RunOptions } from "./run.js";
import { scrub, type RawExchange } from "./scrub.js";

/** Of the operations that read, but for those of which no id is known; they have to answer what was asked. */
const ENOUGH = 0.9;

/**
 * Calls a deployment as `record` does, for the judge. A refusal (status 4xx) is judged too, but the operation counts as
 * reached only where the plan asks for it. @throws {CommandError} an option or the plan is wrong; nothing was sent
 * @returns items without secrets, which reports would quote, and whether too little was reached to say anything
 */
export async function live(options: RunOptions) {
  const { log = () => {} } = options;
  const { cases, leftOut, secrets, calls, fail } = await prepare(options);
  const answered: [name: string, exchange: RawExchange][] = [];
  const skipped: Item[] = [];
  const reached = new Set<string>();
  for await (const called of calls()) {
    const { outcome, answer, isAsPlanned } = called;
    const { name, operation } = called.planned;
    if (isAsPlanned) reached.add(operation);
    if (outcome instanceof Error || answer === "none") {
      fail(called);
      skipped.push({ file: name, skipped: "no response" });
    } else {
      answered.push([name, outcome]);
      log(`called ${name} (${outcome.response.status})`);
    }
  }
  const judged = answered.map(([name, exchange]): Item => {
    const file = `live:${name.replace(/\/typical$/, "")}`;
    const locate = () => ({ file, line: 1, column: 1 });
    // Again, now that all secrets of the run are known.
    return { exchange: { ...scrub(exchange, secrets), name: file, locate } };
  });
  for (const { name } of leftOut) skipped.push({ file: name, skipped: "not called" });
  // A short plan does not make a short way to green: what the built-in plan can call is due as well.
  const all = [...cases, ...builtInPlan().cases].map(({ operation }) => operation);
  const due = new Set(all.filter(isRead));
  const there = [...due].filter((operation) => reached.has(operation)).length;
  log(`reached ${there} of ${due.size} operations`);
  return { items: [...judged, ...skipped], inconclusive: there < ENOUGH * due.size };
}
