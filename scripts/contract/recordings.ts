import { Readable } from "node:stream";
import { readInputs } from "../../src/contract/input/read.js";
import type { Exchange } from "../../src/contract/types.js";

/** Every recording of a project. @throws {Error} one cannot be read */
export async function readRecordings(project: string): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const inputs = { paths: ["test/recordings"], cwd: project, stdin: Readable.from([]), target: {} };
  for await (const item of readInputs(inputs)) {
    if (!("exchange" in item)) throw new Error(`cannot be read: ${JSON.stringify(item)}`);
    exchanges.push(item.exchange);
  }
  return exchanges;
}
