import type { ContractReport } from "./create-report.js";
import type { Finding } from "../engine/types.js";
import { formatOccurrence, formatPosition, formatProblem } from "../engine/format-position.js";
import { escapeHtml, formatFinding } from "./format-report.js";

/** Formats a report as JUnit XML with one test case for each exchange and each problem. */
export function junitReport({ findings, exchanges, problems }: ContractReport): string {
  const byFingerprint = new Map(findings.map((each) => [each.fingerprint, each]));
  const cases = [
    ...exchanges.map(({ operation, name, outcome, unvalidated, findings: found }) => {
      const results = found.map((each) => formatResult(byFingerprint.get(each)!, name));
      if (outcome === "unvalidated") results.push(element("skipped", {}, `${unvalidated}\n`));
      // The JUnit schema requires `failure` and `skipped` elements before `system-out` elements.
      const content = results.toSorted().join("");
      return element("testcase", { classname: operation || "no operation", name }, content);
    }),
    ...problems.map((each) => {
      const message = formatProblem(each);
      const content = element("error", { type: each.kind, message });
      return element("testcase", { classname: each.kind, name: message }, content);
    }),
  ];
  const count = (tag: string) => cases.filter((each) => each.includes(`<${tag}`)).length;
  const name = "media-catalogue contract";
  const counts = { failures: count("failure"), errors: count("error"), skipped: count("skipped") };
  const suite = element("testsuite", { name, tests: cases.length, ...counts }, cases.join(""));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", { name }, suite)}`;
}

/** Formats a finding with its occurrences in one exchange. */
function formatResult(finding: Finding, exchange: string): string {
  const { severity, rule, descriptionLocation, fix, accepted } = finding;
  const occurrences = finding.occurrences.filter((each) => each.exchange === exchange);
  const text = formatFinding({ ...finding, ...occurrences[0] });
  if (severity !== "error") {
    const why = accepted ? ` (${accepted.reason})` : "";
    return element("system-out", {}, escapeHtml(`${severity} ${rule} ${text}${why}\n`));
  }
  const lines = [...occurrences.map(formatOccurrence), formatPosition(descriptionLocation), fix];
  return element("failure", { type: rule, message: text }, escapeHtml(`${lines.join("\n")}\n`));
}

function element(name: string, attributes: Record<string, string | number>, content = ""): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeHtml(String(value))}"`,
  );
  return `<${name}${written.join("")}>${content && `\n${content}`}</${name}>\n`;
}
