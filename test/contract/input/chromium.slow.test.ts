import { existsSync } from "node:fs";
import { createServer, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { inspectExchange } from "../../../src/contract/engine/check.js";
import { description } from "../../../src/contract/index.js";
import type { Exchange } from "../../../src/types/exchange.js";
import { collect, folderOf, recording, skipped } from "./support.js";

const CHROMIUM = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

const json = { "content-type": "application/json" };
const { body } = recording()["response"] as { body: object };
const responses: Record<string, [status: number, OutgoingHttpHeaders, body: string | Buffer]> = {
  // Without `content-length`, Node.js sends the body in chunks, so even an empty body takes 5 bytes.
  "/3/network/1": [200, json, ""],
  "/3/network/2": [200, { ...json, "content-length": 0 }, ""],
  "/3/network/3": [
    200,
    { ...json, "content-encoding": "gzip", "content-length": 20 },
    gzipSync(""),
  ],
  "/3/network/4": [200, { ...json, "content-length": 500, connection: "close" }, '{"id":'],
  "/3/movie/5/lists": [307, { location: "/3/movie/701/lists" }, ""],
  "/3/movie/701/lists": [200, json, JSON.stringify(body)],
};

/** Loads a page in Chromium, and records its requests in a HAR file. */
async function recordHar(
  path: string,
  content: "attach" | "embed" | "omit",
  mode: "full" | "minimal",
) {
  const server = createServer((request, response) => {
    const page = [200, { "content-type": "text/html" }, "<p>"] as const;
    const [status, headers, text] = responses[request.url ?? ""] ?? page;
    response.writeHead(status, headers);
    response.flushHeaders();
    response.end(text);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS.split(" ") });
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ recordHar: { path, content, mode } });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await page.evaluate(async (paths) => {
    for (const each of paths)
      await fetch(each)
        .then((response) => response.text())
        .catch(() => {});
  }, Object.keys(responses));
  await context.close();
}

const rulesOf = ({ exchange }: { exchange: Exchange }) => {
  const { findings, unvalidated } = inspectExchange(exchange, description);
  return [exchange.request.path, unvalidated, ...findings.map(({ rule }) => rule)];
};

describe.skipIf(!existsSync(CHROMIUM))("HAR files from Chromium", () => {
  const empty = ["1", "2", "3"].map((id) => [
    `/3/network/${id}`,
    "no JSON body",
    "http/missing-body",
  ]);
  // Without sizes, a body that came in chunks could be empty or not recorded.
  const unknown = [["/3/network/1", "body not recorded"], ...empty.slice(1)];
  const cut = ["/3/network/4", "body not recorded"];
  const redirected = ["/3/movie/5/lists", "undocumented status", "http/undocumented-status"];
  const lists = ["/3/movie/701/lists", undefined];
  const lost = ["/3/movie/701/lists", "body not recorded"];

  it.each([
    ["all data", "embed", "full", [...empty, cut, redirected, lists, lists]],
    ["no sizes", "embed", "minimal", [...unknown, cut, redirected, lists, lists]],
    ["attached bodies", "attach", "full", [...empty, cut, redirected, lists, lists]],
    ["no bodies", "omit", "full", [...empty, cut, redirected, lost, lost]],
  ] as const)(
    "the gate distinguishes empty bodies from missing bodies, and reports redirects, in a Chromium HAR with %s",
    async (_, content, mode, checked) => {
      const cwd = await folderOf({});
      await recordHar(join(cwd, "a.har"), content, mode);
      const items = await collect({ cwd });
      expect(items.flatMap((each) => ("exchange" in each ? [rulesOf(each)] : []))).toEqual(checked);
      expect(skipped(items)).toEqual(["other path"]);
    },
  );
});
