import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { description, checkExchange } from "../../../src/contract/index.js";
import { entry, har, only, problems, read, recording, skipped } from "./support.js";

const url = "https://catalogue.test/3/movie/701/lists?page=2&with=a&with=b";
const body = '{"id": 701, "name": "Ünï \\"x\\""}';
const one = (response: object, request: object = {}) =>
  read({ "a.har": har(entry(url, response, request)) });
const undescribed = { id: "", pointer: "", responses: [], requestContent: [], parameters: [] };
const pathsOf = (items: Awaited<ReturnType<typeof read>>) =>
  items.flatMap((each) => ("exchange" in each ? [each.exchange.request.path] : []));

describe("HAR files", () => {
  it("the gate reads the path, query, headers, and body from a Chromium HAR, but ignores pseudo-headers", async () => {
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
        path: "/3/movie/701/lists",
        query: { page: "2", with: ["a", "b"] },
      },
      response: { status: 200, body: { id: 701, name: 'Ünï "x"' } },
    });
    expect(exchange.response.headers).toEqual({
      "content-type": "application/json;charset=utf-8",
      vary: "Accept, Origin",
    });
    expect(exchange).not.toHaveProperty("operation");
  });

  it("the gate reads the request body from a Firefox HAR", async () => {
    const postData = { mimeType: "application/json", params: [], text: '{"access_token":"x"}' };
    const { request } = only(await one({}, { method: "POST", postData, bodySize: 20 }));
    expect(request).toMatchObject({ method: "POST", body: { access_token: "x" } });
    expect(request).not.toHaveProperty("isBodyUnrecorded");
  });

  it.each([
    ["a form", { text: "access_token=x" }],
    ["truncated JSON", { text: '{"access_token' }],
  ])("the gate reports a HAR entry whose request body is %s", async (_, postData) => {
    const convert = "https://catalogue.test/3/authentication/session/convert/4";
    const sent = entry(convert, {}, { method: "POST", postData });
    const findings = checkExchange(only(await read({ "a.har": har(sent) })), description);
    expect(findings.filter(({ rule }) => rule === "request/invalid-body")).toMatchObject([
      { expected: "JSON", value: "14 characters of text that is not JSON" },
    ]);
  });

  it("in a HAR, every value of a body has the location of the string that contains the body", async () => {
    const content = har(
      entry("https://x.test/"),
      entry(url, { content: { size: 34, text: body } }),
    );
    const items = await read({ "a.har": content });
    const { locate } = only(items.filter((each) => "exchange" in each));
    const lines = JSON.stringify(content, null, 2).split("\n");
    for (const [location, text] of [
      ["/id", '"{\\"id'],
      ["", '"{\\"id'],
      ["header: content-type", '"application/json"'],
      ["path", `"${url}"`],
    ] as const) {
      const { line = 0, column = 0 } = locate!(location);
      expect(lines[line - 1]?.slice(column - 1, column - 1 + text.length)).toBe(text);
    }
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["gzip, br", (bytes: Buffer) => brotliCompressSync(gzipSync(bytes))],
    ["", (bytes: Buffer) => bytes],
    // Browsers record the decoded body, but keep the `content-encoding` header.
    ["gzip", (bytes: Buffer) => bytes],
  ] as const)(
    "in a HAR, the gate decodes a base64 body with the content encoding %j",
    async (coding, encode) => {
      const text = encode(Buffer.from(body)).toString("base64");
      const headers = coding ? [{ name: "Content-Encoding", value: coding }] : [];
      const response = { headers, content: { size: 9, text, encoding: "base64" } };
      const exchange = only(await one(response));
      expect(exchange.response.body).toEqual(JSON.parse(body));
      const lines = JSON.stringify(har(entry(url, response)), null, 2).split("\n");
      expect(lines[exchange.locate!("/id").line! - 1]).toContain(text);
      expect(exchange.locate!("/id")).toEqual(exchange.locate!(""));
    },
  );

  it("the gate uses the `mimeType` of a HAR body if the response has no headers", async () => {
    const content = { size: 2, mimeType: "text/html", text: "{}" };
    const { response } = only(await one({ headers: [], content }));
    expect(response.headers).toEqual({ "content-type": "text/html" });
  });

  const length = [{ name: "content-length", value: "812" }];
  const bodyIn = (coding: string, bytes: Uint8Array) => ({
    headers: [{ name: "content-encoding", value: coding }],
    content: { size: 9, text: Buffer.from(bytes).toString("base64"), encoding: "base64" },
  });
  const zstd = Buffer.from("28b52ffd04581100007b7d", "hex");
  it.each<[string, object]>([
    ["no information about the body", { content: {} }],
    ["a content-length header and empty text", { headers: length, content: { size: 0, text: "" } }],
    // DevTools marks the response as aborted, but keeps the received status.
    ["an aborted response", { content: { size: 0 }, _error: "net::ERR_ABORTED" }],
    [
      "only the beginning of the body",
      { content: { size: 9, text: '{"id": 60' }, _error: "net::ERR_FAILED" },
    ],
    ["text that Firefox cut off", { content: { size: 2_000_000, text: '{"id": 60' } }],
    ["a body with an unknown content encoding", bodyIn("zstd", zstd)],
    [
      "a compressed body that expands to over 64 MB",
      bodyIn("gzip", gzipSync(Buffer.alloc(64 * 2 ** 20 + 1))),
    ],
    ["a truncated gzip stream", bodyIn("gzip", gzipSync(body).subarray(0, 20))],
    ["invalid base64", { content: { size: 9, text: '{"id":1}', encoding: "base64" } }],
  ])("a response body counts as missing if a HAR contains %s", async (_, response) => {
    const { body: kept, text, isBodyUnrecorded, status } = only(await one(response)).response;
    expect([kept, text, isBodyUnrecorded, status]).toEqual([undefined, undefined, true, 200]);
  });

  it("the gate reads a compressed HAR body that expands to 64 MB", async () => {
    const padded = Buffer.alloc(64 * 2 ** 20, " ");
    padded.write("[]");
    expect(only(await one(bodyIn("gzip", gzipSync(padded)))).response).toMatchObject({ body: [] });
  });

  it("an omitted HAR request body counts as missing, but the complete body of an aborted response does not", async () => {
    const { request } = only(await one({}, { method: "POST", bodySize: 20 }));
    expect(request).toMatchObject({ isBodyUnrecorded: true });
    const { response } = only(await one({ _error: "net::ERR_ABORTED" }));
    expect(response).toMatchObject({ body: { id: 1 } });
    expect(response).not.toHaveProperty("isBodyUnrecorded");
  });

  it("a HAR entry counts as aborted only if `_error` is a nonempty string, because Chrome DevTools writes null if no error occurred", async () => {
    const broken = ['{"id": 60', "<html>"].map((text) => ({ size: text.length, text }));
    for (const content of broken)
      for (const error of [null, "", {}, true, 1])
        expect(only(await one({ content, _error: error })).response).toMatchObject({
          text: content.text,
        });
    const { response } = only(await one({ content: { size: 0, text: "" }, _error: null }));
    expect(Object.keys(response)).toEqual(["status", "headers"]);
  });

  it("the gate reads the same body from the HAR files of all exporters, or says why there is no body", async () => {
    const json = { size: 34, mimeType: "application/json" };
    const base64 = { text: Buffer.from(body).toString("base64"), encoding: "base64" };
    const h2 = [
      { name: ":status", value: "200" },
      { name: "content-type", value: "application/json" },
    ];
    const none = { status: 0, headers: [], content: {}, bodySize: -1 };
    const OK = JSON.parse(body) as unknown;
    const table: [exporter: string, response: object, expected: unknown, request?: object][] = [
      ["Chrome", { headers: h2, content: { ...json, text: body }, _error: null }, OK],
      ["Chrome", { headers: h2, content: { ...json, ...base64 }, _error: null }, OK],
      ["Chrome", { headers: h2, content: json, _error: null }, "body missing"],
      ["Chrome", { status: 304, content: { size: 0, mimeType: "" } }, "not modified"],
      ["Chrome", { ...none, _error: "net::ERR_BLOCKED_BY_CLIENT" }, "no response"],
      ["Chrome", { status: 204, content: {} }, "CORS preflight", { method: "OPTIONS" }],
      ["Firefox", { content: { ...json, text: body } }, OK],
      ["Firefox", { content: { ...json, comment: "Bodies are not included." } }, "body missing"],
      ["Firefox", { ...none, status: 304, content: { ...json, text: body } }, "not modified"],
      ["Playwright", { headers: h2, content: { ...json, size: -1, text: body } }, OK],
      ["Playwright", { ...none, status: -1, _failureText: "aborted" }, "no response"],
      ["Playwright", { content: { size: -1, mimeType: "x-unknown" } }, "body missing"],
      ["mitmproxy", { content: { ...json, size: -1, compression: 0, text: body } }, OK],
      ["mitmproxy", { cookies: undefined, redirectURL: undefined, content: { text: body } }, OK],
      ["mitmproxy", { ...none, content: { size: 0, mimeType: "" } }, "no response"],
      ["mitmproxy", { content: null }, "body missing"],
      ["Charles", { headers: h2, content: { ...json, ...base64 }, _charlesStatus: "COMPLETE" }, OK],
      ["Charles", { ...none, _charlesStatus: "FAILED" }, "no response"],
    ];
    const outcomes = await Promise.all(
      table.map(async ([exporter, response, , request]) => {
        const items = await one(response, request);
        const [reason = problems(items)[0]] = skipped(items);
        if (reason !== undefined) return [exporter, reason];
        const { isBodyUnrecorded, body: kept } = only(items).response;
        return [exporter, isBodyUnrecorded ? "body missing" : kept];
      }),
    );
    expect(outcomes).toEqual(table.map(([exporter, , expected]) => [exporter, expected]));
  });

  const empty = { size: 0, mimeType: "application/json", text: "" };
  const coded = [
    { name: "content-encoding", value: "gzip" },
    { name: "content-length", value: "20" },
  ];
  it.each<[string, object]>([
    ["that Chromium received in chunks", { headersSize: 261, bodySize: 5, content: empty }],
    ["that Chromium received as gzip", { headers: coded, bodySize: 20, content: empty }],
    ["that Playwright wrote without sizes", { content: { ...empty, size: -1 } }],
    ["that Firefox wrote with a size that includes the headers", { bodySize: 312, content: empty }],
  ])("the gate recognizes an empty response body %s", async (_, response) => {
    const keys = Object.keys(only(await one(response)).response);
    expect(keys).toEqual(["status", "headers"]);
  });

  it("the gate reads the HAR entries below --base-url; without --base-url, the gate infers base URLs from documented paths", async () => {
    const script = { headers: [{ name: "content-type", value: "text/javascript" }] };
    const urls = [
      "https://catalogue.test/3/movie/1/lists",
      "https://cdn.test/logo.png",
      "https://catalogue.test/app.js",
      "https://api.test/v1/3/movie/3/lists",
      "https://api.test/v1/3/nothing/known",
      "https://api.test/login",
      "https://api.test/v10/a",
      "data:text/plain,hello",
      "chrome-extension://abc/3/movie/1/lists",
      "/3/movie/4/lists",
      "https://catalogue.test:8443/3/movie/5/lists",
      "https://catalogue.test/4/a",
    ];
    const entries = urls.map((each) => entry(each, each.endsWith("js") ? script : {}));
    const readFrom = async (base?: string) => {
      const baseUrl = base === undefined ? undefined : new URL(base);
      const items = await read({ "a.har": har(...entries) }, { baseUrl });
      expect(pathsOf(items).length + skipped(items).length).toBe(entries.length);
      return [pathsOf(items), skipped(items).filter((each) => each === "other path").length];
    };
    const [first, third, fourth, fifth] = [1, 3, 4, 5].map((id) => `/3/movie/${id}/lists`);
    const all = [first, third, "/3/nothing/known", fourth, fifth, "/4/a"];
    expect(await readFrom()).toEqual([all, 3]);
    for (const base of ["https://catalogue.test", "https://Catalogue.test:443/"])
      expect(await readFrom(base)).toEqual([[first, "/4/a"], 1]);
    expect(await readFrom("https://api.test/v1/")).toEqual([[third, "/3/nothing/known"], 2]);
    expect(await readFrom("https://catalogue.test:8443")).toEqual([[fifth], 0]);
  });

  it("a mistyped URL does not change the base URL of the other entries", async () => {
    const urls = ["/3/3/movie/1/lists", "/3/movie/2/lists", "/3/movie/2/nothing"];
    const entries = urls.map((each) => entry(`https://catalogue.test${each}`));
    const items = await read({ "a.har": har(...entries) });
    const matched = items.map((each) => "matching" in each && each.matching?.map(({ id }) => id));
    expect(pathsOf(items)).toEqual(["/3/movie/1/lists", ...urls.slice(1)]);
    expect(matched).toEqual([["movies.lists"], ["movies.lists"], []]);
  });

  it("a redirect that Chrome made itself is not a response of the service", async () => {
    const headers = [{ name: "Non-Authoritative-Reason", value: "HSTS" }];
    expect(skipped(await one({ status: 307, headers }))).toEqual(["no response"]);
  });

  it("an entry with a documented path counts as part of the API, whatever its response is", async () => {
    const operations = [
      { path: "/", method: "GET" },
      { path: "/{id}", method: "GET" },
      { path: "/items", method: "GET" },
      { path: "/items", method: "OPTIONS" },
      { path: "/users", method: "GET" },
    ].map((each) => ({ ...each, ...undescribed }));
    const html = { headers: [{ name: "content-type", value: "text/html" }] };
    const shop = "https://api.shop.example";
    const preflight = [{ name: "Access-Control-Request-Method", value: "PUT" }];
    const entries = [
      entry(`${shop}/items`),
      entry(`${shop}/items`, { status: 502, ...html, content: { size: 4, text: "<h1>" } }),
      entry(`${shop}/items`, { status: 204, headers: [], content: { size: 0 } }),
      entry(`${shop}/items`, html, { method: "DELETE" }),
      entry(`${shop}/items`, html, { method: "OPTIONS" }),
      entry(`${shop}/items`, html, { method: "OPTIONS", headers: preflight }),
      entry(`${shop}/users`, html, { method: "OPTIONS" }),
      entry(`${shop}/assets/app.js`, html),
      entry("https://cdn.example/"),
      entry("https://cdn.example/7"),
    ];
    const items = await read({ "a.har": har(...entries) }, { operations });
    expect(pathsOf(items)).toEqual(Array(5).fill("/items"));
    expect(skipped(items)).toEqual([
      "CORS preflight",
      "CORS preflight",
      "other path",
      "other host",
      "other host",
    ]);
  });

  it("a response to HEAD in a HAR has no body, even if `content-length` states a size", async () => {
    const headers = [{ name: "content-length", value: "9" }];
    const { response } = only(await one({ headers, content: { size: 0 } }, { method: "HEAD" }));
    expect(response).not.toHaveProperty("isBodyUnrecorded");
  });

  it("the gate reads the media type of a HAR request body, and locates values in the body", async () => {
    const headers = [{ name: "Content-Type", value: "text/plain" }];
    const postData = { mimeType: "application/json", text: "12" };
    const { request, locate } = only(await one({}, { method: "POST", headers, postData }));
    expect(request).toMatchObject({
      headers: { "content-type": "text/plain" },
      body: 12,
      text: "12",
    });
    expect(locate!("request: /a").line).toBeGreaterThan(locate!("method").line!);
  });

  it("the gate chooses the longest base URL if several base URLs match a HAR entry", async () => {
    const urls = ["/3/movie/latest", "/api/3/movie/latest"].map((path) => `https://a.test${path}`);
    const items = await read({ "a.har": har(...urls.map((each) => entry(each))) });
    expect(pathsOf(items)).toEqual(["/3/movie/latest", "/3/movie/latest"]);
  });

  it.each([
    ["https://cdn.test/3/a", "https://catalogue.test", "other host"],
    ["https://catalogue.test/logo.png", undefined, "other path"],
  ])(
    "the gate skips invalid HAR entries for URLs outside the API, such as %s",
    async (other, base, reason) => {
      const broken = { request: { url: other }, response: null };
      const image = { headers: [{ name: "content-type", value: "image/png" }] };
      const entries = [entry(url), broken, entry(other, image, { method: 7 })];
      const baseUrl = base === undefined ? undefined : new URL(base);
      const items = await read({ "a.har": har(...entries) }, { baseUrl });
      expect([skipped(items), problems(items)]).toEqual([[reason, reason], []]);
    },
  );

  it("the gate reports each invalid entry of a HAR, and reads the other entries", async () => {
    const items = await read({
      "a.har": har(
        entry("http://["),
        {},
        entry(url, { status: "x" }),
        entry(url, { content: { text: "[".repeat(400) + "]".repeat(400) } }),
        entry(url, { status: 1000 }),
        null,
        [],
        entry(url),
      ),
    });
    expect(pathsOf(items)).toHaveLength(1);
    expect(problems(items).map((each) => each.replace(/:\d+:\d+/, ""))).toEqual([
      "a.har entry 1: request.url must be a URL",
      "a.har entry 2: request must be an object",
      "a.har entry 3: response.status must be an HTTP status (an integer from 100 to 599)",
      "a.har entry 4: contains a body that is nested more than 256 levels deep",
      "a.har entry 5: response.status must be an HTTP status (an integer from 100 to 599)",
      "a.har entry 6: must be an object",
      "a.har entry 7: must be an object",
    ]);
  });

  it.each([
    ["[ONE,ONE,¦5,ONE]}}", "entry 3: must be an object"],
    ['[¦"entry",ONE,ONE]}}', "entry 1: must be an object"],
    ["[ONE,ONE,ONE ¦ONE]}}", "is not valid JSON"],
    ["[ONE,ONE,\n¦,ONE]}}", "is not valid JSON"],
    ["[ONE,ONE]}}\n¦{}", "is not valid JSON"],
    ["[ONE,ONE,ONE¦", "is truncated JSON"],
    ["[ONE,ONE,¦", "is truncated JSON"],
    ['[ONE,ONE,{"request": {"method"¦', "is truncated JSON"],
  ])("the gate locates the error in a HAR with the entries %s", async (entries, problem) => {
    const marked = `{"log":{"entries":${entries.replaceAll("ONE", JSON.stringify(entry(url)))}`;
    const lines = marked.split("¦")[0]!.split("\n");
    const items = await read({ "a.har": marked.replace("¦", "") });
    expect(problems(items)).toEqual([
      `a.har:${lines.length}:${lines.at(-1)!.length + 1} ${problem}`,
    ]);
  });

  it("the gate locates all values that are not entries without reading the HAR again for each of them", async () => {
    const open = vi.spyOn(fs, "openSync");
    syncBuiltinESMExports();
    onTestFinished(() => {
      open.mockRestore();
      syncBuiltinESMExports();
    });
    const readWith = async (values: readonly unknown[]) => {
      open.mockClear();
      const items = await read({ "a.har": har(entry(url), ...values, entry(url)) });
      return { positions: problems(items), reads: open.mock.calls.length };
    };
    const single = await readWith([null]);
    const all = await readWith(Array(50).fill(null));
    expect([single.positions.length, all.positions.length]).toEqual([1, 50]);
    const firstLine = Number(single.positions[0]!.split(":")[1]);
    expect(all.positions).toEqual(
      Array.from({ length: 50 }, (_, index) => {
        const position = `a.har:${firstLine + index}:7`;
        return `${position} entry ${index + 2}: must be an object`;
      }),
    );
    expect(all.reads).toBe(single.reads);
  });

  it("the gate reads the bodies that a HAR keeps in files in the same folder", async () => {
    const sent = { method: "POST", bodySize: 13, postData: { text: "", _file: "2.json" } };
    const rated = entry("https://catalogue.test/3/movie/701/rating", {}, sent);
    const items = await read({
      "har.har": har(entry(url, { content: { size: -1, _file: "1.json" } }), rated),
      "1.json": "[1]",
      "2.json": '{"value":8.5}',
    });
    expect(problems(items)).toEqual([]);
    const exchanges = items.flatMap((each) => ("exchange" in each ? [each.exchange] : []));
    expect(exchanges).toMatchObject([
      { response: { body: [1] } },
      { request: { body: { value: 8.5 } } },
    ]);
  });

  it.each(["1.json", "../site.har", "folder", 1])(
    "the gate rejects a HAR whose bodies are in the missing file %j, and says what to do",
    async (name) => {
      const attached = entry(url, { content: { size: 1, _file: name } });
      const items = await read({ "a/site.har": har(attached), "a/folder/1.txt": body });
      expect(problems(items).map((each) => each.replace(/:\d+:\d+/, ""))).toEqual([
        "a/site.har keeps the bodies of 1 entry in files that are missing; keep these files in the folder of the HAR, or export the HAR with embedded bodies",
      ]);
    },
  );

  it("the gate recognizes a HAR by its content, not by its file name", async () => {
    expect(only(await read({ "a.json": har(entry(url)) })).name).toBe("a.json#1");
    expect(only(await read({ "a.har": recording() })).name).toBe("a.har");
  });
});
