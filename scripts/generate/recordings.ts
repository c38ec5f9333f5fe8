import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxExchange } from "../../src/sandbox/exchange.js";
import { DescriptionError } from "../description-error.js";
import { header } from "./text.js";

/** Reads the recordings below a folder, in the order of operationId and case. */
export async function readRecordings(folder: string): Promise<SandboxExchange[]> {
  const recordings: SandboxExchange[] = [];
  for (const operation of await sortedNames(folder)) {
    for (const name of await sortedNames(join(folder, operation))) {
      const file = join(folder, operation, name);
      const { request, response } = parse(await readFile(file, "utf8"), file);
      recordings.push({ operation, name: name.replace(/\.json$/, ""), request, response });
    }
  }
  return recordings;
}

/** The exchanges that the sandbox replays: requests and responses only. */
export function recordingsModule(recordings: readonly SandboxExchange[]): string {
  return `${header}import type { SandboxExchange } from "../sandbox/exchange.js";

/** Every recorded exchange, in the order of operationId and case. */
export const recordings: readonly SandboxExchange[] = [
${recordings.map((each) => `${JSON.stringify(each)},\n`).join("")}];
`;
}

function parse(text: string, file: string): SandboxExchange {
  try {
    return JSON.parse(text) as SandboxExchange;
  } catch (cause) {
    throw new DescriptionError(`${file}: ${(cause as Error).message}; fix the recording`);
  }
}

async function sortedNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  return entries.toSorted();
}
