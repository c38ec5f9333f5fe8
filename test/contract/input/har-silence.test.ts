import { brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inspectExchange } from "../../../src/contract/engine/check.js";
import { description } from "../../../src/generated/full-description.js";
import { entry, har, only, read } from "./support.js";

const { operations } = description;
const url = "https://catalogue.test/3/movie/701/rating";
const json = { name: "content-type", value: "application/json" };
const header = (name: string, value: string) => ({ name, value });

/** Checks one HAR entry. Returns the rules of its findings, or the reason why it was not validated. */
async function outcomeOf(harEntry: object): Promise<string> {
  const items = await read({ "a.har": har(harEntry) }, { operations });
  const { findings, unvalidated } = inspectExchange(only(items), description);
  return [...findings.map(({ rule }) => rule), ...(unvalidated ? [unvalidated] : [])].join(", ");
}

const success = JSON.stringify({ success: true, status_code: 1, status_message: "Rated." });
const saved = { status: 201, content: { size: success.length, text: success } };
const rate = (request: object) => outcomeOf(entry(url, saved, { method: "POST", ...request }));
const value = '{"value":8.5}';
const base64 = Buffer.from(value).toString("base64");

describe("a request body that a HAR does not contain", () => {
  it.each<[string, object]>([
    ["an unknown size", { bodySize: -1 }],
    ["no size", { bodySize: undefined }],
    ["an unknown size and empty `postData`", { bodySize: -1, postData: {} }],
    ["an unknown size and empty text", { bodySize: -1, postData: { text: "" } }],
    ["null as the text", { bodySize: 0, postData: { text: null } }],
    ["a size without text", { bodySize: 13 }],
    ["only the names of form fields", { bodySize: 0, postData: { params: [{ name: "value" }] } }],
    ["a body in another file", { bodySize: 13, postData: { text: "", _file: "1.json" } }],
    ["a content-length header", { bodySize: 0, headers: [json, header("Content-Length", "13")] }],
    ["chunks", { bodySize: 0, headers: [json, header("Transfer-Encoding", "chunked")] }],
    ["no headers", { bodySize: 0, headers: [] }],
    ["a size of 0 over HTTP/2", { bodySize: 0, httpVersion: "HTTP/2.0" }],
    ["a size of 0, and an empty version", { bodySize: 0, httpVersion: "" }],
    ["a size of 0, and an unknown version", { bodySize: 0, httpVersion: "unknown" }],
    ["a size of 0, and no version", { bodySize: 0, httpVersion: undefined }],
    ["a size of 0, and an invalid version", { bodySize: 0, httpVersion: [{ toString: 0 }] }],
    [
      "a size of 0 and empty text over HTTP/3",
      { bodySize: 0, httpVersion: "h3", postData: { text: "" } },
    ],
    ["the start of the text", { bodySize: 13, postData: { text: '{"value":' } }],
    [
      "the start of the text, and a content-length header",
      {
        bodySize: 9,
        headers: [json, header("Content-Length", "2000000")],
        postData: { text: '{"value":' },
      },
    ],
  ])("counts as not recorded if the HAR has %s", async (_, request) => {
    expect(await rate({ headers: [json], ...request })).toBe("body not recorded");
  });

  it.each<[string, object]>([
    ["a size of 0 over HTTP/1.1", { bodySize: 0, headers: [json], httpVersion: "HTTP/1.1" }],
    ["a size of 0 over HTTP/1.0", { bodySize: 0, headers: [json], httpVersion: "http/1.0" }],
    ["a content-length header of 0", { bodySize: -1, headers: [header("content-length", "0")] }],
    ["both", { bodySize: 0, headers: [header("content-length", "0")], postData: { text: "" } }],
  ])("is missing if the HAR states so with %s", async (_, request) => {
    expect(await rate(request)).toBe("request/invalid-body");
  });

  it("does not matter to an operation without a request body, unless the HAR shows that a body was sent", async () => {
    const details = "https://catalogue.test/3/genre/movie/list";
    const body = { content: { text: '{"genres":[]}', size: 13 } };
    expect(await outcomeOf(entry(details, body, { bodySize: -1 }))).toBe("");
    expect(await outcomeOf(entry(details, body, { bodySize: 9 }))).toBe("body not recorded");
  });
});

describe("an encoded body in a HAR", () => {
  const gzip = gzipSync(value);
  const coded = (coding: string) => ({ headers: [json, header("content-encoding", coding)] });
  const chunks = (encoding: BufferEncoding, bytes: Buffer) =>
    JSON.stringify(
      [bytes.subarray(0, 5), bytes.subarray(5)].map((each) => each.toString(encoding)),
    );
  it.each<[string, object, object?]>([
    ["`encoding: base64`", { text: base64, encoding: "base64" }],
    ["`_encoding: base64`", { text: base64, _encoding: "base64" }],
    ["`encoding: BASE64`, with line breaks", { text: `${base64}\r\n`, encoding: "BASE64" }],
    ["`encoding: hex`", { text: Buffer.from(value).toString("hex"), encoding: "hex" }],
    ["`encoding: utf-8`", { text: value, encoding: "utf-8" }],
    ["unmarked base64", { text: base64 }],
    ["unmarked hexadecimal digits", { text: Buffer.from(value).toString("hex") }],
    ["gzip in base64", { text: gzip.toString("base64"), encoding: "base64" }, coded("gzip")],
    ["gzip in base64, without a header", { text: gzip.toString("base64"), encoding: "base64" }],
    ["unmarked gzip in base64", { text: gzip.toString("base64") }, coded("gzip")],
    ["unmarked gzip in hexadecimal digits", { text: gzip.toString("hex") }, coded("gzip")],
    ["unmarked bytes of gzip", { text: gzip.toString("latin1") }, coded("gzip")],
    ["unmarked Brotli", { text: brotliCompressSync(value).toString("base64") }, coded("br")],
    [
      "deflate without its header",
      { text: deflateRawSync(value).toString("hex") },
      coded("deflate"),
    ],
    ["chunks in base64", { text: chunks("base64", gzip), encoding: "base64" }, coded("gzip")],
    ["chunks of hexadecimal digits", { text: chunks("hex", gzip), encoding: "hex" }, coded("gzip")],
    ["unmarked chunks", { text: chunks("hex", gzip) }, coded("gzip")],
    ["a content coding as its encoding", { text: gzip.toString("base64"), encoding: "gzip" }],
    ["a content coding as its encoding, after decoding", { text: value, encoding: "gzip" }],
  ])("is decoded: %s", async (_, postData, request = {}) => {
    const sent = entry(url, saved, { method: "POST", headers: [json], ...request, postData });
    const { body } = only(await read({ "a.har": har(sent) }, { operations })).request;
    expect(body).toEqual({ value: 8.5 });
    const content = { size: -1, mimeType: "application/json", ...postData };
    const received = entry(url, { headers: [json], ...request, content });
    expect(only(await read({ "a.har": har(received) })).response.body).toEqual({ value: 8.5 });
  });

  it.each<[string, object, object?]>([
    ["an unknown encoding", { text: "eJyr", encoding: "base122" }],
    ["text that does not fit its encoding", { text: value, encoding: "base64" }],
    ["a list of chunks that were cut off", { text: chunks("hex", gzip.subarray(0, 9)) }],
    ["bytes that are not UTF-8", { text: "//79", encoding: "base64" }],
    ["bytes that were read as UTF-8", { text: gzip.toString() }, coded("gzip")],
    ["an unknown content coding", { text: "KLUv/QRYEQAAe30=" }, coded("zstd")],
    ["an encoding that is not a string", { text: value, encoding: [{ toString: 0 }] }],
    ["a list with an object as chunks", { text: '["7b", {"toString": 0}]', encoding: "hex" }],
    ["a list of numbers as text", { text: [1, 2] }],
    ["a data URL", { text: `data:application/json;base64,${base64}` }],
    ["text with the lengths of its chunks", { text: `d\r\n${value}\r\n0\r\n\r\n` }],
  ])("counts as not recorded if it is %s", async (_, postData, request = {}) => {
    expect(await rate({ headers: [json], bodySize: 13, ...request, postData })).toBe(
      "body not recorded",
    );
  });

  it.each([
    ["a page", "<html></html>"],
    ["text", "Not found"],
    ["text that starts like a data URL", 'data:{"value":8,"a":1}'],
    ["text that starts like a chunk", "bad\r\nrequest"],
    ["a hexadecimal token", "d41d8cd98f00b204e9800998ecf8427e"],
  ])("text that is not encoded is reported if it is not JSON: %s", async (_, text) => {
    expect(await rate({ headers: [json], postData: { text } })).toBe("request/invalid-body");
  });

  it("a list of strings stays a list, even if the response was compressed", async () => {
    const text = '["en", "fr", "abcd"]';
    const received = entry(url, { ...coded("gzip"), content: { size: text.length, text } });
    expect(only(await read({ "a.har": har(received) })).response.body).toEqual(JSON.parse(text));
  });
});

describe("a response that a HAR does not contain as it was", () => {
  const list = "https://catalogue.test/3/genre/movie/list";
  const empty = { size: 0, mimeType: "application/json" };
  const gzip = [json, header("content-encoding", "gzip")];
  const chunked = [json, header("transfer-encoding", "chunked")];
  it.each<[string, object]>([
    ["was compressed and lost", { headers: [...gzip, header("content-length", "730")] }],
    ["was compressed, chunked, and lost", { headers: [...gzip, ...chunked], bodySize: 735 }],
    ["was compressed and lost over HTTP/2", { headers: gzip, bodySize: -1 }],
    [
      "was sent in chunks and lost",
      { headers: chunked, bodySize: 0, content: { ...empty, text: "" } },
    ],
    ["is null", { headers: [json], content: { ...empty, text: null } }],
    ["has no headers", { headers: [] }],
    ["Safari did not have", { content: { ...empty, compression: 0 } }],
    ["HTTP Toolkit could not decode", { content: { ...empty, comment: "Lost." }, bodySize: 731 }],
    ["Chrome received, but did not keep", { content: empty, _transferSize: 731 }],
  ])("a body that %s counts as not recorded", async (_, response) => {
    const found = await outcomeOf(entry(list, { content: empty, ...response }));
    expect(found).toBe("body not recorded");
  });

  it.each<[string, object]>([
    ["a size of 0 and empty text", { headers: [json], content: { ...empty, text: "" } }],
    ["a content-length header of 0", { headers: [...gzip, header("content-length", "0")] }],
    ["only the last chunk", { headers: chunked, bodySize: 5, content: { ...empty, text: "" } }],
  ])("a body is missing if the HAR states so with %s", async (_, response) => {
    const found = await outcomeOf(entry(list, { content: empty, ...response }));
    expect(found).toBe("http/missing-body, no JSON body");
  });

  const start = '{"genres":[{';
  const length = (bytes: number) => [json, header("Content-Length", String(bytes))];
  const cut = { headers: length(488), content: { size: 12, text: start } };
  it.each<[string, object]>([
    ["its length", cut],
    ["its length, but no size", { ...cut, content: { text: start } }],
    ["its length, and a size of -1", { ...cut, content: { size: -1, text: start } }],
    ["its length, and a size of 0", { ...cut, content: { size: 0, text: start } }],
    ["its size on the wire", { ...cut, headers: [json], bodySize: 547 }],
    ["its size on the wire", { ...cut, headers: [json], bodySize: 547, headersSize: undefined }],
    ["its length in bytes", { headers: length(19), content: { text: '{"name":"é€😀' } }],
  ])("the start of a body counts as not recorded if the HAR has %s", async (_, response) => {
    expect(await outcomeOf(entry(list, response))).toBe("body not recorded");
  });

  it.each<[string, object]>([
    ["the same length", { ...cut, headers: length(12) }],
    ["the same length in bytes", { headers: length(18), content: { text: '{"name":"é€😀' } }],
    ["a length of the compressed body", { ...cut, headers: [...gzip, ...length(488)] }],
    ["a size with chunk lengths", { ...cut, headers: chunked, bodySize: 23 }],
    [
      "a size with headers, as in Firefox",
      { ...cut, headers: [json], bodySize: 312, headersSize: 300 },
    ],
  ])("text that is not JSON is reported if the HAR states %s", async (_, response) => {
    expect(await outcomeOf(entry(list, response))).toContain("http/not-json");
  });

  it("a body that is valid JSON is checked, even if the HAR states a different length", async () => {
    const text = '{"genres":[7]}';
    const changed = entry(list, { headers: length(488), content: { size: text.length, text } });
    expect(await outcomeOf(changed)).toContain("schema/type");
  });

  it("a body that Chrome did not read from its cache counts as not recorded", async () => {
    const cached = { ...entry(list, { content: empty, bodySize: 0 }), _fromCache: "disk" };
    expect(await outcomeOf(cached)).toBe("body not recorded");
  });

  it.each(["", null, "x-unknown"])(
    "headers count as not recorded if the HAR has none, and the media type %j",
    async (mimeType) => {
      const token = '{"success":true,"expires_at":"2026-01-01 00:00:00 UTC","request_token":"x"}';
      const tokenUrl = "https://catalogue.test/3/authentication/token/new";
      const content = { size: token.length, mimeType, text: token };
      const found = await outcomeOf(entry(tokenUrl, { headers: [], content }));
      expect(found).not.toMatch(/header|content-type/);
    },
  );

  it("a response without content needs no body", async () => {
    const items = await read(
      { "a.har": har(entry(list, { status: 204, content: {} })) },
      { operations },
    );
    expect(only(items).response).not.toHaveProperty("isBodyUnrecorded");
  });

  it.each(["If-None-Match", "if-modified-since"])(
    "after a conditional request with %s, the entry has the headers of the 304 response, so that no header is missing",
    async (name) => {
      const found =
        '{"id":1,"success":true,"expires_at":"2026-01-01 00:00:00 UTC","guest_session_id":"x"}';
      const session = "https://catalogue.test/3/authentication/guest_session/new";
      const content = { size: found.length, mimeType: "application/json", text: found };
      const sent = (headers: object[]) =>
        outcomeOf(entry(session, { headers: [header("etag", "1")], content }, { headers }));
      expect(await sent([header(name, "1")])).not.toMatch(/header|content-type/);
      expect(await sent([header("accept", "*/*")])).toContain("http/missing-content-type");
    },
  );

  it("a HEAD request of a documented GET operation has the status and the headers of the GET operation", async () => {
    const head = (response: object) =>
      outcomeOf(entry(list, { content: {}, ...response }, { method: "HEAD" }));
    expect(await head({})).toBe("");
    expect(await head({ headers: [header("content-type", "text/html")] })).toBe(
      "http/undocumented-media-type",
    );
    expect(await head({ status: 302 })).toContain("http/undocumented-status");
    const post = entry(url, { content: {} }, { method: "HEAD" });
    expect(await outcomeOf(post)).toContain("http/unknown-method");
  });
});
