import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Exchange } from "../../src/contract/index.js";
import { redocly } from "../redocly.js";
import { root } from "./project.js";

/** Installed in a separate folder to keep `npm ci` of the project small. */
const PRISM = `${root}test/second-opinion/node_modules/@stoplight/prism-cli/dist/index.js`;
/** The request header that names the exchange to respond with. */
const EXCHANGE = "x-exchange";
/** Headers of the transferred body. They do not apply here, because bodies are not compressed. */
const TRANSFER = new Set(["content-encoding", "content-length", "transfer-encoding"]);
const SERVER = "http://localhost:4010";

/** Whether Prism is installed. */
export function hasPrism(): boolean {
  return existsSync(PRISM);
}

/** Prism's complaint about each response, as a proxy between client and service; empty if there is none. */
export async function askPrism(exchanges: readonly Exchange[], file: string): Promise<string[]> {
  const server = createServer((request, response) => {
    const exchange = exchanges[Number(request.headers[EXCHANGE])]!;
    response.writeHead(exchange.response.status, headersOf(exchange).flat()).end(bodyOf(exchange));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  let proxy: Awaited<ReturnType<typeof startPrism>> | undefined;
  try {
    proxy = await startPrism(file, `http://127.0.0.1:${port}`);
    const said: string[] = [];
    for (const [index, exchange] of exchanges.entries())
      said.push(await askProxy(proxy.url, exchange, index));
    return said;
  } finally {
    await proxy?.close();
    server.closeAllConnections();
    server.close();
  }
}

/** Starts Prism on a free port, and waits until it prints its address. @throws {Error} with its output if it exits */
async function startPrism(file: string, upstream: string) {
  const args = [PRISM, "proxy", file, upstream, "--port", "0", "-m", "false"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  let output = "";
  const url = await new Promise<string | undefined>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const [, address] = /Prism is listening on (http:\S+)\n/.exec(output) ?? [];
        if (address !== undefined) resolve(address);
      });
    void closed.then(() => resolve(undefined));
  });
  if (url === undefined) throw new Error(`Prism does not start:\n${output}`);
  const close = async () => {
    child.kill();
    await closed;
  };
  return { url, close };
}

async function askProxy(proxy: string, { request }: Exchange, index: number): Promise<string> {
  const query = new URLSearchParams(
    Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const { method, body } = request;
  const headers = { authorization: "Bearer sandbox", [EXCHANGE]: String(index) };
  const hasBody = body !== undefined && method !== "GET";
  const response = await fetch(`${proxy}${request.path}?${query}`, {
    method,
    headers: hasBody ? { ...headers, "content-type": "application/json" } : headers,
    redirect: "manual",
    ...(hasBody && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // If Prism cannot forward the response, it returns its own problem document (RFC 9457).
  const isOwn = response.headers.get("content-type")?.startsWith("application/problem+json");
  return response.headers.get("sl-violations") ?? (isOwn ? text : "");
}

/** The complaint of `redocly drift` about each exchange; empty if there is none. */
export async function askRedocly(exchanges: readonly Exchange[], file: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "second-opinion-"));
  const [har, report] = [join(folder, "traffic.har"), join(folder, "report.sarif")];
  const creator = { name: "media-catalogue", version: "0" };
  const log = { version: "1.2", creator, entries: exchanges.map(entryOf) };
  try {
    await writeFile(har, JSON.stringify({ log }));
    const files = ["--api", file, "--output", report, "--server", SERVER, "--format", "sarif"];
    // The exit code 1 means either findings or a failure; only a failure leaves no report.
    await redocly("drift", har, ...files).catch(() => {});
    // Only its SARIF format lists every exchange of a problem.
    const { runs } = JSON.parse(await readFile(report, "utf8")) as {
      runs: { results: { message: { text: string }; properties: { exchangeIndex: number } }[] }[];
    };
    const said = exchanges.map(() => "");
    for (const { message, properties } of runs.flatMap(({ results }) => results))
      said[properties.exchangeIndex] ||= message.text;
    return said;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** An entry without its query, because the tool does not support free-form query parameters. */
function entryOf(exchange: Exchange): object {
  const { request, response } = exchange;
  const text = bodyOf(exchange);
  const postData = { mimeType: "application/json", text: JSON.stringify(request.body) };
  return {
    startedDateTime: "2026-01-01T00:00:00Z",
    time: 1,
    request: {
      method: request.method,
      url: `${SERVER}${request.path}`,
      headers: [{ name: "authorization", value: "Bearer sandbox" }],
      queryString: [],
      ...(request.body !== undefined && { postData }),
    },
    response: {
      status: response.status,
      headers: headersOf(exchange).map(([name, value]) => ({ name, value })),
      content: { size: text.length, mimeType: response.headers["content-type"] ?? "", text },
    },
  };
}

function bodyOf({ response: { body, text } }: Exchange): string {
  return text ?? (body === undefined ? "" : JSON.stringify(body));
}

function headersOf({ response }: Exchange): [name: string, value: string][] {
  return Object.entries(response.headers).filter(([name]) => !TRANSFER.has(name));
}
