import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { loadClient } from "./contenders.js";
import { HEADERS, PAGE } from "./page.js";

export interface Heap {
  calls: number;
  /** Bytes that the heap grew by between the warm-up and the last call. */
  growth: number;
}

/** What many calls leave behind, after the garbage is collected; the first fifth of them warms up. */
export async function measureHeap(calls: number, tell: (done: number) => void): Promise<Heap> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { createCatalogue } = await loadClient();
  const fetch = async () => new Response(PAGE, { headers: HEADERS });
  const catalogue = createCatalogue({
    baseUrl: "https://catalogue.example",
    token: "token",
    fetch,
  });
  const used = async () => {
    for (let time = 0; time < 3; time += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      collect();
    }
    return process.memoryUsage().heapUsed;
  };
  const warm = calls / 5;
  let before = 0;
  for (let count = 0; count <= calls; count += 1) {
    if (count === warm) before = await used();
    if (count % 1000 === 0) tell(count / calls);
    await catalogue.trending.people("day", { query: { page: count } });
  }
  return { calls, growth: (await used()) - before };
}
