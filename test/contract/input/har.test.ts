import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { description, checkExchange } from "../../../src/contract/index.js";
import { collect, entry, har, only, problems, read, recording, skipped } from "./support.js";

const url = "https://catalogue.test/3/movie/603/lists?page=2&with=a&with=b";
const urlOf = (base?: string) => (base === undefined ? undefined : new URL(base));
const body = '{"id": 603, "name": "Ünï \\"x\\""}';
const one = (response: object, request: object = {}) =>
  read({ "a.har": har(entry(url, response, request)) });

describe("a HAR", () => {
  it("of Chromium gives path, query, headers and body, without the pseudo headers of HTTP/2", async () => {
    const headers = [
      { name: ":status", value: "200" },
      { name: "Content-Type", value: "application/json;charset=utf-8" },
      { name: "vary", value: "Accept" },
      { name: "Vary", value: "Origin" },
    ];
    const exchange = only(
      await one({ headers, content: { size: 34, mimeType: "application/json", text: body } }),
    );
    expect(exchange).toMatchObject({
      name: "a.har#1",
      request: {
        method: "GET",
        path: "/3/movie/603/lists",
        query: { page: "2", with: "b" },
      },
      response: { status: 200, body: { id: 603, name: 'Ünï "x"' } },
    });
    expect(exchange.response.headers).toEqual({
      "content-type": "application/json;charset=utf-8",
      vary: "Accept, Origin",
    });
    expect(exchange).not.toHaveProperty("operation");
  });

  it("of Firefox gives the request body, whatever is beside it", async () => {
    const request = {
      method: "POST",
      postData: { mimeType: "application/json", params: [], text: '{"access_token":"x"}' },
    };
    const exchange = only(
      await one(
        { content: { mimeType: "application/json", size: 2, text: "{}", comment: "" } },
        request,
      ),
    );
    expect(exchange.request).toMatchObject({ method: "POST", body: { access_token: "x" } });
  });

  it.each([
    ["a form", { text: "access_token=x" }],
    ["a form, kept as its fields", { params: [{ name: "access_token", value: "x" }], text: "" }],
    ["cut off", { text: '{"access_token' }],
  ])("is judged by a request body that is no JSON: %s", async (_, postData) => {
    const convert = "https://catalogue.test/3/authentication/session/convert/4";
    const sent = entry(convert, {}, { method: "POST", postData });
    const findings = checkExchange(only(await read({ "a.har": har(sent) })), description);
    expect(findings.filter(({ rule }) => rule === "request/body")).toMatchObject([
      { expected: "JSON", actual: "14 characters that are no JSON" },
    ]);
  });

  it("locates values of a body inside the string that holds it, in the file as it is", async () => {
    const files = {
      "a.har": har(entry("https://x.test/"), entry(url, { content: { size: 34, text: body } })),
    };
    const exchange = only((await read(files)).filter((each) => "exchange" in each));
    const lines = JSON.stringify(files["a.har"], null, 2).split("\n");
    for (const [pointer, text] of [
      ["/id", "603"],
      ["/name", '\\"Ünï'],
      ["", "{\\"],
    ] as const) {
      const { line, column } = exchange.locate(pointer);
      expect(lines[line - 1]?.slice(column - 1, column - 1 + text.length)).toBe(text);
    }
    const type = exchange.locate("header: content-type");
    expect(lines[type.line - 1]?.slice(type.column - 1)).toContain('"application/json"');
    expect(lines[exchange.locate("path").line - 1]).toContain(url);
  });

  it.each([
    ["gzip", gzipSync],
    ["X-GZIP", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    // As some servers have it, without the header of zlib.
    ["deflate", deflateRawSync],
    ["gzip, br", (bytes: Buffer) => brotliCompressSync(gzipSync(bytes))],
    ["", Buffer.from],
    // A browser keeps the decoded body beside the header of the coded one.
    ["gzip", Buffer.from],
    ["deflate", (bytes: Buffer) => Buffer.from(`{\n ${bytes.toString().slice(1)}`)],
  ] as const)("may hold a base64 body, coded as %s", async (coding, encode) => {
    const text = (encode as (bytes: Buffer) => Buffer)(Buffer.from(body)).toString("base64");
    const headers = coding ? [{ name: "Content-Encoding", value: coding }] : [];
    const exchange = only(await one({ headers, content: { size: 9, text, encoding: "base64" } }));
    expect(exchange.response.body).toEqual(JSON.parse(body));
    const lines = JSON.stringify(
      har(entry(url, { headers, content: { size: 9, text, encoding: "base64" } })),
      null,
      2,
    ).split("\n");
    expect(lines[exchange.locate("/id").line - 1]).toContain(text);
  });

  it("says of which media type a body is where it keeps no header", async () => {
    const exchange = only(
      await one({ headers: [], content: { size: 2, mimeType: "text/html", text: "{}" } }),
    );
    expect(exchange.response.headers).toEqual({ "content-type": "text/html" });
  });

  it.each<[string, object, object]>([
    ["body not kept", { content: { size: 812, mimeType: "application/json" } }, {}],
    ["body not kept", { content: { size: 812, mimeType: "application/json", text: "" } }, {}],
    ["body not kept", { content: {} }, {}],
    [
      "no response",
      { status: 0, _error: "net::ERR_ABORTED", content: { size: 0, mimeType: "x-unknown" } },
      {},
    ],
    ["no response", { status: -1 }, {}],
    // The answer broke off: DevTools tells it beside the status that had come before.
    ["body not kept", { content: { size: 0 }, _error: "net::ERR_ABORTED" }, {}],
    ["body not kept", { content: { size: 9, text: '{"id": 60' }, _error: "net::ERR_FAILED" }, {}],
    [
      "body not kept",
      { headers: [{ name: "content-length", value: "812" }], content: { size: 0, text: "" } },
      {},
    ],
    ["not modified", { status: 304, content: { size: 0 } }, {}],
    // DevTools shows so that the browser itself goes on to https, as HSTS has it.
    [
      "redirect",
      {
        status: 307,
        statusText: "Internal Redirect",
        headers: [
          { name: "Location", value: url },
          { name: "Non-Authoritative-Reason", value: "HSTS" },
        ],
        content: { size: 0, mimeType: "x-unknown" },
        redirectURL: url,
      },
      {},
    ],
    [
      "redirect",
      { status: 301, content: { size: 14, mimeType: "text/html", text: "<html>moved</html>" } },
      {},
    ],
    [
      "CORS preflight",
      { status: 204, content: { size: 0 } },
      { method: "OPTIONS", headers: [{ name: "Access-Control-Request-Method", value: "GET" }] },
    ],
  ])("has entries that say nothing about the service: %s", async (reason, response, request) => {
    expect(skipped(await one(response, request))).toEqual([reason]);
  });

  const empty = { size: 0, mimeType: "application/json", text: "" };
  const coded = [
    { name: "content-encoding", value: "gzip" },
    { name: "content-length", value: "20" },
  ];
  it.each<[string, object]>([
    ["without text", { content: { size: 0, mimeType: "" } }],
    ["of Chromium, sent in chunks", { headersSize: 261, bodySize: 5, content: empty }],
    ["of Chromium, compressed", { headers: coded, bodySize: 20, content: empty }],
    ["of Playwright, without sizes", { content: { ...empty, size: -1 } }],
    [
      "of Firefox, which counts the headers too",
      {
        headers: [{ name: "content-length", value: "0" }],
        headersSize: 312,
        bodySize: 312,
        content: empty,
      },
    ],
  ])("may hold a response that is really empty: %s", async (_, response) => {
    expect(Object.keys(only(await one(response)).response)).toEqual([
      "status",
      "headers",
      "repeated",
    ]);
  });

  it("of a page has entries of other origins, which are skipped and counted", async () => {
    const entries = [
      "https://catalogue.test/3/movie/1/lists",
      "https://cdn.test/logo.png",
      "https://other.test/3/movie/2/lists",
      "https://catalogue.test/app.js",
      "https://catalogue.test/v1/3/movie/3/lists",
      "data:text/plain,hello",
      "chrome-extension://abc/3/x",
      "/3/movie/4/lists",
      "https://catalogue.test:8443/3/movie/5/lists",
      "http://catalogue.test/3/movie/6/lists",
    ].map((each) => entry(each));
    const names = async (baseUrl?: string) => {
      const items = await read({ "a.har": har(...entries) }, { baseUrl: urlOf(baseUrl) });
      expect(problems(items)).toEqual([]);
      expect(skipped(items).length + items.filter((each) => "exchange" in each).length).toBe(
        entries.length,
      );
      return items.flatMap((each) => ("exchange" in each ? [each.exchange.request.path] : []));
    };
    expect(await names()).toEqual([
      "/3/movie/1/lists",
      "/3/movie/2/lists",
      "/3/movie/4/lists",
      "/3/movie/5/lists",
      "/3/movie/6/lists",
    ]);
    for (const base of ["https://catalogue.test", "https://Catalogue.test:443/"]) {
      expect(await names(base)).toEqual(["/3/movie/1/lists"]);
    }
    expect(await names("https://catalogue.test/v1/")).toEqual(["/3/movie/3/lists"]);
    expect(await names("https://catalogue.test:8443")).toEqual(["/3/movie/5/lists"]);
    expect(await names("http://catalogue.test")).toEqual(["/3/movie/6/lists"]);
  });

  it.each([
    ["https://cdn.test/3/a", "https://catalogue.test", "other host"],
    ["https://catalogue.test/logo.png", undefined, "other path"],
  ])("may have broken entries of others, which are skipped: %s", async (other, base, reason) => {
    const request = { url: other };
    const entries = [entry(url), { request, response: null }, entry(other, {}, { method: 7 })];
    const items = await read({ "a.har": har(...entries) }, { baseUrl: urlOf(base) });
    expect([skipped(items), problems(items)]).toEqual([[reason, reason], []]);
  });

  it("may have faulty entries: each is named with its place, the others are read", async () => {
    const items = await read({
      "a.har": har(
        entry(url),
        entry("http://["),
        {},
        entry(url, { status: "x" }),
        entry(url, { content: { text: `[${"[".repeat(400)}` } }),
        entry(url, { status: 1000 }),
        entry(url),
      ),
    });
    expect(items.filter((each) => "exchange" in each)).toHaveLength(2);
    expect(problems(items).map((each) => each.replace(/:\d+:\d+/, ""))).toEqual([
      "a.har entry 2: request.url must be a URL",
      "a.har entry 3: request must be an object",
      "a.har entry 4: response.status must be an integer",
      "a.har entry 5: holds a body that is nested more than 256 levels deep",
      "a.har entry 6: response.status must be an HTTP status, an integer from 100 to 599",
    ]);
  });

  it("reads bodies that Playwright attached as files, which are no recordings of their own", async () => {
    const attached = (_file: string) => entry(url, { content: { size: 1, _file } });
    const items = await read({
      "a/site.har": har(
        attached("1.json"),
        attached("deep/2.json"),
        attached("none.json"),
        attached("../b.json"),
      ),
      "a/1.json": body,
      "a/deep/2.json": "<p>",
      "a/3.json": recording(),
      "b.json": recording(),
    });
    const [first, second, ...others] = items.flatMap((each) =>
      "exchange" in each ? [each.exchange] : [],
    );
    expect(first?.response.body).toEqual(JSON.parse(body));
    expect(first?.locate("/id")).toEqual({ file: "a/1.json", line: 1, column: 8 });
    expect(second?.response.text).toBe("<p>");
    expect(others.map(({ name }) => name)).toEqual(["a/3.json", "b.json"]);
    expect(problems(items).map((each) => each.replace(/:\d+:\d+/, ""))).toEqual([
      "a/site.har entry 3: response.content._file names a file that cannot be read (ENOENT)",
      "a/site.har entry 4: response.content._file names a file outside the folder of the HAR",
    ]);
    const stdin = Readable.from([JSON.stringify(har(attached("1.json")))].map(Buffer.from));
    expect(problems(await collect({ paths: ["-"], stdin }))).toEqual([
      expect.stringContaining("pass the HAR by its path, not on standard input"),
    ]);
  });

  it("counts other versions on the hosts of the service as exchanges, and skips other paths", async () => {
    const on = (path: string) => entry(`https://catalogue.test${path}`);
    const items = await read({
      "a.har": har(entry(url), on("/4/a"), on("/app.js"), entry("https://b.test/4/a")),
    });
    expect(
      items.map((each) => ("exchange" in each ? each.exchange.request.path : each)),
    ).toMatchObject([
      "/3/movie/603/lists",
      "/4/a",
      { skipped: "other path" },
      { skipped: "other host" },
    ]);
  });

  it("is one whatever its name, and a recording is one in a .har", async () => {
    expect(only(await read({ "a.json": har(entry(url)) })).name).toBe("a.json#1");
    expect(only(await read({ "a.har": recording() })).name).toBe("a.har");
  });
});
