import { expect, it } from "vitest";
import { short } from "../../../src/contract/engine/short.js";
import type { Json } from "../../../src/contract/engine/types.js";
import { hidePersonal, scrub, type RawExchange } from "../../../src/contract/record/scrub.js";
import { collectSecrets, createSecrets, hideInText } from "../../../src/contract/secrets.js";
import { recordings } from "../../support/recordings.js";
import { bodyPointer, responsePointer } from "../../support/responses.js";
import { validatorAt } from "../../support/validators.js";

/** Scrubs a response with its own secrets and those that are known. */
function scrubbed(operation: string, body: Json, known: string[] = [], keepUndeclared = true) {
  const request = { method: "GET", path: "/3/movie/latest" };
  const exchange = { operation, request, response: { status: 200, headers: {}, body } };
  const secrets = createSecrets(known);
  collectSecrets(exchange, secrets, true);
  return scrub(exchange, { secrets, keepUndeclared }).response.body;
}

it.each<[string, Json, Json]>([
  ["a token", { request_token: "xyz12345" }, { request_token: "scrubbed" }],
  ["an empty token", { request_token: "" }, { request_token: "" }],
  ["null", { session_id: null }, { session_id: null }],
  ["a number", { session_id: 12345 }, { session_id: 1 }],
  ["40 hexadecimal digits", { session_id: "a1".repeat(20) }, { session_id: "0".repeat(40) }],
  ["a URL", { token: "https://a.example/x" }, { token: "https://scrubbed.example/" }],
  ["a text", { by: { username: "jane" } }, { by: { username: "scrubbed" } }],
  ["a list", { token: [["abc"], 0.7] }, { token: [["scrubbed"], 0.5] }],
  ["a map", { tokens: { correct: 1, Zz12Ab34: 2 } }, { tokens: { "key-1": 1, "key-2": 1 } }],
  [
    "a pair",
    { name: "access_token", value: "opaque" },
    { name: "access_token", value: "scrubbed" },
  ],
])(
  "keeps the type and form of %s whose name marks it as secret or personal",
  (_, body, expected) => {
    expect(scrubbed("movies.latest", body)).toEqual(expected);
  },
);

it.each(["secretKey", "session_key", "token1", "user_password_hash", "PHPSESSID", "connect.sid"])(
  "recognizes %s as the name of a secret in data, texts and findings",
  (name) => {
    expect(scrubbed("movies.latest", { [name]: "short" })).toEqual({ [name]: "scrubbed" });
    expect(hideInText(`x "${name}": "short"`, createSecrets([]))).toBe(`x "${name}": "scrubbed"`);
    expect(short("short", `/${name}`)).toBe("a string of 5 characters");
  },
);

it.each([
  ["Your API key is Xy12Ab34Zd56.", "Your API key is scrubbed"],
  ["/guest_session/Xy12Ab34Zd56/rated", "/guest_session/scrubbed/rated"],
  ["https://a.example/x?key=Xy1&page=2", "https://a.example/x?key=scrubbed&page=2"],
  [`?v=${"a1".repeat(20)}`, `?v=${"0".repeat(40)}`],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln x", "scrubbed x"],
  ["Bearer Xy12Ab34Zd56", "Bearer scrubbed"],
  ["(AKIAIOSFODNN7EXAMPLE)", "(scrubbed)"],
  ["ghp_16C7e42F292c6912E7710c838347Ae178B4a", "scrubbed"],
  ["see sk_live_4eC39HqLyjWDarjtT1zdp7dc,", "see scrubbed,"],
  ["xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy", "scrubbed"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n-----END RSA PRIVATE KEY-----", "scrubbed"],
  ["Jane <jane.doe+x@mail.example.org>", "Jane <scrubbed>"],
  ["from 203.0.113.7, 2001:db8::ff00:42:8329", "from scrubbed, scrubbed"],
  ["+1 (555) 010-9999, 555-123-4567, Phone: 020 7946 0958", "scrubbed, scrubbed, Phone: scrubbed"],
  ["verification code is 482913.", "verification code is scrubbed."],
])("hides the secret or personal data in %j", (text, expected) => {
  expect(scrubbed("movies.latest", { overview: text, x: text })).toEqual({
    overview: expected,
    x: expected,
  });
});

it("leaves titles, dates, years, versions and counts unchanged", () => {
  const body = {
    titles: [
      ...[
        "Basic Instinct",
        "Bearer McDonalds",
        "The Secret: Response",
        "Password: Spider-Man-2049",
      ],
      ...["Top Secret: Operation Mincemeat", "Session: 1980s-style", "PIN Up", "9-1-1", "[REC]"],
      ...["127 Hours", "2001: A Space Odyssey", "10.000 BC", "1917-1945", "2026-01-15 18:30:00"],
      ...["Version 1.2.3.4", "+1 more", "1,000,000 views", "978-3-16-148410-0", "1::2nd"],
    ],
    ...{ tokens: 5, token_type: "x", author: "x", hashtags: ["x"], key: "release_dates" },
    status_message: "This bearer token is unknown. Session denied.",
    logo_path: "/9VYK7oxcqhjd5LAH6ZFJ3XzOlID.jpg",
    homepage: "https://catalogue.example/movie?page=2&language=en-US#top",
  };
  expect(scrubbed("movies.latest", body)).toEqual(body);
});

it("replaces undeclared values with ones of the same type, and keys that are not field names", () => {
  const body = {
    certifications: { US: [], "jane-4711": [{ order: 1, alias: "jane" }] },
    by_user: { jane4711: "x", Xy12Ab34: 2.5, vote_average: 7, none: [true, null, ""] },
    [`${"a".repeat(39)}!`]: 1,
  };
  expect(scrubbed("certifications.movieList", body, [], false)).toEqual({
    certifications: { US: [], "key-2": [{ order: 1, alias: "placeholder" }] },
    by_user: { "key-1": "placeholder", "key-2": 0.5, vote_average: 1, none: [true, null, ""] },
    "key-3": 1,
  });
});

it("keeps a tag that selects no branch, unless it is a secret", () => {
  const [collection, secret] = [{ media_type: "collection" }, { media_type: "opaque-31415926" }];
  const body = { page: 1, results: [collection, secret, { media_type: { id: "Jane" } }] };
  const results = [collection, { media_type: "scrubbed" }, { media_type: { id: "placeholder" } }];
  expect(scrubbed("search.multi", body, ["opaque-31415926"], false)).toEqual({ page: 1, results });
});

it("replaces secrets with values that satisfy their patterns and formats", () => {
  const token = "opaque-value-31415926";
  const coded = btoa(`::${token}`);
  const entry = { link: `https://a.test/${coded}`, flatrate: [{ logo_path: `/${coded}` }] };
  const clean = { link: "https://scrubbed.example/", flatrate: [{ logo_path: "/scrubbed" }] };
  const providers = { id: 1, results: { US: entry } };
  expect(scrubbed("movies.watchProviders", providers, [token])).toMatchObject({
    results: { US: clean },
  });
  const zones = [{ iso_3166_1: "AD", zones: [`Europe/${coded}`] }];
  expect(scrubbed("configuration.timezones", zones, [token])).toEqual([
    { iso_3166_1: "AD", zones: ["scrubbed/scrubbed"] },
  ]);
});

it("leaves no personal data in account details", () => {
  const details = {
    avatar: { gravatar: { hash: "c9e9fc152ee756a9" }, tmdb: { avatar_path: "/a.png" } },
    ...{ id: 548, iso_639_1: "en", iso_3166_1: "CA", include_adult: true },
    ...{ name: "Jane Doe", username: "jane", email: "jane@mail.example" },
  };
  expect(scrubbed("account.details", details)).toMatchObject({
    avatar: { gravatar: { hash: "0".repeat(16) }, tmdb: { avatar_path: "/scrubbed" } },
    ...{ id: 1, iso_639_1: "en", iso_3166_1: "CA", include_adult: true },
    ...{ name: "scrubbed", username: "scrubbed", email: "scrubbed" },
  });
});

it.each([true, false])("changes no verdict and no declared value (undeclared: %s)", (keep) => {
  for (const { name, operation, request, response } of recordings) {
    const exchange = { operation, request, response } as RawExchange;
    const clean = scrub(exchange, { secrets: createSecrets([]), keepUndeclared: keep });
    const validate = validatorAt(bodyPointer(responsePointer(operation, response.status)));
    expect(validate(clean.response.body), name).toBe(validate(response.body));
    if (keep && !/^(authentication|account\.details)/.test(operation))
      expect(clean.response.body, name).toEqual(response.body);
  }
});

it("searches long and deeply nested texts", () => {
  const long = "+1 555 a.b.c.d. 1:2:3 user user-name pin auth ".repeat(2000);
  expect(hidePersonal(long)).toBe(long);
  const deep = (inner: string) => "[".repeat(20_000) + JSON.stringify(inner) + "]".repeat(20_000);
  const body = scrubbed("movies.latest", { x: deep("canary-4f1d8c2b9e7a") }, [
    "canary-4f1d8c2b9e7a",
  ]);
  expect(body).toEqual({ x: deep("scrubbed") });
});
