import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rules } from "../../../src/contract/engine/rules.js";
import { FORMATS } from "../../../src/contract/report/render.js";
import { createReport, type ContractReport } from "../../../src/contract/report/create-report.js";
import { root } from "../../support/paths.js";
import { folderOf, har, recording } from "../input/support.js";
import { run } from "./support.js";

const CONFIG = "contract.config.json";
const list = {
  description: "",
  favorite_count: 1,
  id: 1,
  item_count: 1,
  iso_639_1: "en",
  iso_3166_1: "US",
};
const item = { ...list, list_type: "movie", name: "A", poster_path: null };
const page = { id: 701, page: 1, total_pages: 1, total_results: 2 };
const lists = (...results: object[]) => recording({ body: { ...page, results } });
/** A recording in which two list items violate the same rule. */
const broken = lists({ ...item, name: null }, { ...item, name: null });
const entry = {
  rule: "schema/type",
  operation: "movies.lists",
  pointer: "/results/*/name",
  actual: "null",
};
const reason = "ticket 123";
const gate = (cwd: string, ...args: string[]) => run(["contract", "a.json", ...args], { cwd });
const folder = (config: unknown, recorded: unknown = broken) =>
  folderOf({ "a.json": recorded, [CONFIG]: config });
const readConfig = async (cwd: string) => JSON.parse(await readFile(join(cwd, CONFIG), "utf8"));

describe("contract.config.json", () => {
  it("the gate reads contract.config.json or the file that --config names, and --undeclared overrides the setting in the file", async () => {
    const drifted = lists({ ...item, extra: 1 });
    const cwd = await folder({ $schema: "x", undeclared: "error" }, drifted);
    // Some editors write a byte order mark.
    await writeFile(join(cwd, "other.json"), "\uFEFF{}");
    expect((await gate(cwd)).code).toBe(1);
    expect((await gate(cwd, "--config", "other.json")).code).toBe(0);
    expect((await gate(cwd, "--undeclared", "warning")).code).toBe(0);
  });

  it("minValidatedShare sets the share of exchanges that must be validated", async () => {
    const unmatched = { ...recording({}, { path: "/4/x" }), operation: undefined };
    const cwd = await folderOf({
      "a.json": lists(item),
      "b.json": unmatched,
      [CONFIG]: { minValidatedShare: 0.5 },
    });
    expect((await gate(cwd, "b.json")).code).toBe(0);
    await writeFile(join(cwd, CONFIG), '{"minValidatedShare": 0}');
    // A run that validates no exchange is always inconclusive.
    expect((await run(["contract", "b.json"], { cwd })).code).toBe(3);
  });

  it.each([
    [112, "inconclusive"],
    [113, "passed"],
  ])(
    "a run that validates %i of 125 exchanges has the outcome %j if minValidatedShare is 0.9",
    (validated, outcome) => {
      const exchanges = Array.from({ length: 125 }, (_, index) => ({
        name: `${index}.json`,
        operation: "movies.lists",
        findings: [],
        ...(index >= validated && { unvalidated: "body not recorded" as const }),
      }));
      const results = { description: "", findings: [], skipped: new Map(), problems: [] };
      const { summary } = createReport({ ...results, exchanges, minValidatedShare: 0.9 });
      expect(summary).toMatchObject({ validated, outcome });
    },
  );

  it.each<[unknown, string]>([
    ["{", `${CONFIG}:1:2 is truncated JSON`],
    [
      '{"minValidatedShare": 1, "minValidatedShare": 0}',
      `${CONFIG}:1:26 repeats a key in the same object`,
    ],
    ["[]", `${CONFIG}:1:1 must be of type object`],
    ['{"undeclard": "error"}', `${CONFIG}:1:15 undeclard is unknown; did you mean "undeclared"?`],
    ['{"undeclared": "eror"}', 'undeclared is invalid; did you mean "error"?'],
    ['{"undeclared": "note"}', 'undeclared must be "error" or "warning"'],
    ['{"minValidatedShare": 90}', "minValidatedShare must be a number ≤ 1"],
    ['{"accepted": [1]}', `${CONFIG}:1:15 accepted.0 must be of type object`],
    [{ accepted: [{ ...entry, rule: "schema/typ", reason }] }, 'did you mean "schema/type"?'],
    [
      { accepted: [{ ...entry, pointer: "results", reason }] },
      "pointer must be a JSON pointer such as /results/*/title, or empty",
    ],
    [
      { accepted: [{ ...entry, reason, expires: "2027-13-30" }] },
      "expires must be a date such as 2027-12-31",
    ],
    [
      { accepted: [{ rule: "schema/type", reason }] },
      `${CONFIG}:3:5 accepted.0.operation must be present`,
    ],
  ])("the gate rejects the configuration %j, and says what is wrong", async (config, problem) => {
    const { code, stdout, stderr } = await gate(await folder(config));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(problem);
  });

  it("the schema of contract.config.json lists every rule that can make the gate fail, and accepts the documented example", async () => {
    const schema = JSON.parse(
      await readFile(join(root, "schemas/contract-config.schema.json"), "utf8"),
    );
    const listed = schema.properties.accepted.items.properties.rule.enum as string[];
    const failing = Object.keys(rules).filter((id) => !id.startsWith("unspecified/"));
    expect(listed.toSorted()).toEqual(failing.toSorted());
    const docs = await readFile(join(root, "docs/configuration.md"), "utf8");
    const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(docs)?.[1] ?? "");
    const { code, stderr } = await gate(await folder(example, lists(item)));
    expect([code, stderr]).toEqual([1, ""]);
  });
});

describe("accepted findings", () => {
  const withBody = (change: object) => recording({ body: { ...page, results: [], ...change } });
  const html = { headers: { "content-type": "text/html" } };
  const htmlPage = { ...html, body: undefined, text: "<p>" };
  const requested = (path: string, method = "GET") => ({
    ...recording({}, { path, method }),
    operation: undefined,
  });
  const failure = (status: number, status_code: number) =>
    recording({ status, body: { success: false, status_code } });
  const createToken = "authentication.createRequestToken";
  const token = (headers: object) => ({
    ...recording(
      {
        headers: { "content-type": "application/json", ...headers },
        body: { success: true, expires_at: "2026-01-15 18:30:00 UTC", request_token: "x" },
      },
      { path: "/3/authentication/token/new" },
    ),
    operation: createToken,
  });
  const callback = { "authentication-callback": "https://a.test/" };
  it.each<[string, object, accepted: object, rejected: object]>([
    [
      "a value of one invalid type, but not a value of a different invalid type",
      { rule: "schema/type", pointer: "/id", actual: "string" },
      withBody({ id: "1" }),
      withBody({ id: {} }),
    ],
    [
      "an undeclared field, but not a different undeclared field",
      { rule: "undeclared/property", pointer: "/extra", actual: "string" },
      withBody({ extra: "a" }),
      withBody({ more: "a" }),
    ],
    [
      "an undeclared field with a masked name, but not a field with another name of the same length",
      { rule: "undeclared/property", pointer: "/(8 characters, #1aef)", actual: "number" },
      withBody({ "x-rating": 1 }),
      withBody({ "p-secret": 1 }),
    ],
    [
      "an undocumented status, but not a different undocumented status",
      { rule: "http/undocumented-status", status: 201 },
      recording({ status: 201 }),
      recording({ status: 299, ...htmlPage }),
    ],
    [
      "a body with an undocumented status, but not a missing body with the same status",
      { rule: "http/undocumented-status", status: 201 },
      recording({ status: 201 }),
      recording({ status: 201, body: undefined }),
    ],
    [
      "a JSON body with the media type text/html, but not an HTML page",
      { rule: "http/undocumented-media-type", actual: "text/html" },
      recording(html),
      recording(htmlPage),
    ],
    [
      "an undocumented media type, but not a violation in the body",
      { rule: "http/undocumented-media-type", actual: "text/html" },
      recording(html),
      recording({ ...html, body: { ...page, results: [], id: null } }),
    ],
    [
      "a missing field in a 404 response, but not in a 401 response",
      { rule: "schema/required", status: 404, pointer: "/status_message" },
      failure(404, 34),
      failure(401, 7),
    ],
    [
      "an unknown path, but not another unknown path",
      { rule: "http/unknown-path", operation: "", actual: "/4/movie/*" },
      requested("/4/movie/1"),
      requested("/4/list/1"),
    ],
    [
      "an unknown method, but not the same method of another path",
      { rule: "http/unknown-method", operation: "", actual: "PUT /3/movie/latest" },
      requested("/3/movie/latest", "PUT"),
      requested("/3/movie/1/lists", "PUT"),
    ],
    [
      "an invalid header, but not a missing header",
      { rule: "http/invalid-header", operation: createToken, actual: "authentication-callback" },
      token({ "authentication-callback": "x" }),
      token({}),
    ],
    [
      "a missing header, but not a misspelled header",
      { rule: "http/missing-header", operation: createToken, actual: "authentication-callback" },
      token({}),
      token({ "authentication-calback": "https://a.test/" }),
    ],
    [
      "a misspelled header, but not another misspelled header",
      { rule: "http/misspelled-header", operation: createToken, actual: "cache-contol" },
      token({ ...callback, "cache-contol": "x" }),
      token({ ...callback, vry: "x" }),
    ],
    [
      "an undeclared request body that is a string, but not an object",
      { rule: "request/unexpected-body", actual: "string" },
      recording({}, { body: "text" }),
      recording({}, { body: {} }),
    ],
  ])("an entry in `accepted` covers %s", async (_, change, accepted, rejected) => {
    const config = {
      undeclared: "error",
      minValidatedShare: 0,
      accepted: [{ operation: "movies.lists", ...change, reason }],
    };
    for (const [expected, each] of [accepted, rejected].entries()) {
      const cwd = await folderOf({ "a.json": each, "b.json": lists(item), [CONFIG]: config });
      expect((await gate(cwd, "b.json")).code).toBe(expected);
    }
  });

  it("a finding is accepted only if its occurrences after the first 1,000 are accepted, too", async () => {
    const results = Array.from({ length: 1001 }, (_, index) => ({
      ...item,
      name: index < 1000 ? null : 7,
    }));
    const config = { accepted: [{ ...entry, reason }] };
    const cwd = await folderOf({ "a.json": lists(...results), [CONFIG]: config });
    expect((await run(["contract", "a.json"], { cwd })).code).toBe(1);
  });

  it("an accepted entry still matches if a user name is part of the property name", async () => {
    const account = (username: string) => ({
      ...recording({ body: { username } }, { path: "/3/account/1" }),
      operation: "account.details",
    });
    const movie = {
      ...recording({ body: { original_title: 7 } }, { path: "/3/movie/latest" }),
      operation: "movies.latest",
    };
    const title = { rule: "schema/type", operation: "movies.latest", pointer: "/original_title" };
    const accepted = [{ ...title, actual: "number", reason }];
    for (const username of ["jane-doe", "original", "original_title"]) {
      const config = { minValidatedShare: 0, accepted };
      const files = { "a.json": account(username), "b.json": movie, [CONFIG]: config };
      const cwd = await folderOf(files);
      const { stdout } = await run(["contract", ".", "--format", "json"], { cwd });
      expect(JSON.parse(stdout).findings).toContainEqual(
        expect.objectContaining({ severity: "accepted", pointer: "/original_title" }),
      );
    }
  });

  it("if an accepted entry differs from a finding only in its `actual` value, the gate suggests the right value", async () => {
    const given = { rule: "schema/type", operation: "movies.lists", pointer: "/id", reason };
    const { stdout } = await gate(await folder({ accepted: [given] }, withBody({ id: "1" })));
    expect(stdout).toContain('/id matches no finding; "actual" must be "string"');
  });

  it("if the operation of an accepted entry does not exist, the gate suggests a similar operation", async () => {
    const given = { rule: "schema/type", operation: "movies.list", pointer: "/id", reason };
    const { stdout } = await gate(await folder({ accepted: [given] }, withBody({ id: "1" })));
    expect(stdout).toContain('movies.list /id matches no finding; did you mean "movies.lists"?');
  });

  it.each<[string, Record<string, unknown>, number]>([
    ["that validates no exchange", { "b.har": har() }, 3],
    ["with an unreadable file", { "a.json": lists(item), "b.json": "{" }, 2],
  ])(
    "the gate does not report an accepted entry as unused in a run %s",
    async (_, files, expected) => {
      const cwd = await folderOf({ ...files, [CONFIG]: { accepted: [{ ...entry, reason }] } });
      const names = Object.keys(files).filter((name) => name !== CONFIG);
      const { code, stdout } = await run(["contract", ...names], { cwd });
      expect([code, stdout]).toEqual([expected, expect.not.stringContaining("accepted entry")]);
    },
  );

  it("an accepted finding does not make the gate fail, and every report format except sarif shows the finding as accepted", async () => {
    const cwd = await folder({ accepted: [{ ...entry, reason, expires: "2999-12-31" }] });
    const sarif = await gate(cwd, "--format", "sarif");
    expect([sarif.code, JSON.parse(sarif.stdout).runs[0].results]).toEqual([0, []]);
    for (const format of FORMATS.filter((each) => each !== "sarif")) {
      const { code, stdout } = await gate(cwd, "--format", format);
      expect([format, code, stdout]).toEqual([format, 0, expect.stringMatching(/accepted/i)]);
      if (format !== "github") expect(stdout).toContain(reason);
    }
    const { summary, findings } = JSON.parse(
      (await gate(cwd, "--format", "json")).stdout,
    ) as ContractReport;
    expect(summary).toMatchObject({ outcome: "passed", passed: 1, errors: 0, accepted: 1 });
    expect(findings).toMatchObject([
      { severity: "accepted", accepted: { reason, expires: "2999-12-31" } },
    ]);
  });

  it.each([
    ["only the first of two occurrences", "/results/0/name", 1],
    ["only the second of two occurrences", "/results/1/name", 1],
    ["any index", "/results/*/name", 0],
    ["any key and any index", "/*/*/*", 0],
    ["the items that contain the finding", "/results/*", 1],
    ["the whole body", "", 1],
  ])("with an accepted entry for %s (%j), the gate exits with %i", async (_, pointer, expected) => {
    expect((await gate(await folder({ accepted: [{ ...entry, pointer, reason }] }))).code).toBe(
      expected,
    );
  });

  it.each<[string, { pointer?: string; reason?: string; expires?: string }, string]>([
    ["has no reason", {}, "has no reason; say why the finding is accepted"],
    ["has a blank reason", { reason: " " }, "has no reason"],
    ["has expired", { reason, expires: "2020-01-31" }, "expired on 2020-01-31; fix the deviation"],
    ["matches no finding", { reason, pointer: "/id" }, "matches no finding; remove it"],
  ])("the gate fails if an accepted entry %s", async (_, change, problem) => {
    const changed = { ...entry, ...change };
    const cwd = await folder({ accepted: [changed] }, change.pointer ? lists(item) : broken);
    for (const format of FORMATS) {
      const { code, stdout } = await gate(cwd, "--format", format);
      expect([format, code]).toEqual([format, 1]);
      expect(stdout.replaceAll("\\", "")).toContain(problem);
    }
    expect((await gate(cwd)).stdout).toContain(
      `✖ ${CONFIG}:3:5 accepted entry 1: schema/type movies.lists ${changed.pointer} ${problem}`,
    );
  });

  it("an accepted entry still applies on the day specified by `expires`", async () => {
    const today = new Date().toISOString().slice(0, 10);
    expect(
      (await gate(await folder({ accepted: [{ ...entry, reason, expires: today }] }))).code,
    ).toBe(0);
  });
});

describe("--accept", () => {
  it("--accept adds one entry per finding, and the gate then passes", async () => {
    const cwd = await folderOf({ "a.json": { ...broken, extra: lists({ ...item, name: null }) } });
    const first = await gate(cwd, "--accept");
    expect([first.code, first.stderr]).toEqual([0, `wrote 1 accepted entry to ${CONFIG}\n`]);
    expect(await readConfig(cwd)).toEqual({
      $schema: expect.stringMatching(/media-catalogue\/schemas\/contract-config.schema.json$/),
      accepted: [{ ...entry, reason: expect.stringMatching(/^Accepted on \d{4}-\d\d-\d\d by/) }],
    });
    expect(await gate(cwd)).toMatchObject({ code: 0, stderr: "" });
  });

  it("--accept covers every occurrence of a finding, although reports list only the first 1,000", async () => {
    const many = { ...lists(...Array.from({ length: 1200 }, () => ({ ...item, name: null }))) };
    const cwd = await folder(
      { accepted: [{ ...entry, pointer: "/results/0/name", reason }] },
      many,
    );
    const { code, stdout } = await gate(cwd, "--format", "json");
    const [finding] = (JSON.parse(stdout) as ContractReport).findings;
    expect([code, finding?.count, finding?.occurrences.length]).toEqual([1, 1200, 1000]);
    for (const [format, text] of [
      ["pretty", "×1200"],
      ["github", "(1200 times)"],
      ["sarif", '"occurrenceCount": 1200'],
      ["markdown", "and 1199 more"],
    ] as const)
      expect((await gate(cwd, "--format", format)).stdout).toContain(text);
    expect((await gate(cwd, "--accept")).code).toBe(0);
  });

  it("--accept writes no pointer in an entry for a status or a media type", async () => {
    const created = {
      ...lists(item).response!,
      status: 201,
      headers: { "content-type": "text/x" },
    };
    const cwd = await folderOf({ "a.json": recording(created) });
    expect((await gate(cwd, "--accept")).code).toBe(0);
    const { operation } = entry;
    expect((await readConfig(cwd)).accepted).toMatchObject([
      { rule: "http/undocumented-status", operation, status: 201 },
      { rule: "http/undocumented-media-type", operation, status: 201, actual: "text/x" },
    ]);
    expect(await readFile(join(cwd, CONFIG), "utf8")).not.toContain('"pointer"');
    expect((await gate(cwd)).code).toBe(0);
  });

  it("--accept keeps settings and valid entries, replaces an expired entry, and adds no entry twice", async () => {
    const other = {
      ...entry,
      actual: "number",
      reason,
      expires: "2999-01-01",
    };
    const recorded = lists({ ...item, name: 1 }, { ...item, name: null, id: "1" });
    const config = {
      minValidatedShare: 0.5,
      accepted: [other, { ...entry, reason, expires: "2020-01-01" }],
    };
    const cwd = await folder(config, recorded);
    expect((await gate(cwd, "--accept")).code).toBe(0);
    const written = await readConfig(cwd);
    expect(written).toMatchObject({
      minValidatedShare: 0.5,
      accepted: [
        other,
        { ...entry, reason: expect.stringMatching(/^Accepted on/) },
        { rule: "schema/type", pointer: "/results/*/id" },
      ],
    });
    expect(await gate(cwd, "--accept")).toMatchObject({ code: 0, stderr: /wrote 0/ });
    expect(await readConfig(cwd)).toEqual(written);
  });

  it("--accept creates the file that --config names, and neither the file nor a report contains a secret", async () => {
    // Reports show an undeclared key that is a plain identifier, unless the key equals a sensitive value.
    const token = "canary_of_letters";
    const body = { success: true, expires_at: "2026-01-15 18:30:00 UTC", request_token: token };
    const created = recording(
      { body: { ...body, [token]: 1 } },
      { path: "/3/authentication/token/new" },
    );
    const cwd = await folderOf({ "a.json": { ...created, operation: undefined } });
    const args = ["--config", "gate.json", "--undeclared", "error", "--accept"];
    for (const format of FORMATS)
      expect((await gate(cwd, "--format", format)).stdout).not.toContain(token);
    await gate(cwd, ...args);
    const text = await readFile(join(cwd, "gate.json"), "utf8");
    expect(text).toContain('"rule": "undeclared/property"');
    expect(text).not.toContain(token);
    expect((await gate(cwd, ...args.slice(0, 4))).code).toBe(0);
  });
});
