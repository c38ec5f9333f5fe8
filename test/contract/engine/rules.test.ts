import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, it, vi } from "vitest";
import { description } from "../../../src/generated/description.js";
import { checkExchange } from "../../../src/contract/engine/check.js";
import { rules, severityOf } from "../../../src/contract/engine/rules.js";
import { formatNames, formatValue, maskKey } from "../../../src/contract/engine/format-value.js";
import type { Json } from "../../../src/openapi/description.js";
import type { Exchange } from "../../../src/types/exchange.js";
import { root } from "../../support/paths.js";
import { scratchFolder } from "../../support/scratch.js";
import { broken, library } from "./corpus.js";
import { createDescription, exchange, exampleExchanges } from "./support.js";

/** The rows of the table in docs/findings.md: rule, meaning, fix, and example. */
const documented = [
  ...readFileSync(join(root, "docs/findings.md"), "utf8").matchAll(
    /^\| `(\S+?)` +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm,
  ),
].map(([, ...cells]) => cells);

/** The first cell of the row for all JSON Schema keywords without a row of their own. */
const OTHERS = "schema/…";
const texts = new Map(documented.map(([rule = "", ...cells]) => [rule, cells]));

const one = (schema: Json, body: Json) =>
  checkExchange(exchange("GET", "/one", { body }), createDescription(schema));

/** Creates an exchange of `movies.lists` in which each list has the given `list_type`. */
function listOf(type: Json): Exchange {
  const lists = exampleExchanges.find(({ name }) => name === "movies.lists/typical") as Exchange;
  const { results, ...rest } = lists.response.body as { results: object[] };
  const body = { ...rest, results: results.map((each) => ({ ...each, list_type: type })) };
  return { ...lists, response: { ...lists.response, body: body as Json } };
}

it("docs/findings.md documents every rule with its title and fix", () => {
  for (const [id, { title, fix }] of Object.entries(rules)) {
    const row = documented.find(([rule]) => rule === id) ?? [OTHERS, ...texts.get(OTHERS)!];
    const keyword = id.slice("schema/".length);
    const [, ...cells] = row[0] === id ? row : row.map((cell) => cell.replaceAll("…", keyword));
    expect([id, ...cells.slice(0, 2)]).toEqual([id, title, fix]);
  }
});

it("the gate reports every example finding in docs/findings.md", () => {
  const lent = { status: 201, body: { book: 1, until: "2026-01-31T12:00:00Z" } };
  const lend = { request: { method: "POST", path: "/loans" } };
  const removed = { request: { method: "DELETE", path: "/books/1", body: {} } };
  const headers = { "content-type": "application/json", etag: '"1"', "x-shelv": "1" };
  const refused = exampleExchanges.find(({ name }) => name === "account.details/invalid-key")!;
  const findings = [
    ...broken.flatMap(([, each]) => checkExchange(each, library)),
    ...exampleExchanges.flatMap((each) => checkExchange(each, description)),
    ...checkExchange({ ...refused, expectedOutcome: "success" }, description),
    ...checkExchange({ ...listOf("movie"), operation: "movies.latest" }, description),
    ...one({ enum: ["a"] }, "b"),
    ...one({ type: "object", properties: { a: false } }, { a: 1 }),
    ...one({ oneOf: [{ type: "string" }, { type: "null" }] }, "a"),
    ...checkExchange(listOf("banana"), description),
    ...checkExchange(exchange("POST", "/loans", lent, lend), library),
    ...checkExchange(exchange("DELETE", "/books/1", { status: 204, body: "gone" }), library),
    ...checkExchange(exchange("DELETE", "/books/1", { status: 204 }, removed), library),
    ...checkExchange(exchange("GET", "/books/1", { headers, body: {} }), library),
  ];
  const examples = findings.map(
    ({ rule, pointer, expected, value }) =>
      `${rule} ${pointer || "/"}: expected ${expected}, got ${value}`,
  );
  for (const [rule, , , example] of documented)
    if (rule !== OTHERS) expect(examples).toContain(`${rule} ${example?.replaceAll("\\|", "|")}`);
});

it("the code example in docs/configuration.md prints what its comment says", async () => {
  const docs = readFileSync(join(root, "docs/configuration.md"), "utf8");
  const [, code = "", printed] = /```js\n([^]+?)\/\/ (\[.+)\n```/.exec(docs) ?? [];
  const folder = await scratchFolder();
  const module = join(root, "src/contract/index.js");
  writeFileSync(join(folder, "example.mjs"), code.replace("media-catalogue/contract", module));
  const log = vi.spyOn(console, "log").mockReturnValue();
  await import(join(folder, "example.mjs"));
  expect(inspect(log.mock.lastCall?.[0])).toBe(printed);
  log.mockRestore();
});

it("a violation is an error, an undeclared finding is a warning or (if configured) an error, and an unspecified finding is a note", () => {
  const severities = (undeclared: "error" | "warning") =>
    (["violation", "undeclared", "unspecified"] as const).map((each) =>
      severityOf(each, undeclared),
    );
  expect(severities("error")).toEqual(["error", "error", "note"]);
  expect(severities("warning")).toEqual(["error", "warning", "note"]);
});

it("findings about different undocumented endpoints have different fingerprints, which do not depend on ids in the paths", () => {
  const findingOf = (path: string) =>
    checkExchange(exchange("GET", path, { body: {} }), description)[0]!;
  const paths = ["/3/shelf/550", "/3/shelf/tt0137523", "/3/shop/open", "/3/shop/closed"];
  const prints = paths.map((path) => findingOf(path).fingerprint);
  expect(prints[0]).toBe(prints[1]);
  expect(new Set(prints).size).toBe(3);
});

it("the gate shows a segment of an undocumented path only if the segment is a word", () => {
  const paths = ["1ce82ec1223641636ad4a60b07de3581", "gs-9f8e7d6c5b4a", "Ab12"].map(
    (secret) => `/3/shelf/${secret}/rated/books`,
  );
  const actual = paths.map(
    (path) => checkExchange(exchange("GET", path, { body: {} }), description)[0]?.value,
  );
  expect(new Set(actual)).toEqual(new Set(["/3/shelf/*/rated/books"]));
});

it("a finding shows a number that is too large for JavaScript as Infinity", () => {
  const schema = { type: "object", properties: { id: { type: "integer" } } };
  const body = { id: Number("1e400") };
  expect(checkExchange(exchange("GET", "/one", { body }), createDescription(schema))).toMatchObject(
    [{ rule: "schema/type", value: "Infinity" }],
  );
});

it("the gate shows a value only if its type is declared and the value is not sensitive", () => {
  const found = (name: string, change: object) => {
    const each = exampleExchanges.find((recorded) => recorded.name === name)!;
    const body = { ...(each.response.body as object), ...change } as Json;
    const findings = checkExchange({ ...each, response: { ...each.response, body } }, description);
    return Object.fromEntries(findings.map(({ pointer, value }) => [pointer, value]));
  };
  const secret = "opaque-value-31415926";
  const change = { expires_at: "soon", success: 1, request_token: 2, [secret]: { [secret]: 1 } };
  expect(found("authentication.createRequestToken/typical", { ...change, note: secret })).toEqual({
    "/expires_at": '"soon"',
    "/success": "1",
    "/request_token": "a number",
    "/(21 characters, #9b60)": "an object with `(21 characters)`",
    "/note": "a string of 21 characters",
  });
  const unspecified = {
    production_companies: [secret],
    genres: [{ id: 1, name: secret, more: 1 }],
  };
  expect(found("movies.latest/typical", unspecified)).toMatchObject({
    "/production_companies/0": "a string of 21 characters",
    "/genres/0/more": "a number",
  });
  const avatar = { gravatar: { hash: null }, tmdb: { avatar_path: secret } };
  expect(found("account.details/typical", { avatar, id: secret, name: [secret] })).toEqual({
    "/avatar/gravatar/hash": "null",
    "/avatar/tmdb/avatar_path": "a string of 21 characters",
    "/id": "a string of 21 characters",
    "/name": "an array of 1 item",
  });
  const shown = { value: '"b"', occurrences: [{ actual: '"b"' }] };
  expect(one({ enum: ["a"] }, "b")).toMatchObject([shown]);
  expect(one({ enum: [1] }, "b")[0]?.value).toBe("a string of 1 character");
  const known = { type: "string", "x-known-values": ["a"], "x-sensitive": true };
  const sensitive = checkExchange(
    exchange("GET", "/one", { body: secret }),
    createDescription(known),
  );
  expect(sensitive.map(({ value }) => value)).toEqual(["a string of 21 characters"]);
  expect([formatValue({}, true), formatValue({ a: 1 }, true)]).toEqual([
    "an empty object",
    "an object with `a`",
  ]);
  const long = { homepage: `${"long ".repeat(99)}`, poster_path: `${"long ".repeat(99)}` };
  const { "/poster_path": path = "" } = found("movies.latest/typical", long);
  expect([path.length, path.at(-1)]).toEqual([80, "…"]);
});

it("the gate shows an undeclared key only if the key is a plain identifier of up to 40 characters", () => {
  for (const key of ["iso_3166_1", "_a__b_", "a".repeat(40)]) expect(maskKey(key)).toBe(key);
  for (const key of ["a".repeat(41), "a1", "1", "a-b", "a_12345", "Jane Doe", ""])
    expect(maskKey(key)).toBe(`(${key.length} ${key.length === 1 ? "character" : "characters"})`);
});

it("the gate never splits a surrogate pair when it shortens a long string", () => {
  for (const start of ["", "x"]) {
    const text = `${start}${"\u{1F3AC} ".repeat(99)}`;
    for (const shown of [
      formatValue(text, true),
      formatNames([text]),
      formatValue(`${"x".repeat(99)}${text}`, true),
    ]) {
      expect(shown).not.toMatch(/\p{Cs}|\\ud8/u);
      expect(shown.length).toBeLessThanOrEqual(80);
    }
  }
});
