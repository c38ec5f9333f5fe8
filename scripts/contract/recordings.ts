import { Readable } from "node:stream";
import { readInputs } from "../../src/contract/input/read.js";
import type { Exchange } from "../../src/contract/engine/types.js";

/** The recordings in a folder of a project. @throws {Error} one cannot be read */
export async function readRecordings(
  project: string,
  folder = "test/recordings",
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const inputs = { paths: [folder], cwd: project, stdin: Readable.from([]), target: {} };
  for await (const item of readInputs(inputs)) {
    if (!("exchange" in item))
      throw new Error(`a recording cannot be read, restore it: ${JSON.stringify(item)}`);
    exchanges.push(item.exchange);
  }
  return exchanges;
}
