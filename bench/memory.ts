import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import type { CompleteExchange } from "../src/types/exchange.js";
import { exampleResponses } from "../src/generated/example-responses.js";

const COMMAND = fileURLToPath(new URL("../dist/bin.js", import.meta.url));
const FORMATS = ["pretty", "json", "sarif", "junit"];
const MEGABYTE = 2 ** 20;
/** Prints the peak memory of a process, in kilobytes. */
const MEASURE = `process.on("exit", () => process._rawDebug(process.resourceUsage().maxRSS))`;

/** The peak memory for a HAR with one report, in MB, and compared with the peak for a HAR without entries. */
export interface Peak {
  size: number;
  format: string;
  peak: number;
  ratio: number;
}

/** Measures the peak memory of the gate on HAR files of several sizes in MB, with each report. */
export async function measureMemory(sizes: readonly number[]): Promise<Peak[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const file = join(folder, "a.har");
  const peaks: Peak[] = [];
  let least = 0;
  try {
    for (const size of [0, ...sizes]) {
      await pipeline(Readable.from(createHar(size * MEGABYTE)), createWriteStream(file));
      for (const format of size === 0 ? ["pretty"] : FORMATS) {
        const peak = await measurePeak(file, `${format}=${join(folder, "report")}`);
        if (size === 0) least = peak;
        else peaks.push({ size, format, peak, ratio: peak / least });
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return peaks;
}

/** Runs the built command. Returns its peak memory in MB. */
async function measurePeak(file: string, format: string): Promise<number> {
  const measure = `data:text/javascript,${encodeURIComponent(MEASURE)}`;
  const args = ["--import", measure, COMMAND, "contract", file, "--full", "--format", format];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let printed = "";
  child.stderr.on("data", (text: Buffer) => (printed += text));
  await once(child, "close");
  return Number(/\d+\s*$/.exec(printed)?.[0]) / 1024;
}

/** Converts a GET request and its response to a HAR entry. */
function toEntry({ request, response }: CompleteExchange) {
  const { status, headers, body } = response;
  return {
    request: { method: "GET", url: `https://catalogue.example${request.path}`, headers: [] },
    response: {
      status,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      content: { mimeType: headers["content-type"], text: JSON.stringify(body) },
    },
  };
}

/** Repeats the example responses as the entries of a HAR that is slightly larger than a number of bytes. */
function* createHar(size: number): Generator<string> {
  const read = exampleResponses.filter(({ request }) => request.method === "GET");
  const entries = read.map((each) => JSON.stringify(toEntry(each)));
  yield '{"log":{"entries":[';
  let [length, index] = [0, 0];
  while (length < size) {
    const text = (index === 0 ? "" : ",\n") + entries[index % entries.length]!;
    yield text;
    length += text.length;
    index += 1;
  }
  yield "]}}\n";
}
