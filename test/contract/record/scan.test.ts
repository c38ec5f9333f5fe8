import { expect, it } from "vitest";
import { scan } from "../../../src/contract/record/scan.js";
import { scrub, type RawExchange } from "../../../src/contract/record/scrub.js";
import { createSecrets } from "../../../src/contract/record/secrets.js";
import { recordings } from "../../support/recordings.js";
import { canaries, encodings } from "./canaries.js";

const found = (value: unknown, ...known: string[]) => scan(JSON.stringify(value, null, 2), known);

it.each(Object.entries(encodings))("finds every canary that is %s", (_, encode) => {
  for (const secret of Object.values(canaries)) {
    expect(found({ a: ["x", { b: encode(secret) }] }, secret)).toContain("a known secret");
  }
});

it.each(["", "x", "xy", "xyz"])("finds base64 and digits behind the letters '%s'", (letters) => {
  const base64 = Buffer.from(canaries.bearer).toString("base64");
  const hex = Buffer.from(canaries.bearer).toString("hex");
  expect(found({ a: letters + base64 }, canaries.bearer)).toContain("a known secret");
  expect(found({ a: "abc".slice(0, letters.length) + hex }, canaries.bearer)).not.toEqual([]);
});

it.each<[string, unknown, string]>([
  ["a web token", { a: canaries.jwt }, "a JSON Web Token"],
  [
    "a web token in base64",
    { a: Buffer.from(`x ${canaries.jwt}`).toString("base64") },
    "a JSON Web Token",
  ],
  ["a header", { a: "was: Bearer 0123456789abcdef01" }, "credentials of a header"],
  ["an address", { a: "https://a.example/?x=1&session_id=0a1b2c3d4e" }, "a token in a URL"],
  ["the address in an address", { a: "?to=%3Fapi_key%3D0a1b2c3d4e5f" }, "a token in a URL"],
  ["a member", { request_token: "0a1b2c3d4e5f" }, "a value with the name of a secret"],
  ["a member in a text", { a: '{"sessionId":"aBcDeFgHiJk"}' }, "a value with the name of a secret"],
])("finds a secret that nobody knew of in %s", (_, value, kind) => {
  expect(found(value)).toContain(kind);
});

it("has nothing to say of a scrubbed recording, and never quotes what it finds", () => {
  for (const { name, operation, request, response } of recordings) {
    const clean = scrub({ operation, request, response } as RawExchange, createSecrets([]));
    expect(found(clean, canaries.bearer), name).toEqual([]);
  }
  expect(found(canaries, ...Object.values(canaries)).join()).not.toMatch(/canary|eyJ/i);
});

it("has nothing to say of words", () => {
  const words = {
    token: "expired or revoked",
    status_message: "Bearer authentication is required.",
  };
  expect(found({ a: "Basic Blade-Runner-2049", b: "Bearer Rock-and-Roll-1980s" })).toEqual([]);
  expect(found({ ...words, password: "unchanged", x: "?token=forbidden" })).toEqual([]);
});
