import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { FORMATS } from "../../../src/contract/report/formats.js";
import type { Report } from "../../../src/contract/report/report.js";
import { root } from "../../support/paths.js";
import { folderOf, recording } from "../input/support.js";
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
const page = { id: 603, page: 1, total_pages: 1, total_results: 2 };
const lists = (...results: object[]) => recording({ body: { ...page, results } });
/** Two violations of the same rule, in two items. */
const broken = lists({ ...item, name: null }, { ...item, name: null });
const entry = { rule: "value/null", operation: "movies.lists", pointer: "/results/*/name" };
const reason = "ticket 123";
const gate = (cwd: string, ...args: string[]) => run(["contract", "a.json", ...args], { cwd });
const folder = (config: unknown, recorded: unknown = broken) =>
  folderOf({ "a.json": recorded, [CONFIG]: config });
const readConfig = async (cwd: string) => JSON.parse(await readFile(join(cwd, CONFIG), "utf8"));

describe("contract.config.json", () => {
  it("is read from the working directory or --config, and the command line overrides it", async () => {
    const drifted = lists({ ...item, extra: 1 });
    const cwd = await folder({ $schema: "x", undeclared: "fail" }, drifted);
    await writeFile(join(cwd, "other.json"), "{}");
    expect((await gate(cwd)).code).toBe(1);
    expect((await gate(cwd, "--config", "other.json")).code).toBe(0);
    expect((await gate(cwd, "--undeclared", "warn")).code).toBe(0);
  });

  it("sets the share of exchanges that must match", async () => {
    const unmatched = { ...recording({}, { path: "/4/x" }), operation: undefined };
    const cwd = await folderOf({
      "a.json": lists(item),
      "b.json": unmatched,
      [CONFIG]: { minMatched: 0.5 },
    });
    expect((await gate(cwd, "b.json")).code).toBe(0);
    await writeFile(join(cwd, CONFIG), '{"minMatched": 0}');
    // Inconclusive at any share, because nothing was validated.
    expect((await run(["contract", "b.json"], { cwd })).code).toBe(3);
  });

  it.each<[unknown, string]>([
    ["{", `${CONFIG}:1:2 is truncated: the JSON is incomplete`],
    ["[]", `${CONFIG}:1:1 must be an object`],
    [
      '{"undeclard": "fail"}',
      'undeclard is unknown. Did you mean "undeclared"? Valid keys: $schema, description, undeclared, minMatched, accepted.',
    ],
    ['{"undeclared": "err"}', 'undeclared must be "fail" or "warn".'],
    ['{"minMatched": 90}', "minMatched must be a number from 0 to 1."],
    ['{"minMatched": "0.5"}', "minMatched must be a number from 0 to 1."],
    ['{"minMatched": 0, "minMatched": 1}', "minMatched occurs twice in the same object"],
    ['{"accepted": {}}', "accepted must be a list."],
    ['{"accepted": [1]}', `${CONFIG}:1:15 accepted.0 must be an object`],
    [{ accepted: [{ ...entry, rule: "value/nul", reason }] }, 'Did you mean "value/null"?'],
    [{ accepted: [{ ...entry, rule: ["value/null"], reason }] }, "accepted.0.rule must be a rule."],
    [
      { accepted: [{ ...entry, operation: "movies.list", reason }] },
      'Did you mean "movies.lists"?',
    ],
    [{ accepted: [{ ...entry, pointer: "results", reason }] }, "pointer must be a JSON pointer"],
    [{ accepted: [{ ...entry, reason, until: "2027-02-30" }] }, "until must be a date such as"],
    [{ accepted: [{ ...entry, reason, note: "x" }] }, "accepted.0.note is unknown."],
    [
      { accepted: [{ rule: "value/null", reason }] },
      `${CONFIG}:3:5 accepted.0 must have "operation"`,
    ],
  ])("%j is refused, with the position of the problem", async (config, problem) => {
    const { code, stdout, stderr } = await gate(await folder(config));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(problem);
  });

  it("has a published schema that accepts the documented example and refuses invalid settings", async () => {
    const schema = JSON.parse(
      await readFile(join(root, "schemas/contract-config.schema.json"), "utf8"),
    );
    const ajv = new Ajv2020({ strict: true });
    formats.default(ajv);
    const validate = ajv.compile(schema);
    const docs = await readFile(join(root, "docs/configuration.md"), "utf8");
    const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(docs)?.[1] ?? "");
    expect([validate(example), validate.errors]).toEqual([true, null]);
    const bad = [{ undeclard: 1 }, { minMatched: 2 }, { accepted: [{ ...entry, reason: " " }] }];
    expect(bad.filter((each) => validate(each))).toEqual([]);
  });
});

describe("an accepted finding", () => {
  it("does not fail, and every format shows it as accepted", async () => {
    const cwd = await folder({ accepted: [{ ...entry, reason, until: "2999-12-31" }] });
    for (const format of FORMATS) {
      const { code, stdout } = await gate(cwd, "--format", format);
      expect([format, code, stdout]).toEqual([format, 0, expect.stringMatching(/accepted/i)]);
      if (format !== "github") expect(stdout).toContain(reason);
    }
    const { summary, findings } = JSON.parse(
      (await gate(cwd, "--format", "json")).stdout,
    ) as Report;
    expect(summary).toMatchObject({ outcome: "passed", passed: 1, failures: 0, accepted: 1 });
    expect(findings).toMatchObject([
      { severity: "accepted", accepted: { reason, until: "2999-12-31" } },
    ]);
  });

  it.each([
    ["one of two occurrences", "/results/0/name", 1],
    ["every index", "/results/*/name", 0],
    ["every key", "/*/*/*", 0],
    ["fewer steps", "/results/*", 1],
    ["the root", "", 1],
  ])("is matched by pointer: %s", async (_, pointer, expected) => {
    expect((await gate(await folder({ accepted: [{ ...entry, pointer, reason }] }))).code).toBe(
      expected,
    );
  });

  it.each<[string, { pointer?: string; reason?: string; until?: string }, string]>([
    ["without a reason", {}, "has no reason; say why the finding is accepted"],
    ["with a blank reason", { reason: " " }, "has no reason"],
    [
      "that has expired",
      { reason, until: "2020-01-31" },
      "expired on 2020-01-31; fix the deviation",
    ],
    ["that matches nothing", { reason, pointer: "/id" }, "matches no finding; remove it"],
  ])("fails the run if it has an entry %s", async (_, change, problem) => {
    const changed = { ...entry, ...change };
    const cwd = await folder({ accepted: [changed] }, change.pointer ? lists(item) : broken);
    for (const format of FORMATS) {
      const { code, stdout } = await gate(cwd, "--format", format);
      expect([format, code]).toEqual([format, 1]);
      expect(stdout.replaceAll("\\", "")).toContain(problem);
    }
    expect((await gate(cwd)).stdout).toContain(
      `✖ ${CONFIG}:3:5 accepted entry 1: value/null movies.lists ${changed.pointer} ${problem}`,
    );
  });

  it("is valid through its last day", async () => {
    const today = new Date().toISOString().slice(0, 10);
    expect(
      (await gate(await folder({ accepted: [{ ...entry, reason, until: today }] }))).code,
    ).toBe(0);
  });
});

describe("--write-accepted", () => {
  it("makes a failing gate pass, with one entry per finding", async () => {
    const cwd = await folderOf({ "a.json": { ...broken, extra: lists({ ...item, name: null }) } });
    const first = await gate(cwd, "--write-accepted");
    expect([first.code, first.stderr]).toEqual([0, `Wrote 1 accepted entry to ${CONFIG}\n`]);
    expect(await readConfig(cwd)).toEqual({
      $schema: expect.stringMatching(/media-catalogue\/schemas\/contract-config.schema.json$/),
      accepted: [{ ...entry, reason: expect.stringMatching(/^Accepted on \d{4}-\d\d-\d\d by/) }],
    });
    expect(await gate(cwd)).toMatchObject({ code: 0, stderr: "" });
  });

  it("covers every occurrence of a finding, though reports list only the first 1,000", async () => {
    const many = { ...lists(...Array.from({ length: 1200 }, () => ({ ...item, name: null }))) };
    const cwd = await folder(
      { accepted: [{ ...entry, pointer: "/results/0/name", reason }] },
      many,
    );
    const { code, stdout } = await gate(cwd, "--format", "json");
    const [finding] = (JSON.parse(stdout) as Report).findings;
    expect([code, finding?.count, finding?.recording.length]).toEqual([1, 1200, 1000]);
    for (const [format, text] of [
      ["pretty", "×1200"],
      ["github", "(1200 times)"],
      ["sarif", '"occurrenceCount": 1200'],
      ["markdown", "and 1199 more"],
      ["html", "<li>and 200 more</li>"],
    ] as const)
      expect((await gate(cwd, "--format", format)).stdout).toContain(text);
    expect((await gate(cwd, "--write-accepted")).code).toBe(0);
  });

  it("keeps other keys and entries, replaces expired ones, and writes nothing twice", async () => {
    const other = { ...entry, rule: "value/type", reason, until: "2999-01-01" };
    const recorded = lists({ ...item, name: 1 }, { ...item, name: null, id: "1" });
    const config = {
      minMatched: 0.5,
      accepted: [other, { ...entry, reason, until: "2020-01-01" }],
    };
    const cwd = await folder(config, recorded);
    expect((await gate(cwd, "--write-accepted")).code).toBe(0);
    const written = await readConfig(cwd);
    expect(written).toMatchObject({
      minMatched: 0.5,
      accepted: [other, { rule: "value/type", pointer: "/results/*/id" }, { ...entry }],
    });
    expect(await gate(cwd, "--write-accepted")).toMatchObject({ code: 0, stderr: /Wrote 0/ });
    expect(await readConfig(cwd)).toEqual(written);
  });

  it("replaces an expired entry for one item by the entry for all items", async () => {
    const old = { ...entry, pointer: "/results/0/name", reason, until: "2020-01-01" };
    const cwd = await folder({ accepted: [old] });
    expect((await gate(cwd, "--write-accepted")).code).toBe(0);
    expect((await readConfig(cwd)).accepted).toMatchObject([{ pointer: entry.pointer }]);
  });

  it("creates the file given by --config, without secrets", async () => {
    const token = "tok-5up3r-s3cr3t-value-1234567890";
    const body = { ...page, results: [], [token]: 1, access_token: token };
    const cwd = await folderOf({ "a.json": recording({ body }) });
    const args = ["--config", "gate.json", "--undeclared", "fail", "--write-accepted"];
    await gate(cwd, ...args);
    const text = await readFile(join(cwd, "gate.json"), "utf8");
    expect(text).toContain('"rule": "drift/field"');
    expect(text).not.toContain(token);
    expect((await gate(cwd, ...args.slice(0, 4))).code).toBe(0);
  });
});
