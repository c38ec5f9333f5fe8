import { excerptsOf, type Excerpts } from "../../../src/contract/report/excerpt.js";
import {
  createReport,
  type Report,
  type ReportFinding,
} from "../../../src/contract/report/report.js";
import { placeOf } from "../../../src/contract/report/words.js";

/** What a hostile recording would like a reader to run: markup, commands of terminals and runners, hidden order. */
export const HOSTILE = `</pre><script>alert(1)</script> ' " & | \`x\` \u001B[31m\r\n::error::x \u202Eabc\uFFFE\uD800 ]]>`;

const at = (file: string, line: number, column: number, pointer: string) => ({
  file,
  line,
  column,
  pointer,
});

const found = (exchange: string, actual: string, ...place: Parameters<typeof at>) => ({
  ...at(...place),
  exchange,
  status: 200,
  actual,
});

const missing: ReportFinding = {
  rule: "value/required",
  severity: "fail",
  verdict: "violation",
  operation: "movies.lists",
  status: 200,
  pointer: "/results/0/name",
  recording: [
    ...[3, 4].map((line) => {
      const file = "recordings/a b,c:d%.json";
      return found(file, "absent", file, line, 5, `/results/${line - 3}/name`);
    }),
    found("site.har#1", "null", "site.har", 1, 90, "/results/0/name"),
  ],
  spec: at("openapi/catalogue.yaml", 2, 3, "/components/schemas/ListSummary/required"),
  expected: "present",
  actual: "absent",
  declared: ["description", "name"],
  didYouMean: "nam",
  fix: "Send the member.",
  fingerprint: "0a1b2c",
};
const drift: ReportFinding = {
  ...missing,
  rule: "drift/field",
  severity: "warn",
  verdict: "undeclared",
  pointer: `/${HOSTILE}`,
  recording: [found("site.har#1", HOSTILE, "site.har", 1, 120, `/${HOSTILE}`)],
  actual: HOSTILE,
  fingerprint: "3d4e5f",
};
const gap: ReportFinding = {
  rule: "gap/value",
  severity: "note",
  verdict: "gap-observed",
  operation: "people.popular",
  status: 200,
  pointer: "/results/0/gender",
  recording: [found("stdin", "3", "stdin", 1, 1, "/results/0/gender")],
  spec: at("openapi/catalogue.yaml", 4, 1, "/x"),
  expected: "0, 1 or 2",
  actual: "3",
  declared: [],
  gap: "G05",
  fix: "Nothing to do.",
  fingerprint: "6a7b8c",
};

/** A report with one finding of each severity, and of everything else at least one. */
export const sample: Report = createReport({
  description: "openapi/catalogue.yaml",
  findings: [gap, drift, missing],
  exchanges: [
    {
      name: "recordings/a b,c:d%.json",
      operation: "movies.lists",
      outcome: "failed",
      findings: ["0a1b2c"],
    },
    {
      name: "site.har#1",
      operation: "movies.lists",
      outcome: "failed",
      findings: ["0a1b2c", "3d4e5f"],
    },
    { name: "stdin", operation: "people.popular", outcome: "passed", findings: ["6a7b8c"] },
    { name: "site.har#2", operation: "", outcome: "passed", findings: [] },
  ],
  coverage: {
    operations: {
      "movies.lists": { operation: { covered: 1, total: 1 }, "null arm": { covered: 1, total: 2 } },
      "people.popular": { operation: { covered: 1, total: 1 } },
    },
    dimensions: [
      { name: "operation", covered: 23, total: 23, ratio: 1, threshold: 1, missing: [] },
      {
        name: "null arm",
        covered: 1,
        total: 4,
        ratio: 0.25,
        threshold: 0.9,
        missing: [
          { item: "movies.lists poster_path" },
          { item: "movies.latest homepage", reason: "No movie without one is known." },
        ],
      },
    ],
  },
  mutation: {
    total: 1000,
    killed: 998,
    oneRoot: 990,
    waived: [
      {
        operator: "header dropped",
        name: "stdin",
        place: "header: etag",
        spec: "/x",
        reason: "It is optional.",
      },
    ],
    survivors: [
      { operator: "extra key", name: "site.har#1", place: "/results/0", spec: "/components/x" },
    ],
    stale: [{ operator: "null", spec: "/components/y", reason: "None." }],
    operators: { "extra key": 400, null: 600 },
  },
  skipped: new Map([
    ["other origin", 12],
    ["body not kept", 1],
  ]),
  unreadable: [
    { file: "bad.json", line: 3, column: 7, problem: "ends in the middle" },
    { file: "no.har", problem: "does not exist" },
  ],
});

/** A report of a run without anything to tell. */
export const clean: Report = createReport({
  description: "openapi/catalogue.yaml",
  findings: [],
  exchanges: [{ name: "a.json", operation: "movies.lists", outcome: "passed", findings: [] }],
  coverage: null,
  mutation: null,
  skipped: new Map(),
  unreadable: [],
});

const recording = `{\n  "results": [\n    { "id": 1, "x": ${JSON.stringify(HOSTILE)} },\n    {}\n  ]\n}`;
const yaml = "ListSummary:\n  required: [name]\n  type: object\nother: <b>\n";

/** The excerpts of the sample. */
export const excerpts: Excerpts = new Map([
  [
    placeOf(missing.recording[0]!),
    excerptsOf(recording, { line: 1, column: 1 })(missing.recording[0]!),
  ],
  [
    placeOf(drift.recording[0]!),
    excerptsOf(`${"x".repeat(300)}<i>${"y".repeat(300)}`, { line: 1, column: 1 })({
      ...drift.recording[0]!,
      column: 302,
    }),
  ],
  [placeOf(missing.spec), excerptsOf(yaml, { line: 1, column: 1 })(missing.spec)],
]);
