/** The median and the quartiles of a list of measurements. */
export interface Spread {
  low: number;
  median: number;
  high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]!;
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/** Returns the time of the fastest tenth of the rounds. Everything else that runs on the machine only adds time. */
export function fastestOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 10)]!;
}

/**
 * Measures each contender once per round. The order changes, so that noise affects all contenders alike. The first two
 * rounds only warm up the JIT compiler, so they do not count.
 */
export async function interleave(
  names: readonly string[],
  rounds: number,
  measure: (name: string) => Promise<number>,
): Promise<Record<string, number[]>> {
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let round = -2; round < rounds; round += 1) {
    const first = (round + 2) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const value = await measure(name);
      if (round >= 0) measured[name]!.push(value);
    }
  }
  return measured;
}
