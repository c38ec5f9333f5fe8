import { contenders, FETCH, loadClient, OPENAPI_FETCH } from "./contenders.js";
import { HEADERS, PAGE } from "./page.js";
import { interleave, spreadOf, type Spread } from "./statistics.js";

const CALLS = 500;

export interface Cpu {
  name: string;
  /** Microseconds of CPU a call, of all threads. */
  total: Spread;
  /** The same, beyond `fetch + json()`. */
  beyond: Spread;
  /** `beyond` as a part of that of openapi-fetch, by their medians. */
  ratio: number;
}

/** CPU time of a call where the network costs nothing: a stub gives each contender the same fresh Response. */
export async function measureCpu(rounds: number, tell: (done: number) => void): Promise<Cpu[]> {
  const real = globalThis.fetch;
  globalThis.fetch = async () => new Response(PAGE, { headers: HEADERS });
  try {
    const calls = contenders(await loadClient(), "https://catalogue.example");
    const measured = await interleave(Object.keys(calls), rounds, timeOf(calls), tell);
    const bare = measured[FETCH]!;
    const rows = Object.entries(measured).map(([name, totals]) => ({
      name,
      total: spreadOf(totals),
      beyond: spreadOf(totals.map((total, round) => total - bare[round]!)),
    }));
    const { beyond: theirs } = rows.find(({ name }) => name === OPENAPI_FETCH)!;
    return rows.map((row) => ({ ...row, ratio: row.beyond.median / theirs.median }));
  } finally {
    globalThis.fetch = real;
  }
}

function timeOf(calls: ReturnType<typeof contenders>) {
  return async (name: string) => {
    const call = calls[name]!;
    const before = process.cpuUsage();
    for (let count = 0; count < CALLS; count += 1) await call();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / CALLS;
  };
}
