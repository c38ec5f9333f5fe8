import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { BUILT, OURS } from "./contenders.js";
import { interleave, spreadOf, type Spread } from "./statistics.js";

const EMPTY = "an empty module";

export interface ImportTime {
  /** Milliseconds that the import of the built package takes, and of an empty module. */
  ours: Spread;
  empty: Spread;
  /** The difference, round by round. */
  beyond: Spread;
}

/** How long the built package takes to import, each time in a process of its own. */
export async function measureImport(
  rounds: number,
  tell: (done: number) => void,
): Promise<ImportTime> {
  const urls: Record<string, string> = {
    [EMPTY]: new URL("empty.js", import.meta.url).href,
    [OURS]: BUILT.href,
  };
  const timeOf = async (name: string) => {
    const script = `const start = performance.now();
      await import(${JSON.stringify(urls[name])});
      console.log(performance.now() - start);`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...["--input-type=module", "--eval", script],
    ]);
    return Number(stdout);
  };
  const measured = await interleave(Object.keys(urls), rounds, timeOf, tell, 1);
  const [empty, ours] = [measured[EMPTY]!, measured[OURS]!];
  return {
    ours: spreadOf(ours),
    empty: spreadOf(empty),
    beyond: spreadOf(ours.map((time, round) => time - empty[round]!)),
  };
}
