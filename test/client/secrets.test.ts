import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createRedactor } from "../../src/client/redact.js";
import {
  createCatalogue as createFull,
  type Catalogue as FullCatalogue,
} from "../../src/full/index.js";
import {
  InvalidJsonError,
  type ApiError,
  type Catalogue,
  type ConnectionError,
  type UntypedHttpClient,
} from "../../src/index.js";
import { expectNoSecret, tracesOf, UnreadableError } from "../support/canary.js";
import { clientOf, json, rejection, serve, skipPauses, TOKEN } from "../support/server.js";
import type { Responder } from "../support/server.js";

const bearer = `Bearer ${TOKEN}`;
const offline = { url: "https://catalogue.example" };

const LONG = "x".repeat(190) + TOKEN;
test.each<[name: string, status: number, body: unknown]>([
  ["the excerpt of an InvalidJsonError", 200, LONG],
  ["the excerpt of an ApiError", 403, LONG],
  ["a shortened message", 403, { status_message: LONG }],
])("the client redacts a token that would be cut off at the end of %s", async (_, status, body) => {
  const error = await rejection(clientOf(await serve(json(status, body))).movies.latest());
  expect(tracesOf(error)).toContain("[redacted]");
  expectNoSecret(error);
});

const quote = (text: string) => JSON.stringify(text).slice(1, -1);
const percent = encodeURIComponent;
const html = (text: string, write: (character: string) => string) =>
  text.replace(/[&<>"'/=]/g, write);
const codeOf = (character: string, base: number) => character.charCodeAt(0).toString(base);
const NAMES = new Map(
  [..."&<>\"'"].map((character, index) => [character, ["amp", "lt", "gt", "quot", "apos"][index]]),
);

test.each<[form: string, escape: (text: string) => string]>([
  ["for JSON", quote],
  ["for JSON twice", (text) => quote(quote(text))],
  ["for JSON three times", (text) => quote(quote(quote(text)))],
  ["for JSON, with slashes", (text) => quote(text).replaceAll("/", "\\/")],
  [
    "for JSON, with codes",
    (text) =>
      quote(text).replace(/[+&<>'\ud800-\udfff]/g, (it) => `\\u${codeOf(it, 16).padStart(4, "0")}`),
  ],
  [
    "for JSON, with codes in uppercase",
    (text) => quote(text).replace(/[+<>é]/g, (it) => `\\u00${codeOf(it, 16).toUpperCase()}`),
  ],
  ["for a URL", percent],
  ["for a URL, in lowercase", (text) => percent(text).replace(/%../g, (it) => it.toLowerCase())],
  ["for a URL twice", (text) => percent(percent(text))],
  ["for a URL three times", (text) => percent(percent(percent(text)))],
  ["for a URL, except for delimiters", encodeURI],
  ["as a form", (text) => String(new URLSearchParams({ "": text })).slice(1)],
  ["for HTML", (text) => html(text, (it) => (NAMES.has(it) ? `&${NAMES.get(it)};` : it))],
  ["for HTML, with codes", (text) => html(text, (it) => `&#0${codeOf(it, 10)};`)],
  ["for HTML, with hexadecimal codes", (text) => html(text, (it) => `&#x${codeOf(it, 16)};`)],
  [
    "for HTML, with codes in uppercase",
    (text) => html(text, (it) => `&#X0${codeOf(it, 16).toUpperCase()};`),
  ],
  [
    "for HTML twice",
    (text) =>
      html(
        html(text, (it) => `&#${codeOf(it, 10)};`),
        (it) => (it === "&" ? "&amp;" : it),
      ),
  ],
  ["for a URL in HTML", (text) => html(percent(text), (it) => `&#${codeOf(it, 10)};`)],
])("an error contains neither a token nor a session that is escaped %s", async (_, escape) => {
  const token = `aBc+"<def>/ghi\\\\==~!'()*&.canary`;
  const session = `canary's\\"é 😀 %2F & \\`;
  const text = `a\\/b%2Fc ${escape(token)} &amp; ${escape(session)} %`;
  const fetch = async () => new Response(text, { status: 400 });
  const { movies } = clientOf(offline, { token, fetch });
  const error = await rejection(movies.latest({ query: { session_id: session } }));
  expect((error as ApiError).body).toBe("a/b/c [redacted] & [redacted] %");
});

test.each<[how: string, password: string, escaped: string]>([
  ["for JSON in a URL", 'correct"horse', "correct%5C%22horse"],
  ["for HTML in a URL", "salt&pepper", "salt%26amp%3Bpepper"],
  ["for HTML in JSON", "salt&pepper", "salt\\u0026amp;pepper"],
  ["for JSON in JSON, with a code for the backslash", "salt&pepper", "salt\\u005cu0026pepper"],
  ["as a form in a form", "correct horse", "correct%2Bhorse"],
  ["for JSON, with a code for the backslash", "domain\\user1", "domain\\u005cuser1"],
  ["for JSON, in which `\\n` is not a line break", "domain\\nuser1", "domain\\\\nuser1"],
  ["for HTML, with a code for the backslash", "domain\\user1", "domain&#92;user1"],
  ["for JSON, with a tab and a line break", "with\ta\nbreak", "with\\ta\\nbreak"],
  ["for a URL, with codes for letters", "snake_case", "%73nake%5fcase"],
  ["for a URL in JSON in HTML", 'the "é" key', "the+%5C%26quot%3B%C3%A9%5C&#37;26quot;%20key"],
  ["for JSON, although it contains a percent-encoding", '25%25 "off"', '25%25 \\"off\\"'],
  [
    "for JSON, although decoding makes it shorter than eight characters",
    'x"y%25zzz',
    'x\\"y%25zzz',
  ],
  ["for a URL, with a byte order mark", "\ufeffpass-word", "%EF%BB%BFpass%2Dword"],
  ["for a URL once and twice", "p\u00e4ss-word", "p%25C3%A4ss-word"],
  [
    "for JSON three times, although it looks as if it were escaped three times",
    "%252525\\\\\\\\n-password",
    quote(quote(quote("%252525\\\\\\\\n-password"))),
  ],
])("an error does not contain a password that is escaped %s", async (_, password, escaped) => {
  const fetch = async () => new Response(`a%20b ${escaped}`, { status: 404 });
  const { authentication } = createFull({ baseUrl: offline.url, token: TOKEN, fetch });
  const body = { username: "a", password, request_token: "b" };
  const error = await rejection(authentication.validateWithLogin({ body }));
  expect(error).toMatchObject({ body: "a b [redacted]" });
});

test.each([
  ["a%20b first-secret &amp; second-secret \\n", "a%20b [redacted] &amp; [redacted] \\n"],
  [
    "first-secret, first-secret\\/and-more, and first%2Dsecret",
    "[redacted], [redacted], and [redacted]",
  ],
  ["first-secret/and-more%20b", "[redacted]%20b"],
  ["first-secret, first%2Dsecret, first%252Dsecret", "[redacted], [redacted], [redacted]"],
])(
  "the client redacts all secrets in the text %j, and decodes only text with an escaped secret",
  async (text, body) => {
    const fetch = async () => new Response(text, { status: 404 });
    const query = {
      session_id: "first-secret",
      api_key: "second-secret",
      password: "first-secret/and-more",
    };
    const failure = await rejection(clientOf(offline, { fetch }).movies.latest({ query }));
    expect(failure).toMatchObject({ body });
  },
);

// Symptom: 200 kB of percent-encoded Latin-1 took a second, most of it for exceptions.
test("the client decodes no invalid escape sequence, each of which would cost an exception", async () => {
  const invalid =
    "%e9%a9 %c0%80 %c1%bf %e0%9f%80 %ed%a0%80 %f0%8f%80%80 %f4%90%80%80 %f8%88%80%80%80 %c3 &#1114112; &#zz; &#; &AMP; \\N \\B \\U00e9 \\u12";
  const valid =
    "%c2%80 %DF%BF %e0%a0%80 %ed%9f%bf %ee%80%80 %f0%90%80%80 %F4%8f%bf%bf &#1114111; \\u00E9 &#X3c; %24";
  const decoded = "\u0080 \u07ff \u0800 \ud7ff \ue000 \u{10000} \u{10ffff} \u{10ffff} é < $";
  const calls = [
    vi.spyOn(globalThis, "decodeURIComponent"),
    vi.spyOn(JSON, "parse"),
    vi.spyOn(String, "fromCodePoint"),
  ];
  onTestFinished(() => void vi.restoreAllMocks());
  const redact = createRedactor([TOKEN]);
  expect(redact(`${invalid} ${valid} ${percent(TOKEN).replace("-", "%2d")}`)).toBe(
    `${invalid} ${decoded} [redacted]`,
  );
  const results = calls.flatMap(({ mock }) => mock.results);
  expect(results.length).toBeGreaterThan(10);
  expect(results.filter(({ type }) => type === "throw")).toEqual([]);
});

test("JSON in which a token is escaped stays JSON", async () => {
  const token = "canary/token+with=signs";
  const sent = JSON.stringify({ status_code: 34, status_message: `no "${token}"\n` });
  const fetch = async () => new Response(sent.replaceAll("/", "\\/"), { status: 404 });
  const { http, movies } = clientOf(offline, { token, fetch });
  const body = { status_code: 34, status_message: 'no "[redacted]"\n' };
  expect(await rejection(movies.latest())).toMatchObject({ serviceCode: 34, body });
  expect(await http.GET("/3/movie/latest")).toMatchObject({ error: body });
});

test("the client redacts a token that contains the syntax of JSON", async () => {
  const token = 'canary","and":"more';
  const fetch = async () => new Response(`{"sent":"${token}"}`, { status: 404 });
  const { http } = clientOf(offline, { token, fetch });
  expect(await http.GET("/3/movie/latest")).toMatchObject({ error: { sent: "[redacted]" } });
});

test("a call rejects with an ApiError even if the token is in JSON that is too deeply nested for JSON.stringify", async () => {
  const text = `${"[".repeat(1e5)}"${TOKEN}"${"]".repeat(1e5)}`;
  const error = await rejection(
    clientOf(await serve(json(404, text)), { retries: 0 }).movies.latest(),
  );
  expect(error).toMatchObject({ name: "ApiError", status: 404, body: expect.any(Array) });
});

test("no error contains a secret query parameter, even if its percent-encoding has lowercase hex digits", async () => {
  const echo: Responder = (response, { url = "" }) =>
    response.writeHead(404).end(url.replace(/%../g, (code) => code.toLowerCase()));
  const query = { session_id: "the canary's/session" };
  const error = await rejection(clientOf(await serve(echo)).movies.latest({ query }));
  expect(error).toMatchObject({ body: "/3/movie/latest?session_id=[redacted]" });
});

test("no error contains the token in the name or the value of a response header", async () => {
  const fetch = async () =>
    new Response("", { status: 404, headers: { [TOKEN]: "1", "x-a": "1", "x-b": bearer } });
  const error = (await rejection(clientOf(offline, { fetch }).movies.latest())) as ApiError;
  expect(Object.fromEntries(error.headers)).toMatchObject({
    "x-a": "1",
    "x-b": "Bearer [redacted]",
  });
  expectNoSecret(error);
});

test("the client completely redacts a token that starts with an earlier token", async () => {
  const tokens = ["canary-token", "canary-token-SECOND-HALF"];
  const echo: Responder = (response, { headers }) =>
    response.writeHead(404, { "content-type": "text/plain" }).end(headers.authorization);
  skipPauses();
  const server = await serve(json(503, {}), echo);
  const catalogue = clientOf(server, { token: () => tokens.shift()! });
  expect(await rejection(catalogue.movies.latest())).toMatchObject({ body: "Bearer [redacted]" });
});

test("the client redacts the token and a secret query parameter if middleware returns a response", async () => {
  const catalogue = clientOf(offline);
  const echo = `${TOKEN} and canary-session-id`;
  catalogue.http.use({ onRequest: () => new Response(echo, { status: 404 }) });
  const error = await rejection(
    catalogue.movies.latest({ query: { session_id: "canary-session-id" } }),
  );
  expect(error).toMatchObject({ status: 404, body: "[redacted] and [redacted]" });
});

test.each([
  ["Bearer canary-own-token", "Bearer [redacted]"],
  ["Basic canary+own/credentials==", "Basic [redacted]"],
  ["canary-without-scheme", "[redacted]"],
])("no error contains the authorization header %j that middleware sets", async (value, shown) => {
  const echoHeader: Responder = (response, { headers }) =>
    json(
      400,
      { status_message: headers.authorization },
      { "x-sent": headers.authorization! },
    )(response, {} as never);
  const catalogue = clientOf(await serve(echoHeader), { token: false });
  catalogue.http.use({ onRequest: ({ request }) => request.headers.set("authorization", value) });
  const error = (await rejection(catalogue.movies.latest())) as ApiError;
  expectNoSecret(error, value.split(" ").at(-1));
  expect(error.body).toEqual({ status_message: shown });
  expect(error.headers.get("x-sent")).toBe(shown);
});

test("the client decodes text that is not JSON only if it contains an escaped token", async () => {
  const token = "canary/token+with=signs";
  for (const [text, expected] of [
    ['{"a":"b\\n"', '{"a":"b\\n"'],
    ['{"a":"b\\t canary\\/token\\u002Bwith=signs"', '{"a":"b\t [redacted]"'],
    ["no canary+token+with=signs", "no canary+token+with=signs"],
  ] as const) {
    const server = await serve(json(404, text));
    const error = await rejection(clientOf(server, { token }).movies.latest());
    expect(error).toMatchObject({ body: expected });
  }
});

test("the client redacts a secret number in a JSON response", async () => {
  const server = await serve(
    json(404, { session: 123456789012, 123456789012: null, id: 603, rest: [-1.5e-3, true] }),
  );
  const { authentication, movies } = clientOf(server);
  const query = { session_id: 123456789012 };
  const body = { access_token: 123456789012 as never };
  for (const call of [
    () => movies.latest({ query }),
    () => authentication.convertV4Session({ body }),
  ]) {
    const rest = [-0.0015, true];
    const expected = { session: "[redacted]", "[redacted]": null, id: 603, rest };
    expect(await rejection(call())).toMatchObject({ body: expected });
  }
});

test("the client redacts a secret of eight characters, but not a shorter secret", async () => {
  const sent = ["sevenet", "eightlet", "session_id=sevenet&api_key=eightlet"];
  const query = { session_id: "sevenet", api_key: "eightlet" };
  const call = clientOf(await serve(json(404, sent))).movies.latest({ query });
  const body = ["sevenet", "[redacted]", "session_id=sevenet&api_key=[redacted]"];
  expect(await rejection(call)).toMatchObject({ body });
});

test("the client does not redact the short text that a long secret stands for", async () => {
  const fetch = async () => new Response("abc %61%62%63", { status: 404 });
  const query = { session_id: "%61%62%63" };
  const error = await rejection(clientOf(offline, { fetch }).movies.latest({ query }));
  expect(error).toMatchObject({ body: "abc [redacted]" });
});

test("the client redacts a secret next to null in a JSON response", async () => {
  const sent = { first: { token: TOKEN }, second: null };
  const error = await rejection(clientOf(await serve(json(404, sent))).movies.latest());
  expect(error).toMatchObject({ body: { first: { token: "[redacted]" }, second: null } });
});

const SECRET = "canary-5e11-secret";
const echo: Responder = (response, { url, body: sent }) => response.end(`<p>${url} ${sent}`);

test.each([
  "access_token",
  "session_id",
  "guest_session_id",
  "request_token",
  "api_key",
  "password",
])(
  "an error never contains the value of %s in the request, even if the response repeats the value",
  async (name) => {
    const { http, movies } = clientOf(await serve(echo));
    for (const call of [
      movies.latest({ query: { [name]: SECRET } }),
      http.POST("/3/authentication/session/convert/4", {
        body: { note: null, [name]: SECRET } as never,
      }),
    ]) {
      expect(await rejection(call)).toMatchObject({ body: expect.stringContaining("[redacted]") });
      expectNoSecret(await rejection(call), SECRET);
    }
  },
);

test("an error contains no session that middleware adds to the query, even if it encodes the name of the parameter", async () => {
  const { http, movies } = clientOf(await serve(json(400, `no ${SECRET}`)));
  http.use({ onRequest: ({ request }) => new Request(`${request.url}?session%5Fid=${SECRET}`) });
  expect(await rejection(movies.latest())).toMatchObject({ body: "no [redacted]" });
});

test("an error keeps the values of fields and parameters that are not secret", async () => {
  const { http } = clientOf(await serve(echo));
  const params = { query: { language: "a-long-language" } };
  const body = { note: "a-long-note", numbers: [1234567890] } as never;
  const call = http.POST("/3/authentication/session/convert/4", { params, body } as never);
  const sent = '?language=a-long-language {"note":"a-long-note","numbers":[1234567890]}';
  expect(await rejection(call)).toMatchObject({ body: expect.stringContaining(sent) });
});

test.each<[where: string, call: (catalogue: Catalogue) => Promise<unknown>]>([
  [
    "an encoded query parameter",
    ({ movies }) => movies.latest({ query: { session_id: `${SECRET}'s!` } }),
  ],
  [
    "a repeated query parameter",
    ({ movies }) => movies.latest({ query: { api_key: ["1", SECRET] } }),
  ],
  [
    "a query string that middleware added",
    ({ http, movies }) => {
      const query = `?guest_session_id=${SECRET}&request_token=${SECRET}`;
      http.use({ onRequest: ({ request }) => new Request(request.url + query, request) });
      return movies.latest();
    },
  ],
  [
    "a query parameter that middleware moved to the body",
    ({ http, movies }) => {
      const init = { method: "POST", body: SECRET };
      http.use({ onRequest: ({ request }) => new Request(request.url.split("?")[0]!, init) });
      return movies.latest({ query: { session_id: SECRET } });
    },
  ],
  [
    "a body with a replacement character that middleware added",
    ({ http, movies }) => {
      const init = { method: "POST", body: JSON.stringify({ password: SECRET, note: "\ufffd" }) };
      http.use({ onRequest: ({ request }) => new Request(request.url, init) });
      return movies.latest();
    },
  ],
])(
  "an error never contains a secret from %s, even if the response repeats the secret",
  async (_, call) => {
    const error = await rejection(call(clientOf(await serve(echo))));
    expect(error).toBeInstanceOf(InvalidJsonError);
    expectNoSecret(error, SECRET);
  },
);

// Symptom: redacting an error body took 25 times as long as parsing the body.
test("the client redacts the token in a 5 MB error body", async () => {
  const items = Array.from({ length: 50_000 }, (_, id) => ({ id, text: "x".repeat(80) }));
  const text = JSON.stringify({ items, sent: bearer });
  const fetch = async () => new Response(text, { status: 404 });
  const error = await rejection(clientOf(offline, { fetch }).movies.latest());
  expect(error).toMatchObject({ body: { items, sent: "Bearer [redacted]" } });
});

test("an error contains neither a long token nor the end of the token", async () => {
  const token = `${TOKEN}${"k3jd9".repeat(10_000)}`;
  for (const text of [`no ${token} `, JSON.stringify({ sent: `no ${token} ` })]) {
    const fetch = async () => new Response(text, { status: 401 });
    const error = await rejection(clientOf(offline, { token, fetch }).movies.latest());
    expectNoSecret(error);
    expect(tracesOf(error)).not.toContain("k3jd9");
  }
});

test("an error keeps text that is equal to the end of a long token", async () => {
  const end = "end";
  const token = `${TOKEN}${"k3jd9".repeat(500)}`.slice(0, 1000) + end;
  const fetch = async () => new Response(`the ${token} at the end`, { status: 401 });
  const error = await rejection(clientOf(offline, { token, fetch }).movies.latest());
  expect((error as ApiError).body).toMatch(/^the (\[redacted\])+ at the end$/);
});

test.each([
  ["escaped backslashes", "\\%5c"],
  ["backslashes and quotation marks", '\\"'],
  ["escaped percent signs", "%25"],
  ["entities", "&amp;"],
  ["plus signs", " +"],
])("an error redacts a URL with many %s in linear time", async (_, part) => {
  const fetch = async (url: string) => {
    throw new Error(`no ${url.slice(0, -1)}y, ${decodeURIComponent(url).slice(0, -1)}y`);
  };
  const { movies } = clientOf(offline, { fetch, retries: 0 });
  const query = { session_id: `${part.repeat(60)}x` };
  const error = await rejection(movies.latest({ query }));
  expect(error).toMatchObject({ name: "ConnectionError" });
});

test("a call rejects with an ApiError even if the error body is text that is escaped 200,000 times", async () => {
  const text = `\\${"u005c".repeat(200_000)}`;
  const error = await rejection(clientOf(await serve(json(404, text))).movies.latest());
  expect(error).toMatchObject({ name: "ApiError", status: 404 });
});

test.each<[error: string, make: (token: string) => unknown]>([
  [
    "an error with the token in its name and code",
    (t) => Object.assign(new Error("no"), { name: t, code: t }),
  ],
  ["an error with the token in a cycle of causes", (token) => causedByItself(new Error(token))],
  ["a string", (token) => token],
  ["undefined", () => undefined],
  ["an error with a getter that throws", () => new UnreadableError()],
])(
  "a call rejects with a ConnectionError without the token if `fetch` throws %s",
  async (_, make) => {
    const fetch = (_url: unknown, init?: RequestInit) => {
      throw make(new Headers(init?.headers).get("authorization")!);
    };
    const error = await rejection(clientOf(offline, { fetch, retries: 0 }).movies.latest());
    expect(error).toMatchObject({ name: "ConnectionError", operation: "movies.latest" });
    expectNoSecret(error);
  },
);

test("a ConnectionError's chain of causes ends after five errors, or at an error that cannot be read", async () => {
  for (const [thrown, messages] of [
    [causedByItself(new Error("lost")), Array(5).fill("lost")],
    [new Error("lost", { cause: new UnreadableError() }), ["lost", "unreadable"]],
  ]) {
    const fetch = async () => Promise.reject(thrown);
    let error = (await rejection(
      clientOf(offline, { fetch, retries: 0 }).movies.latest(),
    )) as Error;
    const seen: string[] = [];
    while (error.cause) seen.push((error = error.cause as Error).message);
    expect(seen).toEqual(messages);
  }
});

function causedByItself(error: Error): Error {
  return Object.assign(error, { cause: error });
}

test("a call rejects an invalid token from the token function without quoting the token", async () => {
  const server = await serve(json(200, {}));
  for (const token of [`${TOKEN}\nx: y`, `Bearer ${TOKEN}`, `${TOKEN}é`, 5 as unknown as string]) {
    const error = await rejection(clientOf(server, { token: () => token }).movies.latest());
    expect(error).toMatchObject({ name: "TypeError" });
    expect((error as Error).message).toMatch(/^movies\.latest: token must /);
    expectNoSecret(error);
  }
  expect(server.seen).toHaveLength(0);
});

test("a call rethrows errors from the token function and `validate` unchanged", async () => {
  const server = await serve(json(200, {}));
  for (const reason of [new Error("signed out"), "no", undefined]) {
    const fail = () => {
      throw reason;
    };
    const later = () => Promise.reject(reason);
    for (const options of [{ token: fail }, { token: later }, { validate: later }]) {
      expect(await rejection(clientOf(server, options).movies.latest())).toBe(reason);
    }
  }
});

describe("a ConnectionError does not contain the request's URL", () => {
  const SEARCH = "private words";
  const SESSION = "a1b2c3d4e5f6a7b8";
  const host = "https://catalogue.example";
  const searched = `${host}/3/search/multi?query=private%20words&page=2`;

  /** Returns the error of a call if `fetch` throws an error with the given text. */
  async function errorOf(
    say: (url: string) => unknown,
    call: (catalogue: FullCatalogue) => Promise<unknown>,
  ) {
    const fetch = async (url: string) => {
      throw say(url);
    };
    const catalogue = createFull({ baseUrl: host, token: TOKEN, retries: 0, fetch });
    return (await rejection(call(catalogue))) as ConnectionError;
  }
  const search = ({ search: { multi } }: FullCatalogue) =>
    multi({ query: { query: SEARCH, page: 2 } });

  test.each<[name: string, say: (url: string) => unknown]>([
    ["in the message, like Deno", (url) => new TypeError(`error sending request for url (${url})`)],
    [
      "in the message of a cause, like node-fetch",
      (url) => new TypeError("fetch failed", { cause: new Error(`request to ${url} failed`) }),
    ],
    ["as a string", (url) => `no ${url}`],
    ["in a property", (url) => Object.assign(new Error("failed"), { path: url, url })],
    ["decoded", (url) => new Error(`no ${decodeURIComponent(url)}`)],
    ["as its path and query", (url) => new Error(`GET ${url.slice(host.length)} failed`)],
    ["as its query, decoded", (url) => new Error(decodeURIComponent(url.split("?")[1]!))],
    ["as a form", (url) => new Error(String(new URL(url).searchParams))],
    ["in HTML", (url) => new Error(`<a href="${url.replaceAll("&", "&amp;")}">`)],
    ["in HTML, with numbers", (url) => new Error(url.replace("&", "&#38;").replace("=", "&#x3D;"))],
    ["percent-encoded again", (url) => new Error(`?url=${encodeURIComponent(url)}`)],
    ["in JSON", (url) => new Error(JSON.stringify({ url }).replaceAll("/", "\\/"))],
  ])("if `fetch` throws it %s", async (_, say) => {
    const error = await errorOf(say, search);
    const traces = tracesOf(error);
    expect(traces).not.toContain(SEARCH);
    expect(traces).not.toContain("private%20words");
    expect(traces).not.toContain("/3/search");
    expect(error.message).toMatch(/^search\.multi: connection failed \(/);
    const { body } = (await rejection(
      createFull({
        baseUrl: host,
        token: TOKEN,
        fetch: async (url) => new Response(`no ${url}`, { status: 404 }),
      }).search.multi({ query: { query: SEARCH, page: 2 } }),
    )) as ApiError;
    expect(body).toBe(`no ${searched}`);
  });

  test("and a session, if `fetch` throws the URL percent-encoded again", async () => {
    const error = await errorOf(
      (url) => new Error(`no ${encodeURIComponent(url)}`),
      ({ http }) =>
        http.GET("/3/search/multi", {
          params: { query: { query: SEARCH, session_id: SESSION } as never },
        }),
    );
    expect(error.message).toBe("GET /3/search/multi: connection failed (no [redacted])");
  });

  test.each<[name: string, say: (url: URL) => string]>([
    ["with its words as a form", ({ searchParams }) => `no ${searchParams}`],
    ["decoded, except for delimiters", ({ href }) => `no ${decodeURI(href)}`],
    ["decoded, with delimiters", ({ href }) => `no ${decodeURIComponent(href)}`],
  ])("if `fetch` throws it %s", async (_, say) => {
    const error = await errorOf(
      (url) => new Error(say(new URL(url))),
      ({ search: { multi } }) => multi({ query: { query: "rock & roll (ä)", page: 2 } }),
    );
    expect(error.message).toBe("search.multi: connection failed (no [redacted])");
  });

  test("whose path creates a session, but names the path", async () => {
    const error = await errorOf(
      () => new Error("lost"),
      ({ http }) => http.GET("/3/authentication/guest_session/new"),
    );
    expect(error.operation).toBe("GET /3/authentication/guest_session/new");
  });

  test("if `fetch` throws it without the API key", async () => {
    const fetch = async (url: string) => {
      throw new Error(`no ${url.split("&api_key=")[0]}`);
    };
    const catalogue = createFull({ baseUrl: host, apiKey: TOKEN, retries: 0, fetch });
    const error = await rejection(search(catalogue));
    expect(error).toMatchObject({ message: "search.multi: connection failed (no [redacted])" });
  });

  test("if the body is lost while it is read", async () => {
    const body = () => new ReadableStream({ pull: (it) => it.error(new Error(`no ${searched}`)) });
    const fetch = async () => new Response(body());
    const { search: group } = createFull({ baseUrl: host, token: TOKEN, retries: 0, fetch });
    const error = await rejection(group.multi({ query: { query: SEARCH, page: 2 } }));
    expect(error).toMatchObject({ name: "ConnectionError", cause: { message: "no [redacted]" } });
  });

  test("but keeps single words, the host, and the operation", async () => {
    const error = await errorOf(
      (url) => new Error(`private: connect to catalogue.example for ${url} failed`),
      search,
    );
    const reason = "private: connect to catalogue.example for [redacted] failed";
    expect(error.message).toBe(`search.multi: connection failed (${reason})`);
  });

  test.each<[name: string, call: (catalogue: FullCatalogue) => Promise<unknown>]>([
    ["a method", ({ guestSessions }) => guestSessions.ratedMovies(SESSION)],
    [
      "http with a parameter",
      ({ http }) =>
        http.GET("/3/guest_session/{guest_session_id}/rated/movies", {
          params: { path: { guest_session_id: SESSION } },
        }),
    ],
    [
      "http with the session in its path",
      ({ http }) => (http as UntypedHttpClient).GET(`/3/guest_session/${SESSION}/rated/movies`),
    ],
  ])("nor a guest session in the path: %s", async (_, call) => {
    for (const say of [
      (url: string) => new Error(`no ${url}`),
      () => new Error(`the session ${SESSION} is gone`),
      (url: string) => new Error(url.slice(host.length)),
    ])
      expectNoSecret(await errorOf(say, call), SESSION);
    const fetch = async (url: string) => new Response(`no ${url}`, { status: 404 });
    const catalogue = createFull({ baseUrl: host, token: TOKEN, fetch });
    const result = await call(catalogue).catch((error: unknown) => error);
    if (result instanceof Error) {
      expectNoSecret(result, SESSION);
      expect(result).toMatchObject({ body: `no ${host}/3/guest_session/[redacted]/rated/movies` });
    }
  });

  test("nor a guest session that starts with `new-`", async () => {
    const session = `new-${SESSION}`;
    const error = await errorOf(
      () => new Error(`the session ${session} is gone`),
      ({ guestSessions }) => guestSessions.ratedMovies(session),
    );
    const reason = "the session [redacted] is gone";
    expect(error.message).toBe(`guestSessions.ratedMovies: connection failed (${reason})`);
  });
});
