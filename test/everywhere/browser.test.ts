import { existsSync } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOKEN } from "../support/server.js";
import { bundleFile } from "./bundle.js";
import type { outcomes } from "./scenarios.js";

const CHROMIUM = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

type Outcomes = Awaited<ReturnType<typeof outcomes>>;

// Without Chromium, the tests of this file are reported as skipped.
describe.skipIf(!existsSync(CHROMIUM))("in a real browser", () => {
  const close: (() => unknown)[] = [];
  let browser: Browser;
  let page: Page;
  let api: string;
  const noise: string[] = [];
  const preflights = new Set<string>();

  beforeAll(async () => {
    const { text } = await bundleFile("scenarios.ts");
    const worker = `import { outcomes } from "/scenarios.js";
      onmessage = async ({ data }) => postMessage(await outcomes(...data));`;
    const files: Record<string, [type: string, text: string]> = {
      "/": ["text/html", "<!doctype html><title>app</title><link rel=icon href=data:,>"],
      "/scenarios.js": ["text/javascript", text],
      "/worker.js": ["text/javascript", worker],
    };
    const site = await listen((request, response) => {
      const [type, body] = files[request.url ?? ""] ?? ["text/plain", ""];
      response.writeHead(body ? 200 : 404, { "content-type": type }).end(body);
    });
    api = await listen(answer(preflights));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS.split(" ") });
    close.push(() => browser.close());
    page = await browser.newPage();
    page.on("console", (message) => noise.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => noise.push(`uncaught: ${error.message}`));
    await page.goto(site);
  });

  afterAll(() => Promise.all(close.map((each) => each())));

  async function listen(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    close.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const inPage = () =>
    page.evaluate<Outcomes>(
      `import("/scenarios.js").then(({ outcomes }) => outcomes("${api}", "${TOKEN}"))`,
    );

  const inWorker = () =>
    page.evaluate(
      (data) =>
        new Promise<Outcomes>((resolve, reject) => {
          const worker = new Worker("/worker.js", { type: "module" });
          worker.addEventListener("message", (event) => resolve(event.data as Outcomes));
          worker.addEventListener("error", (event) => reject(new Error(event.message)));
          worker.postMessage(data);
        }),
      [api, TOKEN] as const,
    );

  describe.each([
    ["a page", inPage],
    ["a web worker", inWorker],
  ])("in %s", (_, run) => {
    let seen: Outcomes;
    beforeAll(async () => {
      noise.length = 0;
      seen = await run();
    });

    test("calls succeed, with query, body, paging and a retry", () => {
      expect(seen).toMatchObject({
        success: ["one", "two"],
        retried: 603,
        body: { created: true },
      });
    });

    test("headers that the service exposes can be read", () => {
      expect(seen.header).toEqual(["opaque", "https://catalogue.example/approve"]);
    });

    test("a failure is an ApiError", () => {
      expect(seen.apiError).toEqual({
        name: "ApiError",
        operation: "movies.deleteRating",
        status: 401,
        code: 7,
        message: "movies.deleteRating: 401 Invalid API key (status_code 7)",
      });
    });

    test("HTML under 200 is a BodyError", () => {
      expect(seen.html).toMatchObject({ name: "BodyError", status: 200 });
    });

    test("a redirect is refused, and the browser hides its status", () => {
      expect(seen.redirect).toMatchObject({ name: "ApiError", status: 0 });
      expect(seen.redirect).toHaveProperty("message", expect.stringContaining("redirect refused"));
    });

    test("an abort rejects with its own reason unchanged", () => {
      expect(seen.abort).toBe(true);
    });

    test("a call that takes too long is a TimeoutError, even while the body is read", () => {
      expect(seen.timeout).toMatchObject({ name: "TimeoutError", ms: 100 });
      expect(seen.stalledBody).toMatchObject({ name: "TimeoutError", ms: 100 });
    });

    test("a dropped connection is a ConnectionError", () => {
      expect(seen.dropped).toMatchObject({
        name: "ConnectionError",
        operation: "networks.details",
      });
    });

    test("requests are allowed by CORS, and need nothing but the token's header", () => {
      expect([...preflights].toSorted()).toEqual(["authorization", "authorization,content-type"]);
    });

    test("the console shows only network errors, and never the token", async () => {
      const others = () =>
        noise.filter((line) => !line.startsWith("error: Failed to load resource"));
      // The console messages of a worker arrive after its result.
      await expect.poll(others).toEqual(["info: all called"]);
      expect(JSON.stringify([seen, noise])).not.toContain(TOKEN);
    });
  });
});

/** The API, on a different origin from the page. */
function answer(preflights: Set<string>): RequestListener {
  const asked = new Map<string, number>();
  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  return (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    if (request.method === "OPTIONS") {
      preflights.add(request.headers["access-control-request-headers"] ?? "");
      response.setHeader("access-control-allow-headers", "authorization, content-type");
      response.setHeader("access-control-allow-methods", "DELETE");
      return response.writeHead(204).end();
    }
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return json(response, 403, {});
    const [path = "", query] = (request.url ?? "").split("?");
    const time = (asked.get(path) ?? 0) + 1;
    asked.set(path, time);
    switch (path) {
      case "/3/person/popular":
        return json(response, 200, pageOf(query));
      case "/3/authentication/token/new":
        response.setHeader("access-control-expose-headers", "authentication-callback");
        response.setHeader("authentication-callback", "https://catalogue.example/approve");
        return json(response, 200, { request_token: "opaque", expires_at: "", success: true });
      case "/3/authentication/session/convert/4":
        return json(response, 200, { created: true });
      case "/3/movie/603/watch/providers":
        return json(response, time % 2 === 1 ? 503 : 200, { id: 603, results: {} });
      case "/3/movie/603/rating":
        return json(response, 401, {
          success: false,
          status_code: 7,
          status_message: "Invalid API key",
        });
      case "/3/movie/latest":
        return response.writeHead(302, { location: "/3/person/popular" }).end();
      case "/3/genre/tv/list":
        return response.writeHead(200, { "content-type": "text/html" }).end("<h1>Login</h1>");
      case "/3/movie/603/lists":
        return response.writeHead(200, { "content-type": "application/json" }).write('{"id":');
      case "/3/network/49":
        return request.socket.destroy();
      default:
        // Never responds, to test the abort and the timeout.
        return undefined;
    }
  };
}

function pageOf(query = "") {
  const number = Number(new URLSearchParams(query).get("page"));
  return { page: number, total_pages: 2, results: [{ name: number === 1 ? "one" : "two" }] };
}
