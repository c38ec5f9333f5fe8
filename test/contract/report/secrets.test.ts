import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../../../src/contract/engine/types.js";
import { collectSecrets, createSecrets, hideInText } from "../../../src/contract/secrets.js";
import { canaries, canBeRead, encodings } from "../record/canaries.js";

const collected = (value: Json) => {
  const secrets = createSecrets([]);
  collectSecrets(value, secrets);
  return [...secrets.known];
};

const hider = (...known: string[]) => {
  const secrets = createSecrets(known, () => "[redacted]");
  return (text: string) => hideInText(text, secrets);
};

it.each<[string, Json, string]>([
  ["a header", { request: { headers: { Authorization: "Bearer canary-1-abc" } } }, "canary-1-abc"],
  ["a HAR header", { headers: [{ name: "X-Api-Key", value: "canary-2-abc" }] }, "canary-2-abc"],
  ["a cookie", { headers: { "set-cookie": "sid=canary-3-abc; Path=/; HttpOnly" } }, "canary-3-abc"],
  ["a HAR cookie", { cookies: [{ name: "x", value: "canary-4-abc" }] }, "canary-4-abc"],
  ["a URL", { url: "https://a.test/3/x?session_id=canary%2D5-abc&page=1" }, "canary-5-abc"],
  ["the password of a URL", { url: "https://canary-6a:canary-6b@a.test/" }, "canary-6b"],
  ["a fragment", { url: "https://a.test/#access_token=correcthorse&a=b" }, "correcthorse"],
  ["a form", { text: "user=jane&password=correct+horse" }, "correct+horse"],
  ["a HAR query", { queryString: [{ name: "sig", value: "canary-7-abc" }] }, "canary-7-abc"],
  ["a recorded query", { query: { key: "canary-14-abc" } }, "canary-14-abc"],
  ["a query of an unknown name", { query: { x: "c0ffee42".repeat(5) } }, "c0ffee42".repeat(5)],
  ["a cut-off file", '{"a":"Bearer TruncTok3nAbc', "TruncTok3nAbc"],
  ["a value nested below a name", { session: { parts: ["canary-9-abc"] } }, "canary-9-abc"],
  ["JSON within a text", { text: '{"access_token":"canary-10-abc"}' }, "canary-10-abc"],
  [
    "a callback",
    { "authentication-callback": "https://a.test/authenticate/canary-11-abc" },
    "canary-11-abc",
  ],
  ["a path segment", { path: "/3/guest_session/canary-18-a7bc/rated" }, "canary-18-a7bc"],
  ["a number", { session_id: 9876543210123 }, "9876543210123"],
  ["a map of sessions", { sessions: { "canary-15-abc": {} } }, "canary-15-abc"],
  ["a key that is a token", { a: { AKIAIOSFODNN7EXAMPLE: 1 } }, "AKIAIOSFODNN7EXAMPLE"],
])("learns the secret in %s", (_, value, secret) => {
  expect(collected(value)).toContain(secret);
});

it("does not learn harmless values", () => {
  const value = {
    headers: { "set-cookie": "a=short; HttpOnly; SameSite=Lax", etag: 'W/"0123456789"' },
    "authentication-callback": "https://catalogue.test/",
    path: "/3/movie/603/lists?page=12345678",
    body: {
      name: "A token of love",
      tokens: 123456789,
      expires: 1767225600,
      key: "title-of-a-change",
      overview: "secret agents",
    },
    titles: ["Basic Instinct", "Top Secret: Operation Mincemeat", "password: networks"],
  };
  expect(collected(value).filter((each) => !each.startsWith("a=short"))).toEqual([]);
});

it("hides any secret in any encoding, after any text", () => {
  const text = fc.string({ unit: "binary-ascii", maxLength: 20 });
  const secret = fc.stringMatching(/^[\w/+=.é-]{12,40}$/).filter((each) => /\w{6}/.test(each));
  const encoded: ((secret: string, before: string) => string)[] = [
    (each, before) => before + each,
    (each, before) => JSON.stringify({ a: JSON.stringify(before + each) }),
    (each, before) => before + encodeURIComponent(encodeURIComponent(each)),
    (each, before) => Buffer.from(before + each).toString("base64"),
    (each, before) => Buffer.from(before + each).toString("base64url"),
  ];
  fc.assert(
    fc.property(secret, text, fc.constantFrom(...encoded), (each, before, encode) => {
      const hidden = hider(each)(encode(each, before));
      expect(hidden).not.toContain(each);
      expect(hidden).not.toContain(encodeURIComponent(each));
      expect(Buffer.from(hidden, "base64").toString()).not.toContain(each);
    }),
    { numRuns: 300 },
  );
});

it("hides every canary in every encoding", () => {
  const hide = hider(...Object.values(canaries));
  for (const secret of Object.values(canaries))
    for (const [name, encode] of Object.entries(encodings))
      expect([name, canBeRead(hide(`a ${encode(secret)} b`), secret)]).toEqual([name, false]);
});

it("hides overlapping secrets as one, and form-encoded secrets with + for each space", () => {
  const hide = hider("abcdefgh-1234", "1234-ijklmnop", "correct horse");
  expect(hide("x abcdefgh-1234-ijklmnop y")).toBe("x [redacted] y");
  expect(hide("x correct+horse y")).toBe("x [redacted] y");
});

it("learns a secret anywhere in a long text, and hides a long text as a whole", () => {
  const hide = hider();
  for (const index of [2 ** 18 - 9, 2 ** 18, 2 ** 22]) {
    const text = `${" ".repeat(index)}token=canary-long-1${index}`;
    expect(collected(text)).toEqual([`canary-long-1${index}`]);
    expect(hide(text)).toBe("[redacted]");
  }
});

it("finds one of 10,000 secrets without testing each", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `eyJhbGciOiJIUzI1NiJ9-${index}-x`);
  const hide = hider(...many);
  for (const each of many.slice(0, 1000)) expect(hide(`x ${each} y`)).toBe("x [redacted] y");
});
