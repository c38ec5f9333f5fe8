import { expect, it } from "vitest";
import { short } from "../../../src/contract/engine/short.js";
import type { Json } from "../../../src/contract/engine/types.js";
import { hidePersonal, scrub, type RawExchange } from "../../../src/contract/record/scrub.js";
import { collectSecrets, createSecrets, hideInText } from "../../../src/contract/secrets.js";
import { recordings } from "../../support/recordings.js";
import { bodyPointer, responsePointer } from "../../support/responses.js";
import { validatorAt } from "../../support/validators.js";

/** Scrubs an exchange with its own secrets and those that are known; undeclared values stay. */
function scrubbed(rest: Partial<RawExchange>, known: string[] = [], keepUndeclared = true) {
  const request = { method: "GET", path: "/3/movie/latest" };
  const response = { status: 200, headers: {}, body: {} };
  const exchange = { operation: "movies.latest", request, response, ...rest };
  const secrets = createSecrets(known);
  collectSecrets(exchange, secrets, true);
  return scrub(exchange, { secrets, keepUndeclared });
}

const bodyOf = (body: Json, ...known: string[]) =>
  scrubbed({ response: { status: 200, headers: {}, body } }, known).response.body;

it.each<[string, Json, Json]>([
  ["a token", { request_token: "xyz12345" }, { request_token: "scrubbed" }],
  ["an empty token", { request_token: "" }, { request_token: "" }],
  ["null", { session_id: null }, { session_id: null }],
  ["a number", { session_id: 12345 }, { session_id: 1 }],
  ["a fraction", { session_id: 1.25 }, { session_id: 0.5 }],
  ["a boolean", { guest_session: true }, { guest_session: true }],
  ["40 hexadecimal digits", { session_id: "a1".repeat(20) }, { session_id: "0".repeat(40) }],
  ["a URL", { token: "https://a.example/x" }, { token: "https://scrubbed.example/" }],
  ["a list", { token: [["abc"], 7] }, { token: [["scrubbed"], 1] }],
  [
    "pairs",
    [{ name: "access_token", value: "opaque" }, ["access_token", "0paque-1"]],
    [{ name: "access_token", value: "scrubbed" }, ["access_token", "scrubbed"]],
  ],
  ["a map", { tokens: { Xy12Ab34: 1, Zz12Ab34: 2 } }, { tokens: { "key-1": 1, "key-2": 1 } }],
])("keeps type and form of %s with the name of a secret", (_, body, expected) => {
  expect(bodyOf(body)).toEqual(expected);
});

it.each([
  ...["secret_key", "secretKey", "session_key", "token_value", "tokens", "token1", "password1"],
  ...["user_password_hash", "private_key", "PHPSESSID", "connect.sid", "sessid", "csrf", "bearer"],
  ...["authentication", "oauth", "passphrase", "encryption_key"],
])("recognizes %s as the name of a secret in data, texts and findings", (name) => {
  expect(bodyOf({ [name]: "short" })).toEqual({ [name]: "scrubbed" });
  expect(hideInText(`x "${name}": "short"`, createSecrets([]))).toBe(`x "${name}": "scrubbed"`);
  expect(short("short", `/${name}`)).toBe("a string of 5 characters");
});

it.each([
  ["https://a.example/auth/session/Xy12Ab34Zd56", "https://a.example/auth/session/scrubbed"],
  ["<access_token>s3cr3t</access_token>", "<access_token>scrubbed</access_token>"],
  ['<token value="s3cr3t"/>', '<token value="scrubbed"/>'],
  ["Your API key is Xy12Ab34Zd56.", "Your API key is scrubbed"],
  ["session_id Xy12Ab34Zd56 expired", "session_id scrubbed expired"],
  ["https://a.example/x?key=Xy1&page=2", "https://a.example/x?key=scrubbed&page=2"],
  [`?v=${"a1".repeat(20)}`, `?v=${"0".repeat(40)}`],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln x", "scrubbed x"],
  ["Bearer Xy12Ab34Zd56", "Bearer scrubbed"],
  ["(AKIAIOSFODNN7EXAMPLE)", "(scrubbed)"],
  ["ghp_16C7e42F292c6912E7710c838347Ae178B4a", "scrubbed"],
  ["github_pat_11AAAAAAA0abcdefghijkl_mnop", "scrubbed"],
  ["see sk_live_4eC39HqLyjWDarjtT1zdp7dc,", "see scrubbed,"],
  ["xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy", "scrubbed"],
  ["AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe", "scrubbed"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n-----END RSA PRIVATE KEY-----", "scrubbed"],
  ["Jane <jane.doe+x@mail.example.org>", "Jane <scrubbed@mail.example>"],
  ["jane%40mail.test", "scrubbed@mail.example"],
  ["from 203.0.113.7, 2001:db8::ff00:42:8329", "from 0.0.0.0, ::"],
  ["+1 (555) 010-9999 or 555-123-4567", "scrubbed or scrubbed"],
  ["Phone: 020 7946 0958", "Phone: scrubbed"],
  ["verification code is 482913.", "verification code is scrubbed."],
  ["Your code: 482913", "Your code: scrubbed"],
])("hides the secret or personal data in %j", (text, expected) => {
  expect(bodyOf({ overview: text, x: text })).toEqual({ overview: expected, x: expected });
});

it.each<[string, Json]>([
  [
    "titles that begin like a header or a form",
    [
      ...[
        "Basic Instinct",
        "Bearer McDonalds",
        "The Secret: Response",
        "Password: Spider-Man-2049",
      ],
      ...["Top Secret: Operation Mincemeat", "Session: 1980s-style", "Secret", "PIN Up", "9-1-1"],
    ],
  ],
  [
    "titles, dates, years, versions and counts",
    [
      ...["127 Hours", "2001: A Space Odyssey", "Apollo 13 (1995)", "10.000 BC", "1917-1945"],
      ...["2026-01-15 18:30:00", "12:30:45", "Version 1.2.3.4", "v10.0.0.1", "+1 more", "@home"],
      ...["1,000,000 views", "24/7", "978-3-16-148410-0", "S.W.A.T.", "tt0133093", "1::2nd"],
      ...["User-agent 86", "sk_SK", "Call 911", "There's no place like 127.0.0.1"],
    ],
  ],
  ["counts, types and dates of tokens", { tokens: 5, token_type: "x", token_expires_at: "2026" }],
  ["other words", { author: "x", authenticated: "yes", hashtags: ["x"] }],
  ["words about tokens", { status_message: "This bearer token is unknown. Session denied." }],
  ["the key of a change", { changes: [{ key: "release_dates", code: "x" }] }],
  ["image paths", { logo_path: "/9VYK7oxcqhjd5LAH6ZFJ3XzOlID.jpg" }],
  ["an address", { homepage: "https://catalogue.example/movie?page=2&language=en-US#top" }],
  ["a text that looks like JSON", { name: "[REC]", title: '{"a": 1}', other: '"quoted"' }],
])("leaves %s as they are", (_, body) => {
  expect(bodyOf(body)).toEqual(body);
});

it("finds the half of a long token that a service quotes, and no short one", () => {
  const token = "opaque-value-of-more-than-32-letters";
  const title = `unknown: ${token.slice(0, 18)}...`;
  expect(bodyOf({ title }, token)).toEqual({ title: "unknown: scrubbed..." });
  expect(bodyOf({ title: "any title" }, "any")).toEqual({ title: "any title" });
});

it("replaces undeclared values by their type, and keys that are not names of fields", () => {
  const { response } = scrubbed(
    {
      operation: "certifications.movieList",
      response: {
        status: 200,
        headers: {},
        body: {
          certifications: { US: [], "jane-4711": [{ order: 1, username: "jane" }] },
          by_user: { jane4711: "x", Xy12Ab34: "y", vote_average: 7.5 },
        },
      },
    },
    [],
    false,
  );
  expect(response.body).toEqual({
    certifications: { US: [], key: [{ order: 1, username: "scrubbed" }] },
    by_user: { key: "placeholder", "key-2": "placeholder", vote_average: 0.5 },
  });
});

it("satisfies pattern and format with every replacement", () => {
  const token = "opaque-value-31415926";
  const coded = btoa(`::${token}`);
  const entry = { link: `https://a.test/${coded}`, flatrate: [{ logo_path: `/${coded}` }] };
  const headers = { "authentication-callback": `https://a.example/authenticate/${token}` };
  const { response } = scrubbed({
    operation: "movies.watchProviders",
    response: { status: 200, headers, body: { id: 1, results: { US: entry } } },
  });
  expect(response).toMatchObject({
    headers: { "authentication-callback": "https://scrubbed.example/" },
    body: {
      results: {
        US: { link: "https://scrubbed.example/", flatrate: [{ logo_path: "/scrubbed" }] },
      },
    },
  });
});

it("satisfies the pattern of time zones with a replacement", () => {
  const body = [{ iso_3166_1: "AD", zones: [`Europe/${btoa("opaque-value-31415926")}`] }];
  const response = { status: 200, headers: {}, body };
  const rest = { operation: "configuration.timezones", response };
  expect(scrubbed(rest, ["opaque-value-31415926"]).response.body).toEqual([
    { iso_3166_1: "AD", zones: ["scrubbed/scrubbed"] },
  ]);
});

it("replaces values of the environment in a request, even short ones", () => {
  const path = "/3/tv/1396/season/4/episode/3/images";
  const request = { method: "GET", path, query: { page: 3, language: "en" } };
  const exchange = { operation: "tvEpisodes.images", request };
  const response = { status: 200, headers: {}, body: {} };
  const secrets = createSecrets([]);
  expect(scrub({ ...exchange, response }, { secrets, given: ["3", "4"] }).request).toMatchObject({
    path: "/3/tv/1396/season/1/episode/1/images",
    query: { page: 1, language: "en" },
  });
});

it("leaves nothing personal in account details, and the id in no path", () => {
  const account = {
    avatar: { gravatar: { hash: "c9e9fc152ee756a9" }, tmdb: { avatar_path: "/a.png" } },
    ...{ id: 548, iso_639_1: "en", iso_3166_1: "CA", include_adult: true },
    ...{ name: "Jane Doe", username: "jane", email: "jane@mail.example" },
  };
  const request = { method: "GET", path: "/3/account/548" };
  const response = { status: 200, headers: {}, body: account };
  expect(scrubbed({ operation: "account.details", request, response })).toMatchObject({
    request: { path: "/3/account/1" },
    response: {
      body: {
        avatar: { gravatar: { hash: "0".repeat(16) }, tmdb: { avatar_path: "/scrubbed" } },
        ...{ id: 1, iso_639_1: "en", iso_3166_1: "CA", include_adult: true },
        ...{ name: "scrubbed", username: "scrubbed", email: "scrubbed" },
      },
    },
  });
});

it.each([true, false])("changes no verdict and no declared value (undeclared: %s)", (keep) => {
  for (const recording of recordings) {
    const { name, operation, request, response } = recording;
    const exchange = { operation, request, response } as RawExchange;
    const clean = scrub(exchange, { secrets: createSecrets([]), keepUndeclared: keep });
    const validate = validatorAt(bodyPointer(responsePointer(operation, response.status)));
    expect(validate(clean.response.body), name).toBe(validate(response.body));
    if (keep && !/^(authentication|account\.details)/.test(operation))
      expect(clean.response.body, name).toEqual(response.body);
  }
});

it("hides a secret in a text that is JSON deeper than the stack", () => {
  const deep = (inner: string) => "[".repeat(20_000) + JSON.stringify(inner) + "]".repeat(20_000);
  const body = bodyOf({ x: deep("canary-4f1d8c2b9e7a") }, "canary-4f1d8c2b9e7a");
  expect(body).toEqual({ x: deep("scrubbed") });
});

it("searches a long text without backtracking", () => {
  const long = "+1 555 a.b.c.d. 1:2:3 user user-name pin auth ".repeat(2000);
  expect(hidePersonal(long)).toBe(long);
  const body = { [`${"a".repeat(39)}!`]: 1 };
  expect(
    scrubbed({ response: { status: 200, headers: {}, body } }, [], false).response.body,
  ).toEqual({
    key: 0,
  });
});
