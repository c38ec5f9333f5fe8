import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DescriptionError } from "./description.js";
import { header } from "./readme.js";

/** The exchanges that the sandbox answers from, by operationId and case. Requests and responses only. */
export async function recordingsModule(folder: string): Promise<string> {
  const lines = [];
  for (const operation of await sortedNames(folder)) {
    for (const file of await sortedNames(join(folder, operation))) {
      const { request, response } = await readRecording(join(folder, operation, file));
      const name = file.replace(/\.json$/, "");
      lines.push(`  ${JSON.stringify({ operation, name, request, response })},\n`);
    }
  }
  return `${header}import type { SandboxExchange } from "../sandbox/exchange.js";

/** Every recorded exchange, in the order of operationId and case. */
export const recordings: readonly SandboxExchange[] = [
${lines.join("")}];
`;
}

async function readRecording(file: string): Promise<{ request: unknown; response: unknown }> {
  const text = await readFile(file, "utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DescriptionError(`${file}: ${(cause as Error).message}; correct the recording`);
  }
}

async function sortedNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  return entries.toSorted();
}
