import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { ruleOf } from "../engine/rules.js";
import type { Position } from "../../types/exchange.js";
import type { Finding } from "../engine/types.js";
import type { Report } from "./create-report.js";
import { formatProblem } from "../engine/format-position.js";
import { formatJson, formatFinding, type RenderOptions } from "./format-report.js";

/**
 * Formats a report as SARIF 2.1.0 for code scanning. The location of a SARIF result is the first occurrence of the
 * finding. The related locations are the location in the description and the other occurrences. GitHub opens an alert
 * for each result, so accepted findings are omitted, and notes are omitted unless `hasNotes` is set.
 */
export function sarifReport(
  { findings: all, problems }: Report,
  { hasNotes = false }: RenderOptions,
): Iterable<string> {
  const findings = all.filter(
    ({ severity }) => severity !== "accepted" && (hasNotes || severity !== "note"),
  );
  const ids = [...new Set(findings.map(({ rule }) => rule))].toSorted();
  const ruleDescriptors = ids.map((id) => {
    const { title, fix } = ruleOf(id);
    return { id, shortDescription: { text: title }, help: { text: fix } };
  });
  const notifications = problems.map((each) => ({
    level: "error",
    message: { text: formatProblem(each) },
    ...(each.file !== undefined && { locations: [toLocation(each)] }),
  }));
  const executionSuccessful = notifications.length === 0;
  const run = {
    tool: { driver: { name: "media-catalogue", rules: ruleDescriptors } },
    columnKind: "utf16CodeUnits",
    invocations: [{ executionSuccessful, toolExecutionNotifications: notifications }],
    results: listResults(findings, ids),
  };
  const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return formatJson({ $schema, version: "2.1.0", runs: [run] }, 2);
}

/** Yields the SARIF results one by one, because together they can need much more memory than the findings. */
function* listResults(findings: readonly Finding[], ids: readonly string[]) {
  for (const finding of findings) {
    const { occurrences, count, descriptionLocation, rule, severity, fix, fingerprint } = finding;
    yield {
      ruleId: rule,
      ruleIndex: ids.indexOf(rule),
      level: severity,
      // Viewers display `[text](target)` as a link (SARIF 2.1.0, section 3.11.6).
      message: { text: `${formatFinding(finding)}. ${fix}`.replaceAll("](", "] (") },
      occurrenceCount: count,
      // A response of a deployment is in no file, so the result is located in the description.
      locations: [occurrences[0]?.file === undefined ? descriptionLocation : occurrences[0]].map(
        toLocation,
      ),
      relatedLocations: [
        descriptionLocation,
        ...occurrences.slice(1).filter(({ file }) => file !== undefined),
      ].map((location, index) => ({
        id: index + 1,
        message: { text: index === 0 ? "described here" : "also here" },
        ...toLocation(location),
      })),
      partialFingerprints: { "contractFinding/v1": fingerprint },
    };
  }
}

/** Converts a position to a SARIF location. The URI is relative inside the repository, and absolute outside of it. */
function toLocation({ file = "", line, column }: Partial<Position>) {
  const relative = file.split("/").map(encodeURIComponent).join("/");
  const uri = isAbsolute(file) ? pathToFileURL(file).href : relative;
  const region = line === undefined ? undefined : { startLine: line, startColumn: column };
  return { physicalLocation: { artifactLocation: { uri }, region } };
}
