import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Exchange } from "../../../src/contract/engine/types.js";
import { EXCHANGE_HEADER, serveExchanges } from "./upstream.js";

/** A folder of its own, so that `npm ci` of the project stays small. */
const INSTALLED = new URL("../../../test/second-opinion/node_modules/", import.meta.url);
const PRISM = fileURLToPath(new URL("@stoplight/prism-cli/dist/index.js", INSTALLED));
const AT_ONCE = 4;
const START = 30_000;

/** Whether Prism is installed. */
export function hasPrism(): boolean {
  return existsSync(PRISM);
}

/** What Prism, as a proxy between a client and a service, says of each answer; empty where it has no complaint. */
export async function askPrism(
  exchanges: readonly Exchange[],
  description: string,
): Promise<string[]> {
  const upstream = await serveExchanges(exchanges);
  try {
    const proxy = await startProxy(description, upstream.url);
    const said: string[] = [];
    let next = 0;
    const worker = async () => {
      for (let index = next++; index < exchanges.length; index = next++) {
        said[index] = await ask(proxy.url, exchanges[index]!, index);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    } finally {
      await proxy.close();
    }
    return said;
  } finally {
    upstream.close();
  }
}

async function ask(proxy: string, { request }: Exchange, index: number): Promise<string> {
  const query = new URLSearchParams(
    Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const { method, body } = request;
  const response = await fetch(`${proxy}${request.path}?${query}`, {
    method,
    headers: {
      authorization: "Bearer sandbox",
      [EXCHANGE_HEADER]: String(index),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    redirect: "manual",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const violations = response.headers.get("sl-violations");
  const text = await response.text();
  if (violations) return violations;
  // What it cannot pass on at all, it answers with a problem of its own (RFC 9457).
  return response.headers.get("content-type")?.startsWith("application/problem+json") ? text : "";
}

/** Starts Prism on a free port, and waits until it says which. */
async function startProxy(description: string, upstream: string) {
  const args = [PRISM, "proxy", description, upstream, "--port", "0", "-m", "false"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  const close = async () => {
    child.kill();
    await exited;
  };
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  for (const end = Date.now() + START; ;) {
    const [, url] = /Prism is listening on (http:\S+)\n/.exec(output) ?? [];
    if (url !== undefined) return { url, close };
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > end) {
      await close();
      throw new Error(`Prism does not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
