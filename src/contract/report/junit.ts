import { escapeHtml } from "./escape.js";
import type { Report, ReportExchange, ReportFinding } from "./report.js";
import { mapStrings, visible } from "./visible.js";
import { placeOf, survivorsOf, titleOf } from "./words.js";

/** JUnit XML: a suite an operation, a case an exchange; what cannot be read is an error. */
export function junitReport(raw: Report): string {
  const { exchanges, findings, coverage, mutation, unreadable } = mapStrings(raw, visible);
  const byFingerprint = new Map(findings.map((each) => [each.fingerprint, each]));
  const short = coverage?.dimensions.filter((each) => each.ratio < each.threshold) ?? [];
  const operations = [...new Set(exchanges.map(({ operation }) => operation))].toSorted();
  const suites = [
    ...operations.map((operation) =>
      suite(
        operation || "no operation",
        exchanges
          .filter((each) => each.operation === operation)
          .map((each) => [each.name, outcomeOf(each, byFingerprint)]),
      ),
    ),
    suite(
      "coverage",
      short.map(({ name, ratio, threshold }) => {
        const message = `${ratio} is covered, ${threshold} is wanted`;
        return [name, [element("failure", { type: "coverage", message })]];
      }),
    ),
    suite(
      "mutants",
      survivorsOf(mutation).map((message) => {
        return [message, [element("failure", { type: "mutant", message })]];
      }),
    ),
    suite(
      "unreadable",
      unreadable.map((each) => {
        const message = `${each.file} ${each.problem}`;
        return [placeOf(each), [element("error", { type: "unreadable", message })]];
      }),
    ),
  ];
  const root = element("testsuites", { name: "media-catalogue contract" }, suites.flat());
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

function suite(name: string, cases: [name: string, outcome: string[]][]): string[] {
  if (cases.length === 0) return [];
  const count = (tag: string) =>
    String(cases.filter(([, outcome]) => outcome.some((each) => each.startsWith(tag))).length);
  const attributes = { name, tests: String(cases.length), failures: count("<failure") };
  return [
    element(
      "testsuite",
      { ...attributes, errors: count("<error") },
      cases.map(([each, outcome]) => element("testcase", { classname: name, name: each }, outcome)),
    ),
  ];
}

function outcomeOf(
  { findings }: ReportExchange,
  byFingerprint: ReadonlyMap<string, ReportFinding>,
): string[] {
  const found = findings.flatMap((each) => byFingerprint.get(each) ?? []);
  const others = found.filter(({ severity }) => severity !== "fail");
  return [
    ...found.filter(({ severity }) => severity === "fail").map(failure),
    ...(others.length === 0 ? [] : [element("system-out", {}, others.map(line))]),
  ];
}

function failure(finding: ReportFinding): string {
  const lines = [...finding.recording.map(placeOf), placeOf(finding.spec), finding.fix];
  const attributes = { type: finding.rule, message: titleOf(finding) };
  return element("failure", attributes, [escapeHtml(`${lines.join("\n")}\n`)]);
}

function line(finding: ReportFinding): string {
  return escapeHtml(`${finding.severity} ${finding.rule} ${titleOf(finding)}\n`);
}

function element(name: string, attributes: Record<string, string>, content: string[] = []): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeHtml(value)}"`,
  );
  const inner = content.length === 0 ? "" : `\n${content.join("")}`;
  return `<${name}${written.join("")}>${inner}</${name}>\n`;
}
