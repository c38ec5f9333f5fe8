import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { contenders, FETCH, loadClient } from "./contenders.js";
import { interleave, spreadOf, type Spread } from "./statistics.js";

export interface Throughput {
  name: string;
  concurrency: number;
  /** Calls a second. */
  rate: Spread;
  /** The rate as a part of that of `fetch + json()` in the same round. */
  ratio: Spread;
}

/** Calls a second on loopback, against a server in a process of its own. */
export async function measureThroughput(
  concurrency: number,
  calls: number,
  rounds: number,
  tell: (done: number) => void,
): Promise<Throughput[]> {
  const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)));
  try {
    const [port] = (await once(server, "message")) as [number];
    const all = contenders(await loadClient(), `http://127.0.0.1:${port}`);
    const rateOf = async (name: string) => {
      const start = performance.now();
      let left = calls;
      const work = async () => {
        while (left > 0) {
          left -= 1;
          await all[name]!();
        }
      };
      await Promise.all(Array.from({ length: concurrency }, work));
      return (calls / (performance.now() - start)) * 1000;
    };
    const measured = await interleave(Object.keys(all), rounds, rateOf, tell, 1);
    return Object.entries(measured).map(([name, rates]) => ({
      name,
      concurrency,
      rate: spreadOf(rates),
      ratio: spreadOf(rates.map((rate, round) => rate / measured[FETCH]![round]!)),
    }));
  } finally {
    server.kill();
  }
}
