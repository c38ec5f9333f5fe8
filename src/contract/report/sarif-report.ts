import { pathToFileURL } from "node:url";
import { rules } from "../engine/rules.js";
import type { Position } from "../engine/types.js";
import { counted } from "../engine/short.js";
import { escapeHtml, MOST, placeOf, textOf, titleOf, visibleJson } from "./report.js";
import type { Report, ReportFinding } from "./report.js";

/** Workflow commands, which GitHub Actions displays as annotations. Omits notes, because they need no action. */
export function githubReport({ findings, problems }: Report): string {
  const faults = findings.filter(({ severity }) => severity === "fail" || severity === "warn");
  const accepted = findings.filter(({ severity }) => severity === "accepted").length;
  const annotations = [
    ...problems.map((each) => command("error", each.kind, textOf(each), each)),
    ...faults.map((finding) => {
      const { severity, recording, count, rule, spec, fix } = finding;
      const also = count > 1 ? ` (${count} times)` : "";
      const text = `${titleOf(finding)}${also}\nDescribed at ${placeOf(spec)}\n${fix}`;
      return command(severity === "fail" ? "error" : "warning", rule, text, recording[0]);
    }),
  ];
  const lines = annotations.slice(0, MOST);
  const hidden = annotations.length - MOST;
  if (hidden > 0) {
    const text = `${hidden} more are not shown here; --format json lists all of them`;
    lines.push(command("warning", "more findings", text));
  }
  if (accepted > 0) {
    const text = `${counted(accepted, "finding")} accepted by the configuration`;
    lines.push(command("notice", "accepted", text));
  }
  return lines.join("");
}

/** Escapes text for the runner: a line break would end the command, and the rest could start another one. */
function command(name: string, title: string, text: string, place?: Partial<Position>): string {
  const { file, line, column: col } = place ?? {};
  const properties = Object.entries({ file, line, col, title })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${String(value).replace(/[%\r\n:,]/g, encodeURIComponent)}`);
  return `::${name} ${properties.join(",")}::${text.replace(/[%\r\n]/g, encodeURIComponent)}\n`;
}

/** JUnit XML: one case per exchange, with its operation as the class, and one per problem. */
export function junitReport({ findings, exchanges, problems }: Report): string {
  const byFingerprint = new Map(findings.map((each) => [each.fingerprint, each]));
  const cases = [
    ...exchanges.map(({ operation, name, outcome, findings: found }) => {
      const results = found.map((each) => resultOf(byFingerprint.get(each)!, name));
      if (outcome === "unmatched") results.push(element("skipped", {}));
      // The schema requires skips and failures before printed output.
      const content = results.toSorted().join("");
      return element("testcase", { classname: operation || "no operation", name }, content);
    }),
    ...problems.map((each) => {
      const message = textOf(each);
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

/** A finding with its occurrences in one exchange. */
function resultOf(finding: ReportFinding, exchange: string): string {
  const { severity, rule, spec, fix, accepted } = finding;
  const recording = finding.recording.filter((each) => each.exchange === exchange);
  const title = titleOf({ ...finding, ...recording[0] });
  if (severity !== "fail") {
    const why = accepted ? ` (${accepted.reason})` : "";
    return element("system-out", {}, escapeHtml(`${severity} ${rule} ${title}${why}\n`));
  }
  const lines = [...recording, spec].map(placeOf).concat(fix);
  return element("failure", { type: rule, message: title }, escapeHtml(`${lines.join("\n")}\n`));
}

function element(name: string, attributes: Record<string, string | number>, content = ""): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeHtml(String(value))}"`,
  );
  return `<${name}${written.join("")}>${content && `\n${content}`}</${name}>\n`;
}

const LEVELS = { fail: "error", warn: "warning", note: "note", accepted: "error" } as const;

/** SARIF 2.1.0 for code scanning. The location is the first place; other places and the YAML are related locations. */
export function sarifReport({ findings, problems }: Report): string {
  const ids = [...new Set(findings.map(({ rule }) => rule))].toSorted();
  const described = ids.map((id) => {
    const { title, fix } = rules[id];
    return { id, shortDescription: { text: title }, help: { text: fix } };
  });
  const notifications = problems.map((each) => ({
    level: "error",
    message: { text: textOf(each) },
    ...(each.file !== undefined && { locations: [locationOf(each)] }),
  }));
  const executionSuccessful = notifications.length === 0;
  const run = {
    tool: { driver: { name: "media-catalogue", rules: described } },
    columnKind: "utf16CodeUnits",
    invocations: [{ executionSuccessful, toolExecutionNotifications: notifications }],
    results: findings.map((finding) => {
      const { recording, count, spec, rule, severity, fix, fingerprint, accepted } = finding;
      const justification = accepted?.reason;
      return {
        ruleId: rule,
        ruleIndex: ids.indexOf(rule),
        level: LEVELS[severity],
        // Text that looks like a Markdown link becomes one (SARIF 2.1.0, section 3.11.6).
        message: { text: `${titleOf(finding)}. ${fix}`.replaceAll("](", "] (") },
        occurrenceCount: count,
        locations: recording.slice(0, 1).map(locationOf),
        relatedLocations: [spec, ...recording.slice(1)].map((place, index) => ({
          id: index + 1,
          message: { text: index === 0 ? "described here" : "also here" },
          ...locationOf(place),
        })),
        partialFingerprints: { "contractFinding/v1": fingerprint },
        ...(accepted && {
          suppressions: [{ kind: "external", status: "accepted", justification }],
        }),
      };
    }),
  };
  const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return visibleJson({ $schema, version: "2.1.0", runs: [run] });
}

/** Paths below the root of the repository are relative, others absolute. */
function locationOf({ file = "", line, column }: Partial<Position>) {
  const isAbsolute = /^(\/|[a-z]:)/i.test(file);
  const relative = file.split("/").map(encodeURIComponent).join("/");
  const uri = isAbsolute ? pathToFileURL(file).href : relative;
  const region = line === undefined ? undefined : { startLine: line, startColumn: column };
  return { physicalLocation: { artifactLocation: { uri }, region } };
}
