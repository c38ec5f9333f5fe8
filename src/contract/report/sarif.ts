import { rules } from "../rules.js";
import type { Position } from "../types.js";
import type { Report, ReportFinding } from "./report.js";
import { titleOf } from "./words.js";

const LEVELS = { fail: "error", warn: "warning", note: "note" } as const;

/** SARIF 2.1.0, for code scanning: a result a finding, at its first place, with the other places and the YAML related. */
export function sarifReport(report: Report): string {
  const ids = [...new Set(report.findings.map(({ rule }) => rule))].toSorted();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "media-catalogue", rules: ids.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: report.unreadable.length === 0,
            toolExecutionNotifications: report.unreadable.map(
              ({ file, line, column, problem }) => ({
                level: "error",
                message: { text: `${file} ${problem}` },
                locations: [physical({ file, ...(line && { line }), ...(column && { column }) })],
              }),
            ),
          },
        ],
        results: report.findings.map((finding) => resultOf(finding, ids)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function ruleOf(id: string) {
  const rule = Object.hasOwn(rules, id) ? rules[id as keyof typeof rules] : undefined;
  return { id, ...(rule && { shortDescription: { text: rule.title }, help: { text: rule.fix } }) };
}

function resultOf(finding: ReportFinding, ids: readonly string[]) {
  const [first, ...others] = finding.recording;
  const { spec, rule, severity, fingerprint } = finding;
  return {
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level: LEVELS[severity],
    message: { text: `${titleOf(finding)}. ${finding.fix}` },
    locations: first ? [physical(first)] : [],
    relatedLocations: [
      related(1, "described here", spec),
      ...others.map((each, index) => related(index + 2, "here too", each)),
    ],
    partialFingerprints: { "contractFinding/v1": fingerprint },
  };
}

function related(id: number, text: string, place: Position) {
  return { id, message: { text }, ...physical(place) };
}

function physical({ file, line, column }: Partial<Position> & { file: string }) {
  return {
    physicalLocation: {
      artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") },
      ...(line !== undefined && {
        region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
      }),
    },
  };
}
