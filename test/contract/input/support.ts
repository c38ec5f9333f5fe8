import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { createPathFormatter } from "../../../src/contract/input/list-files.js";
import { readInputs, type Inputs, type Item } from "../../../src/contract/input/read.js";
import { formatProblem } from "../../../src/contract/engine/format-position.js";
import type { Exchange } from "../../../src/types/exchange.js";
import { description } from "../../../src/generated/description.js";

/** Creates a folder with files for one test. Writes content as JSON, unless the content is a string or bytes. */
export async function folderOf(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gate-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    await writeFile(file, isRaw ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

/** Writes files to a new folder, and reads them as the gate does. */
export async function read(
  files: Record<string, unknown>,
  options: Partial<Inputs> = {},
): Promise<Item[]> {
  return collect({ cwd: await folderOf(files), ...options });
}

/** Reads inputs, and collects the resulting items. */
export async function collect(options: Partial<Inputs>): Promise<Item[]> {
  const { operations = description.operations } = options;
  const known = { operations, apiPaths: operations };
  const inputs = { paths: ["."], cwd: ".", stdin: Readable.from([]), ...known, ...options };
  const displayPath = createPathFormatter(inputs.paths, inputs.cwd, {});
  const items: Item[] = [];
  for await (const item of readInputs({ ...inputs, displayPath })) items.push(item);
  return items;
}

/** Returns the exchange of the only item. @throws {Error} if there are more items, or if the item is not an exchange */
export function only(items: Item[]): Exchange {
  const [first] = items;
  if (items.length !== 1 || !first || !("exchange" in first)) {
    throw new Error(`expected exactly one exchange: ${JSON.stringify(items)}`);
  }
  return first.exchange;
}

/** Returns the reasons why entries were skipped, or were not validated because they have no response. */
export function skipped(items: Item[]): string[] {
  return items.flatMap((each) => {
    if ("skipped" in each) return each.skipped;
    return "unvalidated" in each ? each.unvalidated : [];
  });
}

/** Lists the problems of unreadable inputs, formatted as `file:line:column problem`. */
export function problems(items: Item[]): string[] {
  return items.flatMap((each) => ("unreadable" in each ? [formatProblem(each.unreadable)] : []));
}

/** Creates a recording, with the given properties of the response and the request. */
export function recording(response: object = {}, request: object = {}): Record<string, unknown> {
  return {
    operation: "movies.lists",
    source: { kind: "document", note: "Written for a test." },
    request: { method: "GET", path: "/3/movie/701/lists", ...request },
    response: {
      status: 200,
      headers: { "Content-Type": "application/json" },
      body: { id: 701, page: 1, results: [], total_pages: 0, total_results: 0 },
      ...response,
    },
  };
}

/** Creates a HAR entry as Chromium writes it, with the given properties of the response and the request. */
export function entry(url: string, response: object = {}, request: object = {}): object {
  return {
    _resourceType: "fetch",
    startedDateTime: "2026-01-15T18:30:00.000Z",
    time: 12.5,
    request: {
      method: "GET",
      url,
      httpVersion: "http/2.0",
      headers: [
        { name: ":authority", value: "catalogue.test" },
        { name: "accept", value: "*/*" },
      ],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: 0,
      ...request,
    },
    response: {
      status: 200,
      statusText: "",
      httpVersion: "http/2.0",
      headers: [{ name: "content-type", value: "application/json" }],
      cookies: [],
      content: { size: 8, mimeType: "application/json", text: '{"id":1}' },
      redirectURL: "",
      headersSize: -1,
      bodySize: -1,
      ...response,
    },
    cache: {},
    timings: { blocked: 0, wait: 1, receive: 1 },
  };
}

export function har(...entries: unknown[]): object {
  const creator = { name: "WebInspector", version: "537.36" };
  return { log: { version: "1.2", creator, pages: [], entries } };
}
