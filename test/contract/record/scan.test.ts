import { expect, it } from "vitest";
import { leaksIn } from "../../../src/contract/record/scan.js";
import { scrub, type RawExchange } from "../../../src/contract/record/scrub.js";
import { createSecrets } from "../../../src/contract/secrets.js";
import { recordings } from "../../support/recordings.js";
import { canaries, encodings } from "./canaries.js";

const found = (value: unknown, ...known: string[]) =>
  leaksIn(JSON.stringify(value, null, 2), known);

it.each(Object.entries(encodings))("finds every known canary %s", (_, encode) => {
  for (const secret of Object.values(canaries))
    expect(found({ a: ["x", { b: encode(secret) }] }, secret)).toContain("a known secret");
});

it.each<[string, unknown, string]>([
  ["a web token in base64", { a: btoa(`x ${canaries.jwt}`) }, "a JSON Web Token"],
  ["a header", { a: "was: Bearer 0123456789abcdef01" }, "credentials of a header"],
  ["an encoded URL", { a: "?to=%3Fapi_key%3D0a1b2c3d4e5f" }, "a token in a URL"],
  ["a nested member", { a: '{"sessionId":"aBcDeFgHiJk"}' }, "a value whose name marks a secret"],
  ["a key of a map", { AKIAIOSFODNN7EXAMPLE: 1 }, "a token with a well-known prefix"],
  ["a private key", { a: "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0" }, "a private key"],
])("finds an unknown secret in %s", (_, value, kind) => {
  expect(found(value)).toEqual([kind]);
});

it("accepts titles, ordinary words and recordings, and quotes no secret", () => {
  const words = { token: "expired or revoked", password: "unchanged", x: "?token=forbidden" };
  expect(found({ ...words, a: "Basic Blade-Runner-2049", b: "Bearer Rock-and-Roll" })).toEqual([]);
  for (const { name, operation, request, response } of recordings) {
    const exchange = { operation, request, response } as RawExchange;
    const clean = scrub(exchange, { secrets: createSecrets([]) });
    expect([found(clean, canaries.bearer), found({ request, response })], name).toEqual([[], []]);
  }
  expect(found(canaries, ...Object.values(canaries)).join()).not.toMatch(/canary|eyJ/i);
});

it("finds a secret anywhere in a large text", () => {
  for (const index of [2 ** 18 - 9, 2 ** 18, 2 ** 20])
    expect(leaksIn(`${" ".repeat(index)}${canaries.bearer} `, [canaries.bearer])).toHaveLength(1);
});
