import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import { openPage, serveHandler, skipWithoutChromium } from "../support/app.js";
import { serve, TOKEN, type Responder } from "../support/server.js";
import { bundleFile } from "./bundle.js";
import type { outcomes } from "./scenarios.js";

type Outcomes = Awaited<ReturnType<typeof outcomes>>;

const WORKER = `import { outcomes } from "/scenarios.js";
  onmessage = async ({ data }) => postMessage(await outcomes(...data));`;

/** Runs the scenarios in a page, or in a web worker. */
const IN_PAGE = `(data) => import("/scenarios.js").then(({ outcomes }) => outcomes(...data))`;
const IN_WORKER = `(data) => new Promise((resolve, reject) => {
  const worker = new Worker("/worker.js", { type: "module" });
  worker.addEventListener("message", (event) => resolve(event.data));
  worker.addEventListener("error", (event) => reject(new Error(event.message)));
  worker.postMessage(data);
})`;

skipWithoutChromium.each([
  ["a page", IN_PAGE],
  ["a web worker", IN_WORKER],
])("calls from %s to another origin succeed and fail as documented", async (_, run) => {
  const preflights = new Set<string>();
  const api = await serve(catalogue(preflights));
  const { text } = await bundleFile("scenarios.ts");
  const site = await serveHandler(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response("<!doctype html><link rel=icon href=data:,>", html);
    return new Response(pathname === "/worker.js" ? WORKER : text, script);
  });
  const { page, noise } = await openPage(site);
  const seen = await page.evaluate<Outcomes>(`(${run})(${JSON.stringify([api.url, TOKEN])})`);

  const operation = "movies.deleteRating";
  const timeout = expect.objectContaining({ name: "TimeoutError", timeoutMs: 100 });
  expect(seen).toEqual({
    success: ["one", "two"],
    header: ["opaque", "https://catalogue.example/approve"],
    retried: 603,
    body: { created: true },
    apiError: {
      ...{ name: "ApiError", operation, status: 401, code: 7 },
      message: "movies.deleteRating: 401 Invalid API key (status_code 7)",
    },
    // The browser hides the status of a redirect.
    redirect: expect.objectContaining({
      ...{ name: "ApiError", status: 0 },
      message: expect.stringContaining("redirect refused"),
    }),
    html: expect.objectContaining({ name: "BodyError", status: 200 }),
    // The abort rejects with its own reason.
    abort: true,
    timeout,
    stalledBody: timeout,
    dropped: expect.objectContaining({ name: "ConnectionError", operation: "networks.details" }),
  });
  expect([...preflights].toSorted()).toEqual(["authorization", "authorization,content-type"]);
  // The console messages of a worker arrive after its result.
  const others = () => noise.filter((line) => !line.startsWith("error: Failed to load resource"));
  await expect.poll(others).toEqual(["info: all called"]);
  expect(JSON.stringify([seen, noise])).not.toContain(TOKEN);
});

const html = { headers: { "content-type": "text/html" } };
const script = { headers: { "content-type": "text/javascript" } };

/** The service, on a different origin from the page. */
function catalogue(preflights: Set<string>): Responder {
  let isRetry = false;
  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  return (response, { method, headers, url }) => {
    response.setHeader("access-control-allow-origin", "*");
    if (method === "OPTIONS") {
      preflights.add(headers["access-control-request-headers"] as string);
      response.setHeader("access-control-allow-headers", "authorization, content-type");
      response.setHeader("access-control-allow-methods", "DELETE");
      return response.writeHead(204).end();
    }
    if (headers.authorization !== `Bearer ${TOKEN}`) return json(response, 403, {});
    const { pathname, searchParams } = new URL(url, "http://catalogue.test");
    switch (pathname) {
      case "/3/person/popular": {
        const page = Number(searchParams.get("page"));
        const results = [{ name: page === 1 ? "one" : "two" }];
        return json(response, 200, { page, total_pages: 2, results });
      }
      case "/3/authentication/token/new":
        response.setHeader("access-control-expose-headers", "authentication-callback");
        response.setHeader("authentication-callback", "https://catalogue.example/approve");
        return json(response, 200, { request_token: "opaque", expires_at: "", success: true });
      case "/3/authentication/session/convert/4":
        return json(response, 200, { created: true });
      case "/3/movie/603/watch/providers":
        if (isRetry) return json(response, 200, { id: 603, results: {} });
        isRetry = true;
        return json(response, 503, {});
      case "/3/movie/603/rating":
        return json(response, 401, { status_code: 7, status_message: "Invalid API key" });
      case "/3/movie/latest":
        return response.writeHead(302, { location: "/3/person/popular" }).end();
      case "/3/genre/tv/list":
        return response.writeHead(200, { "content-type": "text/html" }).end("<h1>Login</h1>");
      case "/3/movie/603/lists":
        return response.writeHead(200, { "content-type": "application/json" }).write('{"id":');
      case "/3/network/49":
        return response.socket?.destroy();
      default:
        // Never responds, to test the abort and the timeout.
        return undefined;
    }
  };
}
