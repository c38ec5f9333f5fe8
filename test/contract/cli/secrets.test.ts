import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FORMATS } from "../../../src/contract/report/formats.js";
import type { ReportFinding } from "../../../src/contract/report/report.js";
import { entry, folderOf, har, recording } from "../input/support.js";
import { run } from "./support.js";

const planted: string[] = [];
/** A different secret for each place; no other report text resembles it. */
function canary(): string {
  const count = planted.length + 1;
  const secret = `cnry${String(count).padStart(2, "0")}XyZ${"q7".repeat(count % 5)}w`;
  planted.push(secret);
  return secret;
}

/** The forms of a secret that a report could contain. */
function forms(secret: string): string[] {
  const coded = [0, 1, 2].map((skip) => Buffer.from(secret.slice(skip)).toString("base64"));
  return [secret, ...coded.map((each) => each.slice(0, 9))];
}

const lists = { id: 603, page: 1, results: [] as object[], total_pages: 0, total_results: 0 };

/** Checks files in every format. @returns all reports and everything printed, by name */
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

it("keeps the secrets of the checked exchanges out of every report, in any encoding", async () => {
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
  const url = `https://user:${canary()}@a.test/3/movie/603/lists?session_id=${session}`;
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
  expect(texts.get("json")).toContain("[redacted]");
});

it("hides a secret from another entry, another host, a truncated file or a file name", async () => {
  const answer = (text: string, request: object = {}) => {
    const content = { size: 9, mimeType: "application/json", text };
    return entry("https://a.test/3/movie/603/lists", { content }, request);
  };
  const login = answer('{"access_token":"canary-login-16"}', { url: "https://b.test/login" });
  const echo = (id: string) => answer(JSON.stringify({ ...lists, id }));
  const { log } = har(login, echo("canary-login-16"), echo("canary-pages-15")) as { log: object };
  const pages = [{ title: "https://a.test/?access_token=canary-pages-15" }];
  const { code, texts } = await reportsOf({
    "a.har": { log: { ...log, pages } },
    "b.har": '{"log":{"entries":[{"a":"Bearer TruncTok3nAbc',
    "TruncTok3nAbc.json": recording({
      body: { ...lists, id: "TruncTok3nAbc", password: "s3cr3t" },
    }),
  });
  expect(code).toBe(2);
  const secret = /canary-login-16|canary-pages-15|TruncTok3nAbc|s3cr3t/;
  for (const [name, text] of texts) expect([name, secret.exec(text)]).toEqual([name, null]);
  expect(texts.get("html")).toMatch(/\[redacted\]\.json:\d+:\d+/);
});

it("hides secrets that contain / or ~ in pointers, headings and written configuration", async () => {
  const [slash, tilde] = ["pa55/w0rd/xy", "to~k3n~abc"];
  const extra = { [slash]: 1, more: { [tilde]: 1 }, password: slash, token: tilde };
  const text = JSON.stringify(recording({ body: { ...lists, ...extra } }));
  const twice = JSON.stringify(recording()).replace("{", `{"${slash}":1,"${slash}":2,`);
  const { texts } = await reportsOf({ "a.json": text, "b.json": twice });
  const cwd = await folderOf({ "a.json": text });
  await run(["contract", ".", "--undeclared", "fail", "--write-accepted"], { cwd });
  texts.set("configuration", await readFile(join(cwd, "contract.config.json"), "utf8"));
  const secret = /pa55.{1,2}w0rd|to~0?k3n/;
  for (const [name, each] of texts) expect([name, secret.exec(each)]).toEqual([name, null]);
  expect(texts.get("json")).toContain('"/[redacted]"');
});

it("checks texts, keys and paths of several megabytes", async () => {
  const long = `token=${"a1".repeat(5e6)}`;
  const keys = { ...lists, [long.slice(0, 6e6)]: 1 };
  const cwd = await folderOf({
    "a.json": recording({ headers: {}, text: long, body: undefined }),
    "b.json": recording({ body: { ...keys, id: long, session_id: long } }),
    "c.json": recording({}, { path: `/3/${long}` }),
  });
  const { code, stdout, stderr } = await run(["contract", "."], { cwd });
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toContain("10000006 characters of text that is not JSON");
});

it("does not hide the gate's own words, even if one is a password", async () => {
  const own = ["networks", "recordings", "additional", "catalogue", "properties", "undeclared"];
  const body = { ...lists, id: "networks", extra: own.map((password) => ({ password })) };
  const cwd = await folderOf({ "recordings/networks.json": recording({ body }) });
  const { stdout } = await run(["contract", ".", "--format", "json"], { cwd });
  const { findings } = JSON.parse(stdout) as { findings: ReportFinding[] };
  expect(findings).not.toEqual([]);
  for (const { actual: _, recording: places, ...rest } of findings) {
    expect(JSON.stringify(rest)).not.toContain("redacted");
    expect(places[0]?.file).toBe("recordings/networks.json");
  }
  expect(stdout).toContain("[redacted]");
});

it("keeps the token from the environment out of every error", async () => {
  const token = "cnry-token-0123456789";
  for (const args of [[token], ["contract", "a", "--format", token]]) {
    const { code, stderr } = await run(args, { env: { CATALOGUE_TOKEN: token } });
    expect([code, stderr]).toEqual([2, expect.stringContaining("[redacted]")]);
    expect(stderr).not.toContain(token);
  }
});
