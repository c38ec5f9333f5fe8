import { createReport, type Report } from "../../../src/contract/report/create-report.js";
import type { Finding } from "../../../src/contract/engine/types.js";

/** Text with markup, terminal and workflow commands, control characters, and an invisible change of text direction. */
export const HOSTILE = `</pre><script>alert(1)</script> ' " & | \`x\` \u001B[31m\r\n::error::x \u202Eabc\uFFFE\uD800 ]]>`;

const at = (file: string, line: number, column: number, pointer: string) => ({
  file,
  line,
  column,
  pointer,
});

const found = (exchange: string, value: string, ...location: Parameters<typeof at>) => ({
  ...at(...location),
  exchange,
  status: 200,
  value,
});

const missing: Finding = {
  rule: "schema/required",
  title: "The property `name` is missing",
  severity: "error",
  count: 3,
  category: "violation",
  operation: "movies.lists",
  status: 200,
  pointer: "/results/0/name",
  pointerTemplate: "/results/*/name",
  occurrences: [
    ...[3, 4].map((line) => {
      const file = "recordings/a b,c:d%.json";
      return found(file, "absent", file, line, 5, `/results/${line - 3}/name`);
    }),
    found("site.har#1", "null", "site.har", 1, 90, "/results/0/name"),
  ],
  descriptionLocation: at(
    "openapi/catalogue.yaml",
    2,
    3,
    "/components/schemas/ListSummary/required",
  ),
  expected: "present",
  value: "absent",
  declared: ["description", "name"],
  didYouMean: "nam",
  fix: "Send the property.",
  fingerprint: "0a1b2c",
};
const drift: Finding = {
  ...missing,
  rule: "undeclared/property",
  title: `The property \`${HOSTILE}\` is undeclared`,
  severity: "warning",
  count: 1,
  category: "undeclared",
  pointer: `/${HOSTILE}`,
  occurrences: [found("site.har#1", HOSTILE, "site.har", 1, 120, `/${HOSTILE}`)],
  value: HOSTILE,
  fingerprint: "3d4e5f",
};
const gap: Finding = {
  rule: "unspecified/value",
  title: "The property `gender` is unspecified (G05: Gender codes)",
  severity: "note",
  count: 1,
  category: "unspecified",
  operation: "people.popular",
  status: 200,
  pointer: "/results/0/gender",
  pointerTemplate: "/results/*/gender",
  occurrences: [found("stdin", "3", "stdin", 1, 1, "/results/0/gender")],
  descriptionLocation: at("openapi/catalogue.yaml", 4, 1, "/x"),
  expected: "0, 1, or 2",
  value: "3",
  declared: [],
  gap: { id: "G05", text: "Gender codes" },
  fix: "No action is needed.",
  fingerprint: "6a7b8c",
};

const accepted: Finding = {
  ...missing,
  rule: "schema/type",
  title: "The property `description` has the wrong type",
  severity: "accepted",
  count: 1,
  accepted: { reason: "ticket 123", expires: "2027-03-31" },
  pointer: "/results/0/description",
  occurrences: [found("site.har#1", "null", "site.har", 1, 100, "/results/0/description")],
  value: "null",
  fingerprint: "9d0e1f",
};

const counts = { minValidatedShare: 0.9 };

/** A report with one finding of each severity, and with skipped, unvalidated, and unreadable inputs. */
export const sample: Report = createReport({
  ...counts,
  description: "openapi/catalogue.yaml",
  findings: [gap, accepted, drift, missing],
  exchanges: [
    { name: "recordings/a b,c:d%.json", operation: "movies.lists", findings: ["0a1b2c"] },
    { name: "site.har#1", operation: "movies.lists", findings: ["0a1b2c", "3d4e5f", "9d0e1f"] },
    { name: "stdin", operation: "people.popular", findings: ["6a7b8c"] },
    { name: "site.har#2", operation: "", findings: [], unvalidated: "no operation" },
    { name: "site.har#3", operation: "authentication.convertV4Session", findings: [] },
    {
      name: "site.har#4",
      operation: "movies.lists",
      findings: [],
      unvalidated: "body not recorded",
    },
  ],
  skipped: new Map([
    ["other host", 2],
    ["other path", 1],
  ]),
  problems: [
    { kind: "unreadable", file: "bad.json", line: 3, column: 7, message: "is truncated JSON" },
    { kind: "unreadable", file: "no.har", message: "does not exist" },
    {
      kind: "accepted-entry",
      file: "c.json",
      line: 5,
      column: 3,
      message: "accepted entry 1: expired",
    },
  ],
});

/** A report without findings. */
export const clean: Report = createReport({
  ...counts,
  description: "openapi/catalogue.yaml",
  findings: [],
  exchanges: [{ name: "a.json", operation: "movies.lists", findings: [] }],
  skipped: new Map(),
  problems: [],
});
