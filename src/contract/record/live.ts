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
  const { cases, leftOut, secrets, callAll, fail } = await prepare(options);
  const called = await callAll(cases);
  signal?.throwIfAborted();
  const items = called.map((each): Item => {
    const { planned, outcome, kind } = each;
    if (outcome instanceof Error || kind === "none") {
      return { file: fail(each).name, skipped: "no response" };
    }
    const name = `live:${planned.name.replace(/\/typical$/, "")}`;
    const locate = () => ({ file: name, line: 1, column: 1 });
    return {
      exchange: { ...scrub(outcome, { secrets, keepUndeclared: true }), name, locate },
    };
  });
  const missing = leftOut.map(({ name }): Item => ({ file: name, skipped: "not called" }));
  // A short plan must not make a run conclusive, so the built-in plan counts too.
  const due = new Set(
    [...cases, ...builtInPlan().cases].map(({ operation }) => operation).filter(isRead),
  );
  const reached = new Set(
    called.filter((each) => each.isExpected).map((each) => each.planned.operation),
  );
  const count = [...due].filter((operation) => reached.has(operation)).length;
  log(`reached ${count} of ${due.size} operations`);
  return { items: [...items, ...missing], inconclusive: count < ENOUGH * due.size };
}
