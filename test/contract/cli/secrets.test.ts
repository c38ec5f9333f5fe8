import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FORMATS } from "../../../src/contract/report/render.js";
import { entry, folderOf, har, recording } from "../input/support.js";
import { run } from "./support.js";

const planted: string[] = [];
/** Creates a new secret on each call. */
function canary(): string {
  const count = planted.length + 1;
  const secret = `cnry${String(count).padStart(2, "0")}XyZ${"q7".repeat(count % 5)}w`;
  planted.push(secret);
  return secret;
}

/** Returns the strings that would reveal a secret: the secret itself, and parts of its base64 encodings. */
function forms(secret: string): string[] {
  const coded = [0, 1, 2].map((skip) => Buffer.from(secret.slice(skip)).toString("base64"));
  return [secret, ...coded.map((each) => each.slice(0, 9))];
}

const lists = { id: 701, page: 1, results: [] as object[], total_pages: 0, total_results: 0 };

/**
 * Checks files, and writes a report in every format.
 * @returns the exit code and the reports, keyed by format; the printed output is under the key `printed`
 */
async function reportsOf(files: Record<string, unknown>) {
  const cwd = await folderOf(files);
  const formats = FORMATS.flatMap((each) => ["--format", `${each}=out/${each}`]);
  const args = ["contract", ".", "--base-url", "https://a.test", ...formats];
  const { code, stdout, stderr } = await run(args, { cwd });
  const texts = new Map([["printed", stdout + stderr]]);
  for (const name of await readdir(join(cwd, "out")))
    texts.set(name, await readFile(join(cwd, "out", name), "utf8"));
  expect([...texts.keys()].toSorted()).toEqual(["printed", ...FORMATS].toSorted());
  return { code, texts };
}

it("no report contains a secret from the checked exchanges, in plain text or in base64", async () => {
  const [bearer, session, echoed, inBase64] = [canary(), canary(), canary(), canary()];
  const body = {
    id: "not a number",
    request_token: canary(),
    nested: { guest_session_id: canary(), list: [{ password: canary() }] },
    text: JSON.stringify({ access_token: canary() }),
    link: `https://a.test/x?api_key=${canary()}&page=1`,
    echo: bearer,
    coded: encodeURIComponent(`a b ${session}`),
    base64: Buffer.from(`xx${echoed}`).toString("base64"),
    [`key-${echoed}`]: 1,
  };
  const secretRequest = {
    headers: [
      { name: "Authorization", value: `Bearer ${bearer}` },
      { name: "Cookie", value: `a=1; sid=${canary()}` },
      { name: "X-Api-Key", value: canary() },
      { name: "X-Session-Token", value: echoed },
    ],
    cookies: [{ name: "sid", value: canary() }],
    queryString: [{ name: "session_id", value: session }],
    postData: { mimeType: "application/json", text: JSON.stringify({ secret: canary() }) },
  };
  const url = `https://user:${canary()}@a.test/3/movie/701/lists?session_id=${session}`;
  const response = (text: string, extra = {}) => ({
    headers: [
      { name: "content-type", value: "application/json" },
      { name: "set-cookie", value: `sid=${canary()}; HttpOnly` },
    ],
    content: { size: 9, mimeType: "application/json", text, ...extra },
  });
  const coded = btoa(JSON.stringify({ id: inBase64, request_token: inBase64 }));
  const callback = `nowhere ${canary()}`;
  const type = "application/json";
  const { code, texts } = await reportsOf({
    "a.har": har(
      entry(url, response(JSON.stringify(body)), secretRequest),
      entry(url.replace("lists", "translations"), response(coded, { encoding: "base64" })),
      entry(url, response(`<p>token=${canary()}</p>`), secretRequest),
      entry(url, { status: `${bearer}` }, secretRequest),
    ),
    "b.json": recording({ body, headers: { "x-token": canary() } }, { query: { key: canary() } }),
    "c.json": recording(
      { body: {}, headers: { "authentication-callback": callback, "content-type": type } },
      { path: `/3/authentication/token/new?request_token=${canary()}` },
    ),
  });
  expect([code, planted.length]).toEqual([2, 22]);
  for (const [name, text] of texts) {
    const leaks = planted.filter((secret) => forms(secret).some((form) => text.includes(form)));
    expect([name, leaks]).toEqual([name, []]);
  }
});

/** Creates a HAR entry with a JSON response. */
const answer = (path: string, body: object, request: object = {}) =>
  entry(
    `https://a.test/3/${path}`,
    { content: { size: 9, mimeType: "application/json", text: JSON.stringify(body) } },
    request,
  );

it("the gate redacts a secret in a declared string, even if only a later HAR entry shows that the value is secret", async () => {
  const [token, request, session] = ["canary/token~1", "canary+request-2", "canary session 3"];
  const repeated = ["canary/repeated/4", "canary/repeated/5"];
  const values = [token, request, session, ...repeated, "canaryOfLetters"].flatMap((each) => [
    each,
    encodeURIComponent(each),
  ]);
  const headers = [{ name: "authorization", value: `Bearer ${token}` }];
  const stray = { headers: [{ name: "authorization", value: "bearer canaryOfLetters" }] };
  const quoting = values
    .slice(0, 10)
    .map((each) => answer("movie/latest", { poster_path: `see ${each}.` }));
  const created = { success: true, expires_at: "2026-01-15 18:30:00 UTC", request_token: request };
  const query = repeated.map((each) => `session_id=${each}`).join("&");
  const file = "canary+request-2/TruncTok3n.har";
  const { texts } = await reportsOf({
    [file]: har(
      ...quoting,
      answer("authentication/token/new", created, { headers }),
      answer(`account/${encodeURIComponent(session)}?${query}`, {}),
      answer("nowhere/canaryOfLetters", {}, stray),
    ),
  });
  for (const [name, text] of texts) {
    const found = text.replaceAll(file, "").replaceAll(file.replace("+", "%2B"), "");
    expect([name, values.filter((each) => found.includes(each))]).toEqual([name, []]);
  }
  expect(texts.get("json")).toContain("see [redacted].");
  // File paths are never redacted.
  expect(texts.get("printed")).toContain(`${file}:`);
});

it("the gate can check strings, keys, and paths that are several megabytes long", async () => {
  const long = `token=${"a1".repeat(1e6)}`;
  const keys = { ...lists, [long.slice(0, 1.2e6)]: 1 };
  const cwd = await folderOf({
    "a.json": recording({ headers: {}, text: long, body: undefined }),
    "b.json": recording({ body: { ...keys, id: long, session_id: long } }),
    "c.json": recording({}, { path: `/3/${long}` }),
  });
  const { code, stdout, stderr } = await run(["contract", "."], { cwd });
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toContain("2000006 characters of text that is not JSON");
});

it("no usage error contains the token from the environment", async () => {
  const token = "cnry-token-0123456789";
  for (const args of [[token], ["contract", "a", "--format", token]]) {
    const { code, stderr } = await run(args, { env: { CATALOGUE_TOKEN: token } });
    expect([code, stderr]).toEqual([2, expect.stringContaining("[redacted]")]);
    expect(stderr).not.toContain(token);
  }
});

it("no report contains a token or a user name of letters inside an undeclared name", async () => {
  const [token, username] = ["correcthorsebattery", "alicesmithson"];
  const headers = [{ name: "Authorization", value: `Bearer ${token}` }];
  const named = { [`${username}_settings`]: { [`q_${token}`]: 1 }, [username]: 1 };
  const { code, texts } = await reportsOf({
    "a.har": har(
      answer("account/1", { username }, { headers }),
      answer("genre/tv/list", { genres: [named], ...named }),
    ),
  });
  expect(code).toBe(1);
  for (const [format, text] of texts)
    for (const secret of [token, username])
      expect([format, text.includes(secret)]).toEqual([format, false]);
});
