import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Exchange } from "../../src/contract/index.js";
import { redocly } from "../redocly.js";
import { root } from "./project.js";

/** Prism is installed in a separate folder to keep the project's `npm ci` small. */
const PRISM = `${root}test/tools/node_modules/@stoplight/prism-cli/package.json`;
/** Headers of the transferred body. They do not apply here, because bodies are not compressed. */
const TRANSFER = new Set(["content-encoding", "content-length", "transfer-encoding"]);
const SERVER = "http://localhost:4010";
const AUTHORIZATION = "Bearer sandbox";

/** The part of `@stoplight/prism-http` that validates an exchange as its proxy does. */
interface Prism {
  getHttpOperationsFromSpec: (file: string) => Promise<object[]>;
  createInstance: (
    config: object,
    components: { logger: object; forward: () => () => () => Promise<Result<object>> },
  ) => {
    request: (
      input: object,
      operations: object[],
    ) => () => Promise<Result<{ validations: Record<"input" | "output", { message: string }[]> }>>;
  };
}
type Result<T> = { _tag: "Right"; right: T } | { _tag: "Left"; left: Error };

/** Whether Prism is installed. */
export function hasPrism(): boolean {
  return existsSync(PRISM);
}

/** Prism's complaint about each exchange, as a proxy between client and service; empty if there is none. */
export async function askPrism(exchanges: readonly Exchange[], file: string): Promise<string[]> {
  const { createInstance, getHttpOperationsFromSpec } = createRequire(PRISM)(
    "@stoplight/prism-http",
  ) as Prism;
  const operations = await getHttpOperationsFromSpec(file);
  const checks = { validateRequest: true, validateResponse: true, checkSecurity: true };
  const config = { ...checks, isProxy: true, upstream: new URL(SERVER), errors: false };
  const logger: Record<string, unknown> = { child: () => logger };
  for (const level of ["trace", "debug", "info", "success", "warn", "error"])
    logger[level] = () => {};
  const said: string[] = [];
  for (const exchange of exchanges) {
    const forward = () => () => async () => outputOf(exchange);
    const { request } = createInstance(config, { logger, forward });
    const result = await request(inputOf(exchange), operations)();
    if ("left" in result) said.push(result.left.message);
    else {
      const { input, output } = result.right.validations;
      said.push([...input, ...output].map(({ message }) => message).join("; "));
    }
  }
  return said;
}

function inputOf({ request: { method, path, query = {}, body } }: Exchange): object {
  const text = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const hasBody = body !== undefined && method !== "GET";
  const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
  return {
    method: method.toLowerCase(),
    url: { path, query: Object.fromEntries(text) as Record<string, string> },
    headers: hasBody ? headers : { authorization: AUTHORIZATION },
    ...(hasBody && { body }),
  };
}

/** The response as Prism receives it; it fails on JSON that cannot be parsed. */
function outputOf(exchange: Exchange): Result<object> {
  const { status: statusCode, headers } = exchange.response;
  const text = bodyOf(exchange);
  const isJson = /\bjson\b/.test(headers["content-type"] ?? "");
  try {
    const body: unknown = isJson ? JSON.parse(text) : text;
    return {
      _tag: "Right",
      right: { statusCode, headers: Object.fromEntries(headersOf(exchange)), body },
    };
  } catch (left) {
    return { _tag: "Left", left: left as Error };
  }
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
    // Exit code 1 means either findings or a failure. Only a failure leaves no report.
    await redocly("drift", har, ...files).catch(() => {});
    // Only its SARIF format lists every exchange that has a problem.
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
      headers: [{ name: "authorization", value: AUTHORIZATION }],
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
