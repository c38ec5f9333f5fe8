import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { header } from "./readme.js";

/** The exchanges that the sandbox answers from, by operationId and case. Requests and responses only. */
export async function recordingsModule(folder: string): Promise<string> {
  const lines = [];
  for (const operation of await sortedNames(folder)) {
    for (const file of await sortedNames(join(folder, operation))) {
      const { request, response } = JSON.parse(
        await readFile(join(folder, operation, file), "utf8"),
      );
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

async function sortedNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  return entries.toSorted();
}
