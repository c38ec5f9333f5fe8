import { groups } from "../groups.js";
import { problemsOf } from "./problems.js";
import type { Report, ReportFinding } from "./report.js";
import { escapeHtml } from "./visible.js";
import { placeOf, titleOf } from "./words.js";

/** JUnit XML: a suite an operation, a case an exchange; then a suite a kind of other problems. */
export function junitReport(report: Report): string {
  const byExchange = groups(
    report.findings.flatMap(partsOf),
    ({ recording }) => recording[0]?.exchange,
  );
  const exchanges = report.exchanges.map(({ operation, name }) => {
    const outcomes = (byExchange.get(name) ?? []).map(outcomeOf);
    // Failures have to stand before what is merely printed.
    return { suite: operation || "no operation", name, outcomes: outcomes.toSorted() };
  });
  const problems = problemsOf(report).map(({ kind, text }) => {
    const tag = kind === "unreadable" ? "error" : "failure";
    return { suite: kind, name: text, outcomes: [element(tag, { type: kind, message: text })] };
  });
  const cases = [...exchanges, ...problems];
  const suites = [...new Set(cases.map(({ suite }) => suite))].map((name) => {
    const own = cases.filter(({ suite }) => suite === name);
    const count = (tag: string) =>
      own.filter(({ outcomes }) => outcomes.some((each) => each.startsWith(tag))).length;
    const attributes = {
      name,
      tests: own.length,
      failures: count("<failure"),
      errors: count("<error"),
    };
    const content = own.map((each) =>
      element("testcase", { classname: name, name: each.name }, each.outcomes),
    );
    return element("testsuite", attributes, content);
  });
  const root = element("testsuites", { name: "media-catalogue contract" }, suites);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

/** A finding, as it is of each exchange alone. */
function partsOf(finding: ReportFinding): ReportFinding[] {
  const parts = groups(finding.recording, ({ exchange }) => exchange).values();
  return [...parts].map((recording) => ({ ...finding, ...recording[0], recording }));
}

function outcomeOf(finding: ReportFinding): string {
  const { severity, rule, recording, spec, fix } = finding;
  const title = titleOf(finding);
  if (severity !== "fail") {
    return element("system-out", {}, [escapeHtml(`${severity} ${rule} ${title}\n`)]);
  }
  const lines = [...recording, spec].map(placeOf).concat(fix);
  return element("failure", { type: rule, message: title }, [escapeHtml(`${lines.join("\n")}\n`)]);
}

function element(
  name: string,
  attributes: Record<string, string | number>,
  content: string[] = [],
): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeHtml(String(value))}"`,
  );
  const inner = content.length === 0 ? "" : `\n${content.join("")}`;
  return `<${name}${written.join("")}>${inner}</${name}>\n`;
}
