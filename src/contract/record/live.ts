import type { Item } from "../input/read.js";
import { prepare, type RunOptions } from "./calls.js";
import { builtInPlan, isRead } from "./plan.js";
import { scrub } from "./scrub.js";

/** The share of reading operations that must respond as planned. */
const ENOUGH = 0.9;

/**
 * Calls a deployment for the gate. A 4xx refusal is checked too, but its operation counts as reached only if the plan
 * expects a refusal.
 * @throws {CommandError} an option or the plan is wrong; nothing was sent
 * @returns items without secrets, because reports quote them, and whether too few operations were reached
 */
export async function live(options: RunOptions) {
  const { log = () => {}, signal } = options;
  const { plan, secrets, callAll, fail } = await prepare(options);
  const { cases, leftOut, given } = plan;
  const called = await callAll(cases);
  signal?.throwIfAborted();
  const items = called.map((each): Item => {
    const { planned, outcome, kind } = each;
    const { name } = planned;
    if (outcome instanceof Error || kind === "none") {
      fail(each);
      return { file: name, skipped: "no response" };
    }
    const file = `live:${name.replace(/\/typical$/, "")}`;
    const locate = () => ({ file, line: 1, column: 1 });
    const clean = scrub(outcome, { secrets, given, keepUndeclared: true });
    return { exchange: { ...clean, name: file, locate } };
  });
  const missing = leftOut.map(({ name }): Item => ({ file: name, skipped: "not called" }));
  const reached = new Set(
    called.filter((each) => each.isExpected).map(({ planned }) => planned.operation),
  );
  // A short plan must not make a run conclusive, so the built-in plan counts too.
  const all = [...cases, ...builtInPlan().cases].map(({ operation }) => operation);
  const due = [...new Set(all.filter(isRead))];
  const there = due.filter((operation) => reached.has(operation)).length;
  log(`reached ${there} of ${due.length} operations`);
  return { items: [...items, ...missing], inconclusive: there < ENOUGH * due.length };
}
