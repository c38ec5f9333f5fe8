import type { Report, ReportExchange } from "./create-report.js";
import type { Finding } from "../engine/types.js";
import { formatOccurrence, formatPosition, formatProblem } from "../engine/format-position.js";
import { escapeHtml, escapeInvisible, formatFinding } from "./format-report.js";

const NAME = "media-catalogue contract";

/** Formats a report as JUnit XML with one test case for each exchange and each problem. */
export function* junitReport(report: Report): Generator<string> {
  const { findings, exchanges, problems } = report;
  const byFingerprint = new Map(findings.map((each) => [each.fingerprint, each]));
  const counts = { passed: 0, failed: 0, unvalidated: 0 };
  for (const { outcome } of exchanges) counts[outcome] += 1;
  const suite = {
    name: NAME,
    tests: exchanges.length + problems.length,
    failures: counts.failed,
    errors: problems.length,
    skipped: counts.unvalidated,
  };
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${formatAttributes({ name: NAME })}>\n`;
  yield `<testsuite${formatAttributes(suite)}>\n`;
  for (const exchange of exchanges) {
    const found = exchange.findings.map((each) => byFingerprint.get(each)!);
    yield formatExchange(exchange, found);
  }
  for (const each of problems) {
    const message = formatProblem(each);
    const content = element("error", { type: each.kind, message });
    yield element("testcase", { classname: each.kind, name: message }, content);
  }
  yield "</testsuite>\n</testsuites>\n";
}

function formatExchange(exchange: ReportExchange, findings: readonly Finding[]): string {
  const { operation, outcome, unvalidated } = exchange;
  const name = escapeInvisible(exchange.name);
  const found = findings.map((finding) => describeIn(finding, name));
  const errors = found.filter(({ severity }) => severity === "error");
  const others = found.filter(({ severity }) => severity !== "error");
  // The JUnit schema requires `failure` and `skipped` elements before `system-out` elements.
  const content = [
    errors.length > 0 && formatFailure(errors),
    outcome === "unvalidated" && element("skipped", {}, `${unvalidated}\n`),
    others.length > 0 && element("system-out", {}, escapeHtml(others.map(formatLine).join(""))),
  ];
  const shown = content.filter((each) => each !== false).join("");
  return element("testcase", { classname: operation || "no operation", name }, shown);
}

/** A finding as it occurs in one exchange. */
interface Described extends Pick<Finding, "rule" | "severity" | "accepted"> {
  text: string;
  /** Where the finding occurs, where it is described, and how to fix it. */
  details: string;
}

function describeIn(finding: Finding, exchange: string): Described {
  const { rule, severity, accepted, descriptionLocation, fix } = finding;
  const occurrences = finding.occurrences.filter((each) => each.exchange === exchange);
  const lines = [...occurrences.map(formatOccurrence), formatPosition(descriptionLocation), fix];
  return {
    rule,
    severity,
    ...(accepted && { accepted }),
    text: formatFinding({ ...finding, ...occurrences[0] }),
    details: `${lines.join("\n")}\n`,
  };
}

/**
 * Formats the errors in an exchange as one failure, because Jenkins and Azure DevOps show only the first failure of a
 * test case.
 */
function formatFailure(errors: readonly Described[]): string {
  const [{ rule: type, text, details }] = errors as [Described];
  if (errors.length === 1) return element("failure", { type, message: text }, escapeHtml(details));
  const message = `${errors.length} errors; the first one: ${text}`;
  const all = errors.map((each) => `${each.rule}: ${each.text}\n${each.details}`);
  return element("failure", { type, message }, escapeHtml(all.join("\n")));
}

function formatLine({ rule, severity, text, accepted }: Described): string {
  return `${severity} ${rule} ${text}${accepted ? ` (${accepted.reason})` : ""}\n`;
}

function element(name: string, attributes: Record<string, string | number>, content = ""): string {
  return `<${name}${formatAttributes(attributes)}>${content && `\n${content}`}</${name}>\n`;
}

function formatAttributes(attributes: Record<string, string | number>): string {
  return Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeHtml(String(value))}"`)
    .join("");
}
