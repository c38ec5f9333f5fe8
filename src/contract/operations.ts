import type { DescribedResponse, Operation } from "./types.js";

/** The response that is described for a status: by the number, its range, or `default`. */
export function responseFor(
  { responses }: Operation,
  status: number,
): DescribedResponse | undefined {
  const named = (name: string) => responses.find((each) => each.status.toUpperCase() === name);
  return named(String(status)) ?? named(`${Math.floor(status / 100)}XX`) ?? named("DEFAULT");
}
