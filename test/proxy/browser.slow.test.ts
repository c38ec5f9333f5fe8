import { join } from "node:path";
import { expect } from "vitest";
import { createProxy } from "../../src/proxy/index.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { bundle } from "../everywhere/bundle.js";
import { openPage, serveHandler, skipWithoutChromium } from "../support/app.js";
import { json, reset, serve, stall, TOKEN, type Responder } from "../support/server.js";

const KEY = "0123456789abcdef0123456789abcdef";
const ECHO = { authorization: `Bearer ${TOKEN}`, url: `/3/movie/1?api_key=${KEY}`, [TOKEN]: KEY };
/** How the service misbehaves for some identifiers. */
const MISBEHAVIOR: Record<string, Responder> = {
  1: json(200, ECHO, { etag: `"${TOKEN}"`, "x-token": TOKEN, "set-cookie": `key=${KEY}` }),
  401: json(401, { status_code: 7, status_message: `Invalid: ${TOKEN} ${KEY}` }),
  302: (response) => response.writeHead(302, { location: `/?api_key=${KEY}&${TOKEN}` }).end(),
  503: (response) => response.writeHead(503).end(`<h1>${TOKEN} ${KEY}</h1>`),
  504: stall,
  599: reset,
};

skipWithoutChromium.each([
  ["a token", { token: TOKEN }],
  ["an API key", { apiKey: KEY }],
])(
  "with %s, a page calls the service through the proxy, and no request, response, or error in the page contains the credential",
  async (_, credentials) => {
    const sandbox = createSandbox();
    const service = await serve(async (response, { method, url, headers, body }) => {
      const [, id = ""] = /^\/3\/movie\/(\d+)/.exec(url) ?? [];
      if (MISBEHAVIOR[id]) return MISBEHAVIOR[id](response, {} as never);
      const init = { method, headers: headers as HeadersInit, ...(body && { body }) };
      const sent = await sandbox.fetch(`https://catalogue.example${url}`, init);
      response.writeHead(sent.status, Object.fromEntries(sent.headers)).end(await sent.text());
    });
    const proxy = createProxy({
      baseUrl: service.url,
      ...credentials,
      timeout: 2_000,
      allow: [
        "movies.details",
        "movies.credits",
        "movies.popular",
        "movies.addRating",
        "search.multi",
      ],
    });
    const { text } = await bundle({ entryPoints: [join(import.meta.dirname, "page.ts")] });
    const site = await serveHandler(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/api/catalogue/")) return proxy(request);
      return pathname === "/app.js"
        ? new Response(text, { headers: { "content-type": "text/javascript" } })
        : new Response("<!doctype html><link rel=icon href=data:,>", {
            headers: { "content-type": "text/html" },
          });
    });

    const { page, noise } = await openPage(site);
    const traffic: Promise<unknown>[] = [];
    page.on("request", (request) =>
      traffic.push(request.allHeaders(), Promise.resolve([request.url(), request.postData()])),
    );
    page.on("response", (response) =>
      traffic.push(
        response.allHeaders(),
        response.text().catch(() => ""),
        Promise.resolve(response.url()),
      ),
    );
    const run = `import("/app.js").then(({ callThroughProxy }) => callThroughProxy())`;
    const outcomes = await page.evaluate<Record<string, unknown>>(run);
    const visible = JSON.stringify([
      outcomes,
      noise,
      await Promise.all(traffic),
      await page.content(),
    ]);

    expect(outcomes).toMatchObject({
      details: { title: "Night Ferry", credits: { cast: expect.any(Array) } },
      search: { page: 1 },
      pages: [expect.any(String), expect.any(String)],
      rating: { success: true },
      notAllowed: { status: 404, text: expect.stringContaining("allow list") },
      notAllowedPart: { status: 400, text: expect.stringContaining('"movies.videos"') },
      echo: { authorization: expect.any(String) },
      rejected: { status: 401 },
      redirect: { status: 502 },
      page: { status: 503 },
      lost: { status: 502 },
      slow: { status: 504 },
      tooLarge: { error: { status_message: expect.stringContaining("64 kB") } },
    });
    const [secret] = Object.values(credentials);
    expect(visible).toContain("/api/catalogue/3/movie/701");
    expect(visible).not.toContain(secret);
    const sent = JSON.stringify(service.seen);
    expect(sent).toContain(secret);
    expect(sent).not.toMatch(/visitor=ada|referer|"origin"/);
  },
);
