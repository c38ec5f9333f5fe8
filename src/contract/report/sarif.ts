import { rules } from "../engine/rules.js";
import { problemsOf, type Problem } from "./problems.js";
import type { Report, ReportFinding } from "./report.js";
import { visibleJson } from "./visible.js";
import { titleOf } from "./words.js";

const LEVELS = { fail: "error", warn: "warning", note: "note" } as const;

/** SARIF 2.1.0, for code scanning: a result a finding, at its first place, with the other places and the YAML related. */
export function sarifReport(report: Report): string {
  const ids = [...new Set(report.findings.map(({ rule }) => rule))].toSorted();
  const notifications = problemsOf(report).map(({ text, place }) => ({
    level: "error",
    message: { text },
    ...(place && { locations: [locationOf(place)] }),
  }));
  const described = ids.map((id) => {
    const { title, fix } = rules[id];
    return { id, shortDescription: { text: title }, help: { text: fix } };
  });
  const executionSuccessful = report.unreadable.length === 0;
  const run = {
    tool: { driver: { name: "media-catalogue", rules: described } },
    columnKind: "utf16CodeUnits",
    invocations: [{ executionSuccessful, toolExecutionNotifications: notifications }],
    results: report.findings.map((finding) => resultOf(finding, ids)),
  };
  const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return visibleJson({ $schema, version: "2.1.0", runs: [run] });
}

function resultOf(finding: ReportFinding, ids: readonly string[]) {
  const { recording, spec, rule, severity, fix, fingerprint } = finding;
  return {
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level: LEVELS[severity],
    // SARIF 2.1.0, 3.11.6: what looks like a link of Markdown is one.
    message: { text: `${titleOf(finding)}. ${fix}`.replaceAll("](", "] (") },
    locations: recording.slice(0, 1).map(locationOf),
    relatedLocations: [spec, ...recording.slice(1)].map((place, index) => ({
      id: index + 1,
      message: { text: index === 0 ? "described here" : "here too" },
      ...locationOf(place),
    })),
    partialFingerprints: { "contractFinding/v1": fingerprint },
  };
}

function locationOf({ file, line, column }: NonNullable<Problem["place"]>) {
  const uri = file.split("/").map(encodeURIComponent).join("/");
  const region = line === undefined ? undefined : { startLine: line, startColumn: column };
  return { physicalLocation: { artifactLocation: { uri }, region } };
}
