import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium, type BrowserContextOptions, type Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { bundle } from "../everywhere/bundle.js";
import { serveHandler, skipWithoutChromium } from "../support/app.js";
import { chromiumPath } from "../support/chromium.js";
import { packed } from "../support/package.js";
import { execute, succeed } from "../support/run.js";
import { freePort, TOKEN } from "../support/server.js";
import { frameworkFile } from "./frameworks.js";

/** What the app in `apps/recorders` shows: a title, the number of results, whether a rating was saved, and an error message. */
const SHOWN = ["Night Ferry", 2, true, expect.stringMatching(/^people\.details: 404 /)];

const correct = createSandbox();
/** Sends a value that contradicts the description, but that the app does not notice. */
const wrong = createSandbox({ overrides: { "movies.details": () => ({ runtime: 101.5 }) } });
const PASSED = [0, expect.stringMatching(/^Passed: .* 4 matched, 4 validated, 0 not validated,/)];
const FAILED = [1, expect.stringMatching(/^✖ schema\/type movies\.details 200 \/runtime$/m)];
/** The folder of the app. Outside the project, the app can import only its own packages. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorders-"));
  await cp(packed().app, folder, { recursive: true });
  await cp(join(import.meta.dirname, "apps/recorders"), folder, { recursive: true });
  for (const name of ["@pollyjs", "node-fetch"])
    await symlink(frameworkFile(name), join(folder, "node_modules", name), "junction");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Serves a page, and a sandbox that compresses long responses. @returns the URL, and the paths that the sandbox received */
async function serveApp({ fetch }: Pick<typeof correct, "fetch">) {
  const received: string[] = [];
  const { text: calls } = await bundle({ entryPoints: [join(folder, "calls.mjs")] });
  const url = await serveHandler(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/calls.js") return new Response(calls, typed("text/javascript"));
    if (pathname === "/") return new Response("<link rel=icon href=data:,>", typed("text/html"));
    received.push(pathname);
    const response = await fetch(request);
    const { status, headers } = response;
    const text = await response.text();
    if (text.length < 1000) return new Response(text, { status, headers });
    headers.set("content-encoding", "gzip");
    return new Response(gzipSync(text), { status, headers });
  });
  return { url, received };
}

const typed = (type: string) => ({ headers: { "content-type": type } });

/** Checks a recording with the gate. @returns the exit code and the report */
async function check(recording: string): Promise<[code: number | null, report: string]> {
  const command = ["node_modules/media-catalogue/dist/bin.js", "contract", "--full", recording];
  const { code, stdout, stderr } = await execute(process.execPath, command, { cwd: folder });
  expect(stdout + stderr).not.toContain(TOKEN);
  return [code, stdout + stderr];
}

/** Calls the service from a program. @returns what the program shows */
async function callInNode(node: string, program: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  const stdout = await succeed(node, [program], {
    cwd: folder,
    env: { CATALOGUE_TOKEN: TOKEN, ...env },
  });
  return JSON.parse(stdout);
}

/** Calls the service from a page. @returns what the page shows */
async function callInPage(
  url: string,
  options: BrowserContextOptions,
  prepare?: (page: Page) => Promise<void>,
): Promise<unknown> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  onTestFinished(() => browser.close());
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(url);
  await prepare?.(page);
  const shown = await page.evaluate(
    `import("/calls.js").then(({ callService }) => callService(location.origin, "${TOKEN}"))`,
  );
  // Closing the context writes the HAR file.
  await context.close();
  return shown;
}

/** The gate's results for a recording of all responses of each service. */
const services = [
  { kind: "correct", sandbox: correct, result: PASSED },
  { kind: "wrong", sandbox: wrong, result: FAILED },
];

describe("Playwright's recordHar", () => {
  const omitted = [3, expect.stringMatching(/body not recorded: 4.*; record the bodies$/m)];
  const rows = (["full", "minimal"] as const).flatMap((mode) =>
    services.flatMap(({ result, ...service }) => [
      { mode, content: "embed" as const, ...service, result },
      { mode, content: "omit" as const, ...service, result: omitted },
      { mode, content: "attach" as const, ...service, result },
    ]),
  );

  skipWithoutChromium.each(rows)(
    "the gate checks the bodies of a service with $kind responses in a HAR with mode: $mode, content: $content, and Playwright plays them back to the client",
    async ({ mode, content, sandbox, result }) => {
      const { url, received } = await serveApp(sandbox);
      // Playwright writes attached bodies to the HAR's folder.
      const path = join(folder, "traffic/traffic.har");
      expect(await callInPage(url, { recordHar: { path, mode, content } })).toEqual(SHOWN);
      expect(received.splice(0)).toHaveLength(SHOWN.length);
      expect(await check("traffic/traffic.har")).toEqual(result);

      const playBack = (page: Page) => page.routeFromHAR(path, { url: "**/3/**" });
      const again = callInPage(url, {}, playBack);
      if (content === "omit") await expect(again).rejects.toThrow("200 with an empty body");
      else expect(await again).toEqual(SHOWN);
      expect(received).toEqual([]);
    },
  );
});

describe("Polly's persister", () => {
  const rows = ["fetch", "node-http"].flatMap((adapter) =>
    services.map((service) => ({ adapter, ...service })),
  );

  test.each(rows)(
    "the gate checks what Polly's $adapter adapter recorded from a service with $kind responses, and Polly plays it back to the client",
    async ({ adapter, sandbox, result }) => {
      const { url, received } = await serveApp(sandbox);
      const env = { CATALOGUE_BASE_URL: url, ADAPTER: adapter };
      const call = (MODE: string) =>
        callInNode(process.execPath, "with-polly.mjs", { ...env, MODE });
      expect(await call("record")).toEqual(SHOWN);
      expect(received.splice(0)).toHaveLength(SHOWN.length);
      expect(await check("polly")).toEqual(result);

      expect(await call("replay")).toEqual(SHOWN);
      expect(received).toEqual([]);
    },
  );
});

/** The arguments with which mitmproxy writes a HAR file; undefined if mitmproxy cannot do that. */
const hardump = findHardump();

function findHardump(): string[] | undefined {
  const { error, stdout } = spawnSync("mitmdump", ["--options"], { encoding: "utf8" });
  if (error) return undefined;
  if (/^hardump:/m.test(stdout)) return [];
  // Before version 10, `hardump` is an option of a script, which the packages of Debian and Ubuntu contain.
  const script = "/usr/share/doc/mitmproxy/examples/contrib/har_dump.py";
  return existsSync(script) ? ["--scripts", script] : undefined;
}

const isSkipped = hardump === undefined && process.env.CI === undefined;
if (isSkipped) console.warn("Tests of mitmproxy are skipped; install mitmproxy");

describe.skipIf(isSkipped)("mitmproxy's hardump", () => {
  /** Calls the service through mitmproxy, as docs/recipes.md says. */
  async function callThroughProxy(url: string, ...options: string[]): Promise<unknown> {
    const port = `${await freePort()}`;
    const listen = ["--listen-host", "127.0.0.1", "--listen-port", port];
    const settings = ["hardump=traffic.har", "confdir=.", ...options].flatMap((each) => [
      "--set",
      each,
    ]);
    const proxy = spawn("mitmdump", [...(hardump ?? []), ...listen, ...settings], {
      cwd: folder,
      env: { ...process.env, PYTHONUNBUFFERED: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void proxy.kill());
    const closed = once(proxy, "close");
    await new Promise<void>((resolve, reject) => {
      proxy.once("error", reject);
      proxy.once("close", () => reject(new Error("mitmdump has ended")));
      proxy.stdout.on("data", (text) => String(text).includes("listening at") && resolve());
    });
    const shown = await callInNode(frameworkFile("node-26/bin/node"), "in-node.mjs", {
      CATALOGUE_BASE_URL: url,
      NODE_USE_ENV_PROXY: "1",
      HTTP_PROXY: `http://127.0.0.1:${port}`,
    });
    // Interrupting mitmproxy writes the HAR file.
    proxy.kill("SIGINT");
    await closed;
    return shown;
  }

  test.each(services)(
    "the gate checks a HAR of a service with $kind responses",
    async ({ sandbox, result }) => {
      const { url, received } = await serveApp(sandbox);
      expect(await callThroughProxy(url)).toEqual(SHOWN);
      expect(received).toHaveLength(SHOWN.length);
      expect(await check("traffic.har")).toEqual(result);
    },
  );

  test("bodies that mitmproxy passed on without keeping them count as not recorded", async () => {
    const { url } = await serveApp(correct);
    expect(await callThroughProxy(url, "stream_large_bodies=500")).toEqual(SHOWN);
    const expected = /^Inconclusive: .* 2 validated, 2 not validated \(body not recorded: 2\)/;
    expect(await check("traffic.har")).toEqual([3, expect.stringMatching(expected)]);
  });
});
