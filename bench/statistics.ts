/** What lies in the middle of many measurements, and how far they spread. */
export interface Spread {
  low: number;
  median: number;
  high: number;
}

/** Median and quartiles. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/**
 * Measures each of some things once a round, in another order each time, so that a noisy moment hits all alike.
 * @returns the measurements of each, one a round; the first rounds are left out, in which the code is compiled
 */
export async function interleave(
  names: readonly string[],
  rounds: number,
  measure: (name: string) => Promise<number>,
  tell: (done: number) => void,
  warmUp = 3,
): Promise<Record<string, number[]>> {
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let round = -warmUp; round < rounds; round += 1) {
    const first = (round + warmUp) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const value = await measure(name);
      if (round >= 0) measured[name]!.push(value);
    }
    tell((round + warmUp + 1) / (rounds + warmUp));
  }
  return measured;
}
