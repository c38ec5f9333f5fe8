import { groups } from "../engine/groups.js";
import { problemsOf } from "./problems.js";
import type { Report, ReportFinding } from "./report.js";
import { escapeHtml } from "./visible.js";
import { placeOf, titleOf } from "./words.js";

/** JUnit XML: a suite an operation, a case an exchange; then a suite a kind of other problems. */
export function junitReport(report: Report): string {
  const found = groups(report.findings.flatMap(partsOf), ({ exchange }) => exchange);
  const exchanges = report.exchanges.map(({ operation, name }) => {
    // Failures have to stand before what is merely printed.
    const outcomes = (found.get(name) ?? []).map(outcomeOf).toSorted();
    return { suite: operation || "no operation", name, content: outcomes.join("") };
  });
  const problems = problemsOf(report).map(({ kind, text }) => {
    const tag = kind === "unreadable" ? "error" : "failure";
    return { suite: kind, name: text, content: element(tag, { type: kind, message: text }) };
  });
  const suites = groups([...exchanges, ...problems], ({ suite }) => suite);
  const elements = Array.from(suites, ([name, cases]) => {
    const count = (tag: string) => cases.filter(({ content }) => content.includes(tag)).length;
    const counts = { tests: cases.length, failures: count("<failure"), errors: count("<error") };
    const content = cases.map((each) =>
      element("testcase", { classname: name, name: each.name }, each.content),
    );
    return element("testsuite", { name, ...counts }, content.join(""));
  });
  const root = element("testsuites", { name: "media-catalogue contract" }, elements.join(""));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

/** A finding, as it is of each exchange alone. */
function partsOf(finding: ReportFinding) {
  const parts = groups(finding.recording, ({ exchange }) => exchange).values();
  return Array.from(parts, (recording) => ({ ...finding, ...recording[0], recording }));
}

function outcomeOf(finding: ReportFinding): string {
  const { severity, rule, recording, spec, fix } = finding;
  const title = titleOf(finding);
  if (severity !== "fail")
    return element("system-out", {}, escapeHtml(`${severity} ${rule} ${title}\n`));
  const lines = [...recording, spec].map(placeOf).concat(fix);
  return element("failure", { type: rule, message: title }, escapeHtml(`${lines.join("\n")}\n`));
}

function element(name: string, attributes: Record<string, string | number>, content = ""): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeHtml(String(value))}"`,
  );
  return `<${name}${written.join("")}>${content && `\n${content}`}</${name}>\n`;
}
