import { expect, it } from "vitest";
import { hideInText } from "../../../src/contract/record/scrub-text.js";
import { scrub, type RawExchange } from "../../../src/contract/record/scrub.js";
import { createSecrets } from "../../../src/contract/record/secrets.js";
import { short } from "../../../src/contract/engine/short.js";
import type { Json } from "../../../src/contract/engine/types.js";
import { recordings } from "../../support/recordings.js";
import { bodyPointer, responsePointer } from "../../support/responses.js";
import { validatorAt } from "../../support/validators.js";

const scrubbed = (body: Json, known: string[] = [], rest: Partial<RawExchange> = {}) => {
  const request = { method: "GET", path: "/3/movie/latest" };
  const response = { status: 200, headers: {}, body };
  return scrub({ operation: "movies.latest", request, response, ...rest }, createSecrets(known));
};

const bodyOf = (body: Json, ...known: string[]) => scrubbed(body, known).response.body;

it.each<[string, Json, Json]>([
  ["a token", { request_token: "xyz12345" }, { request_token: "scrubbed" }],
  ["an empty token", { request_token: "" }, { request_token: "" }],
  ["null", { session_id: null }, { session_id: null }],
  ["a number", { session_id: 12345 }, { session_id: 1 }],
  ["a fraction, which contradicts an integer", { session_id: 1.25 }, { session_id: 0.5 }],
  ["a boolean", { guest_session: true }, { guest_session: true }],
  ["40 hexadecimal digits", { session_id: "a1".repeat(20) }, { session_id: "0".repeat(40) }],
  [
    "a UUID",
    { api_key: "3f2b8c1d-9e4a-4f6b-8d7c-0a1b2c3d4e5f" },
    { api_key: "00000000-0000-0000-0000-000000000000" },
  ],
  ["a URL", { token: "https://a.example/x" }, { token: "https://scrubbed.example/" }],
  ["a list", { token: [["abc"], 7] }, { token: [["scrubbed"], 1] }],
  ["a list of names", { sessions: ["x"] }, { sessions: ["scrubbed"] }],
  [
    "a pair",
    [
      { name: "access_token", value: "opaque" },
      { key: "token", value: "opaque" },
      ["access_token", "0paque-1"],
    ],
    [
      { name: "access_token", value: "scrubbed" },
      { key: "token", value: "scrubbed" },
      ["access_token", "scrubbed"],
    ],
  ],
])("keeps the type and the form of %s", (_, body, expected) => {
  expect(bodyOf(body)).toEqual(expected);
});

it.each([
  ...["secret_key", "secretKey", "session_key", "token_value", "tokens", "token1", "password1"],
  ...["user_password_hash", "private_key", "PHPSESSID", "connect.sid", "sessid", "csrf", "bearer"],
  ...["authentication", "oauth", "passphrase", "encryption_key"],
])("takes %s for the name of a secret, in data, in texts and in findings", (name) => {
  expect(bodyOf({ [name]: "short" })).toEqual({ [name]: "scrubbed" });
  expect(hideInText(`x "${name}": "short"`, createSecrets([]))).toBe(`x "${name}": "scrubbed"`);
  expect(short("short", `/${name}`)).toBe("a string of 5 characters");
});

it.each([
  ["https://a.example/auth/session/Xy12Ab34Zd56", "https://a.example/auth/session/scrubbed"],
  ["https://a.example/authenticate/Xy12Ab34Zd56", "https://a.example/authenticate/scrubbed"],
  ["<access_token>s3cr3t</access_token>", "<access_token>scrubbed</access_token>"],
  ['<token value="s3cr3t"/>', '<token value="scrubbed"/>'],
  ["Invalid token Xy12Ab34Zd56", "Invalid token scrubbed"],
  ["Your API key is Xy12Ab34Zd56.", "Your API key is scrubbed"],
  ["token is 'Xy12Ab34Zd56'", "token is 'scrubbed'"],
  ["session_id Xy12Ab34Zd56 expired", "session_id scrubbed expired"],
  [
    "https://a.example/3/network/5?key=Xy1&page=2",
    "https://a.example/3/network/5?key=scrubbed&page=2",
  ],
  [`?v=${"a1".repeat(20)}`, `?v=${"0".repeat(40)}`],
])("finds the secret in %s", (text, expected) => {
  expect(bodyOf({ text })).toEqual({ text: expected });
});

it("finds a parameter of the query in the headers of the answer, be it short", () => {
  const request = { method: "GET", path: "/3/movie/latest", query: { key: "fr-CA", page: 2 } };
  const headers = {
    "content-language": "fr-CA",
    etag: 'W/"fr-CA"',
    link: "<?key=fr-CA>",
    vary: "2",
  };
  const response = { status: 200, headers, body: {} };
  expect(scrubbed({}, [], { request, response })).toMatchObject({
    request: { query: { key: "scrubbed", page: 2 } },
    response: {
      headers: {
        "content-language": "scrubbed",
        etag: "scrubbed",
        link: "<?key=scrubbed>",
        vary: "2",
      },
    },
  });
});

it.each<[string, Json]>([
  [
    "titles that begin as a header or a form does",
    [
      ...["Basic Instinct", "Bearer McDonalds", "Bearer recordings", "The Secret: Response"],
      ...["Top Secret: Operation Mincemeat", "Password: Spider-Man-2049", "Session: 1980s-style"],
      ["Secret", "Response"],
    ],
  ],
  ["counts, kinds and dates", { tokens: 5, token_type: "x", token_expires_at: "2026-01-15 18:30" }],
  ["who wrote it", { author: "x", authenticated: "yes", hashtags: ["x"] }],
  ["when a token expires", { expires_at: "2026-01-15 18:30:00 UTC" }],
  ["words about tokens", { status_message: "This bearer token is unknown. Session denied." }],
  ["words after a scheme", { status_message: "Use bearer authentication, not basic credentials." }],
  ["the key of a change", { changes: [{ key: "release_dates", code: "x" }] }],
  ["image paths", { logo_path: "/9VYK7oxcqhjd5LAH6ZFJ3XzOlID.jpg" }],
  ["an address", { homepage: "https://catalogue.example/movie?page=2&language=en-US#top" }],
  ["a text that looks like JSON", { name: "[REC]", title: '{"a": 1}', other: '"quoted"' }],
])("leaves %s as it is", (_, body) => {
  expect(bodyOf(body)).toEqual(body);
});

it("finds the half of a long token that a service quotes", () => {
  const token = "opaque-value-of-more-than-32-letters";
  expect(bodyOf({ title: `unknown: ${token.slice(0, 18)}...` }, token)).toEqual({
    title: "unknown: scrubbed...",
  });
});

it("leaves a short token alone in texts: it would be found by chance", () => {
  expect(bodyOf({ title: "any title" }, "any")).toEqual({ title: "any title" });
});

it("keeps the address of the approval step a URL, and finds the token of it elsewhere", () => {
  const token = "opaque-value-31415926";
  const headers = { "authentication-callback": `https://a.example/authenticate/${token}` };
  const body = { title: `a.example ${token}` };
  const { response } = scrubbed({}, [], { response: { status: 200, headers, body } });
  expect(response).toMatchObject({
    headers: { "authentication-callback": "https://scrubbed.example/" },
    body: { title: "a.example scrubbed" },
  });
});

it("leaves nothing personal in the details of an account, and its id in no path", () => {
  const account = {
    avatar: {
      gravatar: { hash: "c9e9fc152ee756a900db85757c29815d" },
      tmdb: { avatar_path: "/a.png" },
    },
    id: 548,
    iso_639_1: "en",
    iso_3166_1: "CA",
    name: "Jane Doe",
    include_adult: true,
    username: "jane",
    email: "jane@mail.example",
  };
  const request = { method: "GET", path: "/3/account/548" };
  const response = { status: 200, headers: {}, body: account };
  expect(scrubbed({}, [], { operation: "account.details", request, response })).toMatchObject({
    request: { path: "/3/account/1" },
    response: {
      body: {
        avatar: { gravatar: { hash: "0".repeat(32) }, tmdb: { avatar_path: "/scrubbed" } },
        id: 1,
        iso_639_1: "en",
        iso_3166_1: "CA",
        name: "scrubbed",
        include_adult: true,
        username: "scrubbed",
        email: "scrubbed",
      },
    },
  });
});

it("changes no verdict: every recording of the repository satisfies its schema as before", () => {
  for (const recording of recordings) {
    const { name, operation, request, response } = recording;
    const clean = scrub({ operation, request, response } as RawExchange, createSecrets([]));
    const validate = validatorAt(bodyPointer(responsePointer(operation, response.status)));
    expect(validate(clean.response.body), name).toBe(validate(response.body));
    if (!/^(authentication|account\.details)/.test(operation)) {
      expect(clean.response.body, name).toEqual(response.body);
    }
  }
});

it("hides a secret in a text that is JSON deeper than the stack", () => {
  const deep = (inner: string) => "[".repeat(20_000) + JSON.stringify(inner) + "]".repeat(20_000);
  const { x } = bodyOf({ x: deep("canary-4f1d8c2b9e7a") }, "canary-4f1d8c2b9e7a") as { x: string };
  expect(x).toBe(deep("scrubbed"));
});
