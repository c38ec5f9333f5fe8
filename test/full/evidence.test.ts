import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileDocument } from "../../scripts/description/compile.js";
import {
  isCurrent,
  matchEvidence,
  readAllEvidence,
  templateOf,
} from "../../scripts/evidence/evidence-files.js";
import { noteEvidence, summarizeEvidence } from "../../scripts/evidence/summarize-evidence.js";
import { readYaml } from "../../scripts/description/yaml.js";
import { FULL } from "../../scripts/shared/paths.js";
import type { Report } from "../../src/contract/report/create-report.js";
import { listOperations, walkPointers } from "../../src/openapi/document.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { description as specified } from "../../src/generated/description.js";
import { run } from "../contract/cli/support.js";
import { root } from "../support/paths.js";

const { document } = await readYaml(join(root, FULL));
const description = compileDocument({ document, positions: {} });
const exchanges = readAllEvidence(root);

describe("test/evidence", () => {
  it("each file is named after the operationId of a specified operation, or after the method and path of another operation", () => {
    const ids = new Map(specified.operations.map((each) => [templateOf(each), each.id]));
    const templates = new Set(listOperations(document).map(templateOf));
    for (const { name, request } of exchanges) {
      if (name.includes("/unknown.json#")) continue;
      const template = templateOf(request);
      expect(templates).toContain(template);
      const own = ids.get(template) ?? `${request.method}${request.path!.replaceAll("/", ".")}`;
      expect(basename(name).replace(/#\d+$/, "")).toBe(`${own}.json`);
    }
  });

  it("each body has a source, and a valid date unless the source states none", () => {
    for (const { name, source } of exchanges) {
      expect(source?.name, name).toMatch(/./);
      expect(source?.date ?? "2021", name).toMatch(/^20\d\d(-\d\d(-\d\d)?)?$/);
    }
  });

  it("what a source does not state is left out: headers, values of a path and a query, and often the status", () => {
    for (const { name, request, response } of exchanges) {
      expect([response.headers, response.areHeadersUnrecorded], name).toEqual([{}, true]);
      expect(Object.values(request.query ?? {}).filter(Boolean), name).toEqual([]);
      if (request.path !== undefined) expect(request.path, name).toMatch(/^(\/(\w+|\{\w+\}))+$/);
    }
    expect(exchanges.some(({ response }) => response.status === undefined)).toBe(true);
  });

  it("the bodies contain placeholders instead of values", () => {
    const forms = [
      "|text|en|US|HD|HQ|Region/City|/x\\.jpg|https://example\\.org/x|7(\\|7)*|0+|(nm|tt)0000001",
      "2020-01-01([T ]00:00:00(\\.000)?(Z| UTC))?",
      // Names of categories, such as departments and video sites.
      "_?[a-z]+(_[a-z]+){0,3}|[A-Z][a-z]+( [A-Z][a-z]+)?|Costume & Make-Up|YouTube",
    ];
    const isPlaceholder = new RegExp(`^(${forms.join("|")})$`);
    // Numbers up to 36 are placeholders or codes. Larger numbers are video heights.
    const isKnown = (value: unknown) =>
      typeof value === "string"
        ? isPlaceholder.test(value)
        : typeof value !== "number" || value <= 36 || [360, 480, 720, 1080, 2160].includes(value);
    const unknown = exchanges.flatMap(({ name, response: { body = null } }) =>
      [...walkPointers(body)]
        .filter((pointer) => !isKnown(getAtPointer(body, pointer)))
        .map((pointer) => name + pointer),
    );
    expect(unknown).toEqual([]);
  });

  it("test/evidence contains the recordings since 2023, and test/older-evidence everything else", () => {
    const misplaced = exchanges.filter(
      (each) => isCurrent(each) !== each.name.startsWith("evidence/"),
    );
    expect(misplaced.map(({ name }) => name)).toEqual([]);
    expect(exchanges.filter(isCurrent).length).toBeGreaterThan(400);
  });

  it("the gate finds no errors in test/evidence by the full description, and only parts that one app still appends are undeclared", async () => {
    const { code, stdout } = await run(["contract", "test/evidence", "--full", "--format", "json"]);
    const { summary, findings } = JSON.parse(stdout) as Report;
    expect([code, summary.outcome]).toEqual([0, "passed"]);
    expect(summary.unvalidated / summary.read).toBeLessThan(0.03);
    const problems = findings.filter(({ category }) => category !== "unspecified");
    // Version 3 no longer documents these parts.
    expect(problems.map((each) => `${each.rule} ${each.operation} ${each.pointer}`)).toEqual([
      "undeclared/property movies.details /trailers",
      "undeclared/property movies.details /releases",
    ]);
  });
});

it("only recordings with a date since 2023 show how the service behaves today", () => {
  const recorded = (source: object) =>
    isCurrent({ name: "a", source, request: {}, response: { headers: {} } });
  const dates = ["2022-12", "2023", "2026-08-06", "unknown", undefined];
  expect(dates.filter((date) => recorded({ date }))).toEqual(["2023", "2026-08-06"]);
  expect(recorded({ date: "2026", kind: "documentation" })).toBe(false);
});

describe("computed evidence", () => {
  const operation = description.operations.find(({ id }) => id === "genres.movieList");
  const file = (sources: string[], kind: "recording" | "documentation" = "recording") =>
    matchEvidence(
      sources.map((name, index) => ({
        name: `a.json#${index + 1}`,
        source: { kind, name, date: `2026-0${index + 1}` },
        request: { method: "GET", path: operation!.path },
        response: { status: 200, headers: {}, body: { genres: [{ id: 7, name: "text" }] } },
      })),
      description,
    );
  const noteOf = (...given: Parameters<typeof file>) => {
    const noted = noteEvidence(file(...given), description);
    return String(getAtPointer(noted, `${operation!.pointer}/description`) ?? "");
  };

  it("the evidence for an operation has the number of recordings, their repositories, and the latest date", () => {
    const only = { ...description, operations: [operation!] };
    const all = summarizeEvidence(file(["a/b:c.json", "a/b:d.json", "e/f"]), only);
    expect(all).toEqual([
      { id: "genres.movieList", recordings: 3, sources: ["a/b", "e/f"], seen: "2026-03" },
    ]);
    expect(summarizeEvidence(file(["a/b"], "documentation"), only)).toMatchObject([
      { recordings: 0 },
    ]);
  });

  it("a doc comment mentions evidence only if no recording or a single recording shows the operation", () => {
    expect(noteOf(["official documentation"], "documentation")).toMatch(
      /No recorded response shows it\.$/,
    );
    expect(noteOf(["a/b"])).toMatch(/One recorded response shows it\.$/);
    expect(noteOf(["a/b", "c/d"])).not.toMatch(/record/);
  });
});
