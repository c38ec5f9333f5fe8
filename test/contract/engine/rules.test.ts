import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { description } from "../../../src/generated/description.js";
import { checkExchange } from "../../../src/contract/engine/check.js";
import { rules, severityOf, type RuleId } from "../../../src/contract/engine/rules.js";
import type { Exchange, Json } from "../../../src/contract/engine/types.js";
import { root } from "../../support/paths.js";
import { broken, library } from "./corpus.js";
import { describing, exchange, fixture, own } from "./support.js";

const documented = [
  ...readFileSync(join(root, "docs/findings.md"), "utf8").matchAll(
    /^### `(.+?)`\n\n[^#]+?\*\*What to do\.\*\* /gm,
  ),
].map(([, id]) => id);

const one = (schema: Json, body: Json) =>
  checkExchange(exchange("GET", "/one", { body }), describing(schema));

/** The lists of a movie, all of one type. */
function listOf(type: Json): Exchange {
  const lists = own.find(({ name }) => name === "movies.lists/typical") as Exchange;
  const { results, ...rest } = lists.response.body as { results: object[] };
  const body = { ...rest, results: results.map((each) => ({ ...each, list_type: type })) };
  return { ...lists, response: { ...lists.response, body: body as Json } };
}

it("documents every rule, what it means and what to do, and no other", () => {
  expect(documented).toEqual(Object.keys(rules));
});

it("fires every documented rule", async () => {
  const payments = await fixture("payments.yaml");
  const loan = {
    request: { method: "POST", path: "/loans", body: { book: "1", until: "2026-01-31T12:00:00Z" } },
  };
  const lent = { status: 201, body: { book: 1, until: "2026-01-31T12:00:00Z" } };
  const charge = {
    headers: { "content-type": "application/json", "request-id": "req_1", "x-secret-sauce": "1" },
    body: {},
  };
  const findings = [
    ...broken.flatMap(([, each]) => checkExchange(each, library)),
    ...own.flatMap((each) => checkExchange(each, description)),
    ...checkExchange(
      own.find(({ name }) => name === "people.combinedCredits/typical") as Exchange,
      description,
    ),
    ...one({ type: "object", additionalProperties: false }, { a: 1 }),
    ...one(
      {
        anyOf: [{ minLength: 1 }, { maxLength: 0 }, { type: "string" }].slice(0, 2),
        type: "object",
      },
      [],
    ),
    ...one({ oneOf: [{ type: "string" }, { type: "string", minLength: 2 }] }, "abc"),
    ...one({ not: { const: 1 } }, 1),
    ...checkExchange(listOf("banana"), description),
    ...checkExchange(exchange("POST", "/loans", lent, loan), library),
    ...checkExchange(exchange("DELETE", "/books/1", { status: 204, body: "gone" }), library),
    ...checkExchange(
      {
        ...exchange("DELETE", "/books/1", { status: 204 }),
        request: { method: "DELETE", path: "/books/1", body: {} },
      },
      library,
    ),
    ...checkExchange(exchange("GET", "/v1/charges/ch_1", charge), payments),
  ];
  const fired = new Set(findings.map(({ rule }) => rule));
  expect(documented.filter((id) => !fired.has(id as RuleId))).toEqual([]);
  for (const { rule, fix, verdict } of findings) {
    expect({ fix, verdict }).toEqual({
      fix: rules[rule].fix,
      verdict: rules[rule].verdict,
    });
  }
});

it("finds a value that none of those is which occur, and no fault twice", () => {
  const found = (type: Json) =>
    checkExchange(listOf(type), description).map(({ rule, verdict, expected, actual }) =>
      [rule, verdict, expected, actual].join(" "),
    );
  expect(found("movie")).toEqual([]);
  expect(found("banana")).toEqual(['drift/value undeclared "movie" "banana"']);
  expect(found(5)).toEqual(["value/type violation string 5"]);
});

it("fails on a violation, on anything undeclared only if told to, and never on a gap", () => {
  const severities = (undeclared: "fail" | "warn") =>
    (["violation", "undeclared", "gap-observed"] as const).map((each) =>
      severityOf(each, undeclared),
    );
  expect(severities("fail")).toEqual(["fail", "fail", "note"]);
  expect(severities("warn")).toEqual(["fail", "warn", "note"]);
});

it("tells endpoints apart that are not described, but no ids in them", () => {
  const faultOf = (path: string) =>
    checkExchange(exchange("GET", path, { body: {} }), description)[0]!;
  const paths = ["/3/movie/550", "/3/movie/tt0137523", "/3/discover/tv", "/3/discover/movie"];
  const prints = paths.map((path) => faultOf(path).fingerprint);
  expect(prints[0]).toBe(prints[1]);
  expect(new Set(prints).size).toBe(3);
});

it("shows no secret of a path", () => {
  const secrets = ["1ce82ec1223641636ad4a60b07de3581", "gs-9f8e7d6c5b4a"];
  const shown = secrets.map((secret) => {
    const path = `/3/guest_session/${secret}/rated/movies`;
    return checkExchange(exchange("GET", path, { body: {} }), description)[0]?.actual;
  });
  expect(shown).toEqual(Array(2).fill("/3/guest_session/…/rated/movies"));
});

it("shows a number that is too large to be held", () => {
  const schema = { type: "object", properties: { id: { type: "integer" } } };
  const body = { id: Number("1e400") };
  expect(checkExchange(exchange("GET", "/one", { body }), describing(schema))).toMatchObject([
    { rule: "value/type", actual: "Infinity" },
  ]);
});

it("shows no secret, and nothing long, in a finding", () => {
  const secret = "abcdef0123456789abcdef0123456789abcdef01";
  const [at, details] = [
    "authentication.createRequestToken/typical",
    "account.details/typical",
  ].map((name) => own.find((each) => each.name === name) as Exchange);
  const bodies: [Exchange, object][] = [
    [at!, { expires_at: secret, request_token: [secret], session: secret }],
    [
      details!,
      {
        username: { [`${secret}${secret}`]: secret },
        note: `said ${secret}`,
        session_id: "short-one",
        id: `${"long ".repeat(99)}`,
      },
    ],
  ];
  for (const [each, change] of bodies) {
    const body = { ...(each.response.body as object), ...change } as Json;
    const findings = checkExchange({ ...each, response: { ...each.response, body } }, description);
    expect(findings.length).toBeGreaterThan(2);
    for (const { expected, actual } of findings) {
      expect(actual.replaceAll(/[^a-z0-9]/g, "")).not.toContain(secret.slice(0, 36));
      expect(actual).not.toContain("short-one");
      expect(Math.max(expected.length, actual.length)).toBeLessThanOrEqual(90);
    }
  }
});
