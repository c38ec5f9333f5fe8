import { expect, it } from "vitest";
import { mutants } from "../../../scripts/prove/mutants.js";
import { checkBody } from "../../../src/contract/engine/body.js";
import { checkExchange } from "../../../src/contract/engine/check.js";
import { choosePlaceholder } from "../../../src/contract/record/placeholders.js";
import { redactBody } from "../../../src/contract/record/redact-body.js";
import { redactExchange } from "../../../src/contract/record/redact-exchange.js";
import { collectSecrets } from "../../../src/contract/record/run-secrets.js";
import type { CompleteExchange } from "../../../src/types/exchange.js";
import type { Json } from "../../../src/openapi/description.js";
import { description } from "../../../src/generated/description.js";
import { description as full } from "../../../src/generated/full-description.js";
import { createDescription, exampleExchanges, ONE } from "../engine/support.js";

const type = { "content-type": "application/json" };
const named = (name: string): CompleteExchange => {
  const { operation, request, response } = exampleExchanges.find((each) => each.name === name)!;
  return { operation, name, request, response } as CompleteExchange;
};
const WRITTEN = { success: true, status_code: 1, status_message: "Success." };
/** A request that shows that `movie` is sensitive. */
const favorite = named("account.favoriteTv/typical");
const favoriteMovie: CompleteExchange = {
  operation: "account.addFavorite",
  name: "favorite",
  request: {
    method: "POST",
    path: "/3/account/1/favorite",
    body: { media_type: "movie", media_id: 603, favorite: true },
  },
  response: { status: 200, headers: type, body: { success: true } },
};
/** Returns an account whose user name is a word. */
const account = (username: string): CompleteExchange => ({
  operation: "account.details",
  name: "account",
  request: { method: "GET", path: "/3/account/1" },
  response: { status: 200, headers: type, body: { username } },
});

/** Redacts an exchange, together with other exchanges that reveal sensitive values. */
function redact(exchange: CompleteExchange, ...others: CompleteExchange[]): CompleteExchange {
  const secrets = collectSecrets(["any-token-1"], [exchange, ...others]);
  return redactExchange(exchange, exchange.request, secrets)!;
}

const findingsOf = (exchange: CompleteExchange) =>
  [description, full].map((by) => {
    const locate = () => ({ file: "", line: 1, column: 1 });
    return checkExchange({ ...exchange, locate }, by)
      .map(({ fingerprint, occurrences }) => `${fingerprint} ${occurrences.length}`)
      .toSorted();
  });

it("the gate reports the same findings for a recording as for the response", () => {
  const others = [favoriteMovie, account("original"), account("language"), account("en")];
  let [index, count] = [0, 0];
  for (const each of exampleExchanges)
    for (const { exchange, operator, location } of mutants(each, description)) {
      const { operation = "", request, response } = exchange;
      index += 1;
      // Recordings contain only JSON bodies. There are too many mutants to check all of them.
      if (index % 199 > 0 || response.body === undefined || operation === "") continue;
      const raw = { operation, name: operator, request, response } as CompleteExchange;
      expect([operator, location, findingsOf(redact(raw, ...others))]).toEqual([
        operator,
        location,
        findingsOf(raw),
      ]);
      count += 1;
    }
  expect(count).toBeGreaterThan(40);
});

it("a recording keeps the name of a misspelled header, but not the value", () => {
  const token = named("authentication.createRequestToken/typical");
  const { "authentication-callback": callback = "", ...others } = token.response.headers;
  const headers = { ...others, "authentication-calback": callback, "x-token": callback };
  const raw = { ...token, response: { ...token.response, headers } };
  const recorded = redact(raw);
  expect(recorded.response.headers).toMatchObject({ "authentication-calback": "redacted" });
  expect(recorded.response.headers).not.toHaveProperty("x-token");
  expect(findingsOf(recorded)).toEqual(findingsOf(raw));
  expect(findingsOf(raw)).not.toEqual(findingsOf(token));
});

it("a media type stays documented, and its version number stays, but a recording contains no other parameter", () => {
  const latest = named("movies.latest/typical");
  const recorded = (header: string) =>
    redact({ ...latest, response: { ...latest.response, headers: { "content-type": header } } })
      .response.headers["content-type"];
  expect(
    [
      "application/json; version=3",
      "application/json;charset=UTF-8",
      "application/json, application/json",
      "application/problem+json; by=jane-doe",
      "any-token-1",
    ].map(recorded),
  ).toEqual([
    "application/json; version=3",
    "application/json; charset=UTF-8",
    "application/json, application/json",
    "application/problem+json; by=redacted",
    "redacted",
  ]);
});

it("a sensitive value that equals a constant of the description does not replace the constant", () => {
  const search = named("search.multi/typical");
  const { body } = redact(search, favoriteMovie, favorite).response;
  const kinds = (value: unknown) =>
    (value as { results: { media_type: string }[] }).results.map((each) => each.media_type);
  expect(kinds(search.response.body)).toContain("movie");
  expect(kinds(body)).toEqual(kinds(search.response.body));
});

it("a value that an `enum` lists stays unchanged, even if it is sensitive elsewhere", () => {
  const properties = { kind: { enum: ["film", "concert"] }, title: { type: "string" } };
  const by = createDescription({ type: "object", properties });
  const body = { kind: "concert", title: "concert" };
  const subject = { description: by, schema: ONE, body };
  const redacted = redactBody(body, [subject], collectSecrets(["concert"], []));
  expect(redacted).toEqual({ kind: "concert", title: "redacted" });
});

it("a user name that is part of a property name does not change the property name", () => {
  const latest = named("movies.latest/typical");
  for (const username of ["original", "original_title"]) {
    const { body } = redact(latest, account(username)).response;
    expect(Object.keys(body as object)).toEqual(Object.keys(latest.response.body as object));
  }
  const trending = named("trending.people/typical");
  expect(redact(trending, account("trending")).request.path).toBe(trending.request.path);
});

it("a recording contains no sensitive letters in undeclared names or in the parameters of a media type", () => {
  const latest = named("movies.latest/typical");
  const name = "alicesmithson";
  const raw: CompleteExchange = {
    ...latest,
    response: {
      status: 200,
      headers: { "content-type": `application/json; charset=${name}; ${name}=1` },
      body: { title: "A", [`${name}_settings`]: { [`for_${name}`]: 1, original_settings: 2 } },
    },
  };
  const recorded = redact(raw, account(name), account("original"));
  expect(JSON.stringify(recorded)).not.toContain(name);
  expect(recorded.response.headers).toEqual({
    "content-type": "application/json; charset=redacted",
  });
  expect(recorded.response.body).toEqual({
    title: "A",
    "key-2": { "key-1": 1, original_settings: 1 },
  });
});

it("a placeholder matches the pattern of its place", () => {
  const token = named("authentication.createRequestToken/typical");
  const { body } = token.response as unknown as { body: { expires_at: string } };
  const { expires_at } = redact(token, account(body.expires_at)).response.body as typeof body;
  expect(expires_at).toBe("1111-11-11 11:11:11 UTC");
  expect(findingsOf(redact(token, account(body.expires_at)))).toEqual(findingsOf(token));
});

it("a recording does not show which title is a favorite or on the watchlist", () => {
  const bodies = [true, false].map((is) => {
    const body = { id: 701, favorite: is, watchlist: is, rated: { value: 8.5 }, hidden: is };
    const raw: CompleteExchange = {
      operation: "movies.accountStates",
      name: "states",
      request: { method: "GET", path: "/3/movie/701/account_states" },
      response: { status: 200, headers: type, body },
    };
    expect(findingsOf(redact(raw))).toEqual(findingsOf(raw));
    return redact(raw).response.body;
  });
  const rated = { value: 0.5 };
  const body = { id: 701, favorite: false, watchlist: false, rated, hidden: false };
  expect(bodies).toEqual([body, body]);
});

it.each<[operation: string, body: Json, recorded: Json]>([
  ["movies.addRating", { value: 8.5 }, { value: 0.5 }],
  ["movies.addRating", { value: 11 }, { value: 12 }],
  [
    "account.addFavorite",
    { media_type: "tv", media_id: 901, favorite: true },
    { media_type: "tv", media_id: 901, favorite: false },
  ],
  [
    "account.addToWatchlist",
    { media_type: "tv", media_id: 901, watchlist: true },
    { media_type: "tv", media_id: 901, watchlist: false },
  ],
])("a recording of %s with %o contains %o", (operation, sent, recorded) => {
  const { method, path } = full.operations.find(({ id }) => id === operation)!;
  const raw: CompleteExchange = {
    operation,
    name: "write",
    request: { method, path: path.replace(/\{.*?\}/, "1"), body: sent },
    response: { status: 201, headers: type, body: WRITTEN },
  };
  expect(redact(raw).request.body).toEqual(recorded);
  expect(findingsOf(redact(raw))).toEqual(findingsOf(raw));
});

it("a recording contains neither the names nor the descriptions of a user's lists", () => {
  const list = { id: 401, favorite_count: 3, item_count: 2, iso_639_1: "en", poster_path: null };
  const mine = { ...list, name: "For Jo", description: "Jo's birthday" };
  const paging = { page: 1, total_pages: 1, total_results: 1 };
  const raw: CompleteExchange = {
    operation: "account.lists",
    name: "lists",
    request: { method: "GET", path: "/3/account/1/lists" },
    response: { status: 200, headers: type, body: { ...paging, results: [mine] } },
  };
  const results = [{ ...list, name: "redacted", description: "redacted" }];
  expect(redact(raw).response.body).toEqual({ ...paging, results });
  expect(findingsOf(redact(raw))).toEqual(findingsOf(raw));
});

it("a placeholder keeps a Boolean that breaks a constant, and null, whose type has no other value", () => {
  expect(choosePlaceholder(true, [{ const: false }])).toBe(true);
  expect(choosePlaceholder(false, [{ const: true }])).toBe(false);
  expect(choosePlaceholder(true, [{ const: true }])).toBe(true);
  expect(choosePlaceholder(null, [{ type: "null" }])).toBe(null);
});

it.each([
  ["5e8f1a2b3c4d5e6f7a8b9c0d", { pattern: "^[0-9a-f]{24}$" }],
  ["2026-11-25T10:20:30Z", { pattern: "^20\\d\\d-(0[1-9]|1[0-2])-" }],
  ["sess_Ab12", { pattern: "^sess_[A-Za-z0-9]{4}$" }],
  ["3f2b8c1d-9e4a-4f6b-8d7c-0a1b2c3d4e5f", { pattern: "-4[0-9a-f]{3}-[89ab]" }],
  ["secret", { pattern: "^.{6}$" }],
  ["public", { enum: ["private", "public"] }],
])("the placeholder for %s matches %o", (value, schema) => {
  const placeholder = String(choosePlaceholder(value, [schema]));
  const { pattern = "", enum: values } = schema as { pattern?: string; enum?: string[] };
  expect(placeholder).toMatch(new RegExp(pattern, "u"));
  if (values) expect(values).toContain(placeholder);
  else expect(placeholder).not.toBe(value);
});

it.each([
  ["soon", { pattern: "^[0-9a-f]{24}$" }],
  ["2026-13-45", { format: "date" }],
  ["hidden", { enum: ["private", "public"] }],
  ["long secret", { maxLength: 5 }],
  [50, { multipleOf: 7 }],
])("the placeholder for %s breaks %o, as the value does", (value, schema) => {
  const body = { a: value };
  const by = createDescription({ properties: { a: schema } });
  const subject = { description: by, schema: ONE, body: { a: choosePlaceholder(value, [schema]) } };
  expect(checkBody(subject).map(({ rule }) => rule)).toEqual(
    checkBody({ ...subject, body }).map(({ rule }) => rule),
  );
  expect(checkBody(subject)).toHaveLength(1);
});

it.each([
  [7, { minimum: 5 }],
  [50, { multipleOf: 10, minimum: 20 }],
  [7.5, { exclusiveMaximum: 10, minimum: 7 }],
  [-3, { maximum: -2 }],
])("the placeholder for %s satisfies %o", (value, schema) => {
  const limits = { minimum: -Infinity, exclusiveMaximum: Infinity, multipleOf: 0.5, ...schema };
  const placeholder = Number(choosePlaceholder(value, [schema]));
  expect(placeholder).toBeGreaterThanOrEqual(limits.minimum);
  expect(placeholder).toBeLessThan(limits.exclusiveMaximum);
  expect(placeholder % limits.multipleOf).toBeCloseTo(0);
  expect(Number.isInteger(placeholder)).toBe(Number.isInteger(value));
});
