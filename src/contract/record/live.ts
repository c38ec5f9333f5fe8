import type { Item } from "../input/read.js";
import {
  describeFailure,
  prepareRun,
  INCONCLUSIVE_STATUSES,
  type DeploymentOptions,
} from "./call-plan.js";
import { collectSecrets } from "./run-secrets.js";

/**
 * Calls a deployment for the gate. Returns one item for each planned call, so that a call without a response counts as
 * an exchange that was not validated.
 * @throws {CommandError} before any request is sent, if an option or the plan is invalid
 */
export async function callDeployment(options: DeploymentOptions): Promise<Item[]> {
  const { log = () => {} } = options;
  const { cases, skipped, notCalled, secrets: given, callAll } = await prepareRun(options);
  const called = await callAll(cases);
  const secrets = collectSecrets(
    given,
    called.flatMap(({ outcome }) => (outcome instanceof Error ? [] : outcome)),
  );
  const items = called.map((each): Item => {
    const { planned, outcome } = each;
    const name = `live:${planned.name}`;
    const isError = outcome instanceof Error;
    if (isError || INCONCLUSIVE_STATUSES.has(outcome.response.status)) {
      const { reason } = describeFailure(each, secrets, "all retries failed");
      log(`failed ${planned.name}: ${reason}`);
      return { name, unvalidated: isError ? "no response" : "rate limited" };
    }
    const expects = planned.entry.expectError ? "error" : "success";
    return { exchange: { ...outcome, name, expectedOutcome: expects } };
  });
  for (const { name, kind, reason } of skipped) {
    log(`skipped ${name}: ${reason}`);
    items.push({ skipped: kind });
  }
  for (const { name, reason } of notCalled) {
    log(`skipped ${name}: ${reason}`);
    items.push({ name: `live:${name}`, unvalidated: "not called" });
  }
  return items;
}
