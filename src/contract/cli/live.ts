import type { Item } from "../input/file.js";
import { live } from "../record/live.js";
import type { RunOptions } from "../record/run.js";

/** Calls a deployment and gives its answers to the judge; a fault of the transport is no finding, and counted. */
export async function callDeployment(
  options: RunOptions,
): Promise<{ items: Item[]; inconclusive: boolean }> {
  const { exchanges, faults, leftOut, inconclusive } = await live(options);
  return {
    items: [
      ...exchanges.map((exchange) => ({ exchange })),
      ...faults.map(({ name }): Item => ({ file: name, skipped: "no answer" })),
      ...leftOut.map(({ name }): Item => ({ file: name, skipped: "not called" })),
    ],
    inconclusive,
  };
}
