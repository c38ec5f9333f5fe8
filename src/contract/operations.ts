import type { DescribedResponse, Operation } from "./types.js";

/**
 * The response that is described for a status: by the number, its range, or `default`. Where a success is described,
 * `default` is what else may come of a failure, and stands for no other success.
 */
export function responseFor(
  { responses }: Operation,
  status: number,
): DescribedResponse | undefined {
  const named = (name: string) => responses.find((each) => each.status.toUpperCase() === name);
  const own = named(String(status)) ?? named(`${Math.floor(status / 100)}XX`);
  if (own) return own;
  const isFailure = status >= 400 || !responses.some((each) => each.status.startsWith("2"));
  return isFailure ? named("DEFAULT") : undefined;
}
