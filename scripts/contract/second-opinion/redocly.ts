import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Exchange } from "../../../src/contract/engine/types.js";
import { redocly } from "../../redocly.js";
import { bodyText, headersOf } from "./upstream.js";

const SERVER = "http://localhost:4010";
const HAR = { version: "1.2", creator: { name: "media-catalogue", version: "0" } };

/** What `redocly drift` says of each exchange; empty where it has no complaint. */
export async function askRedocly(
  exchanges: readonly Exchange[],
  description: string,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "second-opinion-"));
  const har = join(folder, "traffic.har");
  const report = join(folder, "report.sarif");
  try {
    await writeFile(har, JSON.stringify({ log: { ...HAR, entries: exchanges.map(entryOf) } }));
    const files = ["--api", description, "--output", report];
    // It exits with 1 where it found something; where it failed, there is no report.
    await redocly("drift", har, ...files, "--server", SERVER, "--format", "sarif").catch(() => {});
    const { runs } = JSON.parse(await readFile(report, "utf8")) as Sarif;
    const said = exchanges.map(() => "");
    for (const { message, properties } of runs.flatMap(({ results }) => results)) {
      said[properties.exchangeIndex] ||= message.text;
    }
    return said;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The one of its formats that names each exchange of a problem, not the first alone. */
interface Sarif {
  runs: { results: { message: { text: string }; properties: { exchangeIndex: number } }[] }[];
}

/** The query is left out: that it is a free-form record in the description, the tool does not understand. */
function entryOf(exchange: Exchange): object {
  const { request, response } = exchange;
  const text = bodyText(exchange);
  return {
    startedDateTime: "2026-01-01T00:00:00Z",
    time: 1,
    request: {
      method: request.method,
      url: `${SERVER}${request.path}`,
      headers: [{ name: "authorization", value: "Bearer sandbox" }],
      queryString: [],
      ...(request.body !== undefined && {
        postData: { mimeType: "application/json", text: JSON.stringify(request.body) },
      }),
    },
    response: {
      status: response.status,
      headers: headersOf(exchange).map(([name, value]) => ({ name, value })),
      content: { size: text.length, mimeType: response.headers["content-type"] ?? "", text },
    },
  };
}
