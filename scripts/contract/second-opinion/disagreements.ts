import { byOperator, type Subject } from "./sample.js";

/** A kind of exchange about which another tool and the gate disagree, and why. */
export interface Disagreement {
  tool: string;
  operator: string;
  /** The tool is silent where the gate has a finding, or complains where it has none. */
  verdict: "silent" | "complains";
  /** Whether it is so for all exchanges of the operator that were asked about. */
  share: "all" | "some";
  reason: string;
}

/** What was said of every subject, in their order; empty where there was no complaint. */
export type Opinions = Readonly<Record<string, readonly string[]>>;

/** The disagreements of the tools with the gate, each with an example. */
export function disagreementsOf(
  subjects: readonly Subject[],
  ours: readonly string[],
  others: Opinions,
): (Omit<Disagreement, "reason"> & { count: number; example: string })[] {
  return Object.entries(others).flatMap(([tool, said]) =>
    [...byOperator(subjects)].flatMap(([operator, indexes]) =>
      (["silent", "complains"] as const).flatMap((verdict) => {
        const there = indexes.filter((index) =>
          verdict === "silent" ? ours[index] && !said[index] : !ours[index] && said[index],
        );
        if (there.length === 0) return [];
        const share = there.length === indexes.length ? "all" : "some";
        const [first = 0] = there;
        const example = `${subjects[first]?.name}: ${(said[first] || ours[first] || "").slice(0, 200)}`;
        return [{ tool, operator, verdict, share, count: there.length, example } as const];
      }),
    ),
  );
}

/** What is wrong with the list of explained disagreements: each line says what to do about it. */
export function staleness(
  found: ReturnType<typeof disagreementsOf>,
  explained: readonly Disagreement[],
): string[] {
  const keyOf = ({ tool, operator, verdict, share }: Omit<Disagreement, "reason">) =>
    `${tool} ${verdict} on ${share} of "${operator}"`;
  const known = new Set(explained.map(keyOf));
  const seen = new Set(found.map(keyOf));
  return [
    ...found
      .filter((each) => !known.has(keyOf(each)))
      .map((each) => `not explained: ${keyOf(each)} (${each.count}); such as ${each.example}`),
    ...explained
      .filter((each) => !seen.has(keyOf(each)))
      .map((each) => `not so any more, remove it: ${keyOf(each)}`),
    ...explained.filter((each) => !each.reason).map((each) => `without a reason: ${keyOf(each)}`),
  ];
}
