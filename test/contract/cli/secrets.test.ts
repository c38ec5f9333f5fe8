import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReportFinding } from "../../../src/contract/report/report.js";
import { FORMATS } from "../../../src/contract/report/formats.js";
import { entry, folderOf, har, recording } from "../input/support.js";
import { buildCommand, command } from "./support.js";

buildCommand();

let count = 0;
const planted: string[] = [];
/** A secret of its own for each place; no other text of a report is like it. */
function canary(): string {
  count += 1;
  const secret = `cnry${String(count).padStart(2, "0")}XyZ${"q7".repeat(count % 5)}w`;
  planted.push(secret);
  return secret;
}

/** A secret as it could be found in a report. */
function forms(secret: string): string[] {
  return [
    secret,
    Buffer.from(secret).toString("hex"),
    ...[0, 1, 2].map((skip) => Buffer.from(secret.slice(skip)).toString("base64").slice(0, 9)),
  ];
}

const SECRET = "hunter22-1ce82ec1";
const lists = { id: 603, page: 1, results: [] as object[], total_pages: 0, total_results: 0 };

function answer(text: string, request: object = {}): object {
  const content = { size: 9, mimeType: "application/json", text };
  return entry("https://a.test/3/movie/603/lists", { content }, request);
}

/** The reports of entries of a HAR, with what is printed beside them. */
async function reportsOf(...entries: object[]): Promise<[name: string, text: string][]> {
  const cwd = await folderOf({ "a.har": har(...entries) });
  const formats = FORMATS.flatMap((each) => ["--format", `${each}=out/${each}`]);
  const args = ["contract", "a.har", "--base-url", "https://a.test", ...formats];
  const { code } = await command(args, { cwd });
  expect(code).toBe(1);
  return Promise.all(
    FORMATS.map(async (name) => [name, await readFile(join(cwd, "out", name), "utf8")]),
  );
}

describe("no report", () => {
  it("holds any of the secrets of what was judged, however they are encoded", async () => {
    const bearer = canary();
    const session = canary();
    const echoed = canary();
    const body = {
      id: "not a number",
      request_token: canary(),
      nested: { guest_session_id: canary(), list: [{ password: canary() }] },
      text: JSON.stringify({ access_token: canary() }),
      link: `https://a.test/x?api_key=${canary()}&page=1`,
      echo: bearer,
      coded: encodeURIComponent(`a b ${session}`),
      base64: Buffer.from(`xx${echoed}`).toString("base64"),
      hex: Buffer.from(echoed).toString("hex"),
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
    const json = JSON.stringify(body);
    const inBase64 = canary();
    const other = { id: inBase64, request_token: inBase64 };
    const base64 = Buffer.from(JSON.stringify(other)).toString("base64");
    const cwd = await folderOf({
      "a.har": har(
        entry(url, response(json), secretRequest),
        entry(url.replace("lists", "translations"), response(base64, { encoding: "base64" })),
        entry(url, response(`<p>token=${canary()}</p>`), secretRequest),
        entry(url, { status: `${bearer}` }, secretRequest),
      ),
      "b.json": recording(
        { body, headers: { "x-token": canary() } },
        { query: { api_key: canary() } },
      ),
      "c.json": recording(
        {
          body: {},
          headers: {
            "authentication-callback": `nowhere ${canary()}`,
            "content-type": "application/json",
          },
        },
        { path: `/3/authentication/token/new?request_token=${canary()}` },
      ),
    });
    const formats = FORMATS.flatMap((each) => ["--format", `${each}=out/${each}`]);
    const args = ["contract", ".", "--base-url", "https://a.test", ...formats];
    const { code, stdout, stderr } = await command(args, { cwd });
    expect([code, planted.length]).toEqual([2, 22]);
    const texts: [string, string][] = [
      ["stdout", stdout],
      ["stderr", stderr],
    ];
    for (const name of await readdir(join(cwd, "out"))) {
      texts.push([name, await readFile(join(cwd, "out", name), "utf8")]);
    }
    expect(texts).toHaveLength(2 + FORMATS.length);
    for (const [name, text] of texts) {
      const leaks = planted.filter((secret) => forms(secret).some((form) => text.includes(form)));
      expect([name, leaks]).toEqual([name, []]);
    }
    // The reports are not empty.
    expect(texts.find(([name]) => name === "json")?.[1]).toContain("[redacted]");
  });

  it("holds a secret that an entry of another host names", async () => {
    const login = answer(`{"access_token":"${SECRET}"}`, { url: "https://b.test/login" });
    const echo = JSON.stringify({ ...lists, id: SECRET });
    for (const [name, text] of await reportsOf(login, answer(echo), answer("{}")))
      expect([name, text.includes(SECRET)]).toEqual([name, false]);
  });

  it("holds a secret that stands in a cut-off file, beside the entries of a HAR or in a name", async () => {
    const page = { title: "https://a.test/?access_token=canary-pages-15" };
    const echoes = answer(JSON.stringify({ ...lists, id: "canary-pages-15" }));
    const { log } = har(echoes) as { log: object };
    const cwd = await folderOf({
      "a.har": { log: { ...log, pages: [page] } },
      "b.har": '{"log":{"entries":[{"a":"Bearer TruncTok3nAbc',
      "TruncTok3nAbc.json": recording({
        body: { ...lists, id: "TruncTok3nAbc", password: "s3cr3t" },
      }),
    });
    const formats = ["json", "html"].flatMap((each) => ["--format", `${each}=out/${each}`]);
    const args = ["contract", ".", "--base-url", "https://a.test", ...formats];
    const { code, stdout } = await command(args, { cwd });
    expect([code, stdout]).toEqual([2, expect.stringContaining("[redacted].json:")]);
    const html = await readFile(join(cwd, "out/html"), "utf8");
    const json = await readFile(join(cwd, "out/json"), "utf8");
    expect(stdout + json + html).not.toMatch(/canary-pages-15|TruncTok3nAbc|s3cr3t/);
    expect(html).toMatch(/\[redacted\]\.json:\d+:\d+/);
  });

  it("hides a word of the gate itself that is a password somewhere", async () => {
    const own = ["networks", "recordings", "additional", "catalogue", "properties", "undeclared"];
    const passwords = own.map((password) => ({ password }));
    const body = { ...lists, id: "networks", extra: passwords };
    const cwd = await folderOf({ "recordings/networks.json": recording({ body }) });
    const { stdout } = await command(["contract", ".", "--format", "json"], { cwd });
    const { findings } = JSON.parse(stdout) as { findings: ReportFinding[] };
    expect(findings).not.toEqual([]);
    for (const { actual: _, recording: places, ...rest } of findings) {
      expect(JSON.stringify(rest)).not.toContain("redacted");
      expect(places[0]?.file).toBe("recordings/networks.json");
    }
    expect(stdout).toContain("[redacted]");
  });

  it("and no error holds the token of the environment", async () => {
    const env = { CATALOGUE_TOKEN: "cnry-token-0123456789" };
    for (const args of [
      ["cnry-token-0123456789"],
      ["contract", "a", "--format", "cnry-token-0123456789"],
    ]) {
      const { code, stderr } = await command(args, { env });
      expect([code, stderr]).toEqual([2, expect.stringContaining("[redacted]")]);
      expect(stderr).not.toContain(env.CATALOGUE_TOKEN);
    }
  });
});
