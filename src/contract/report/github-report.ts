import { pluralize } from "../engine/format-value.js";
import type { Position } from "../engine/types.js";
import type { ContractReport } from "./create-report.js";
import { formatPosition, formatProblem } from "../engine/format-position.js";
import { formatFinding, MAX_SHOWN } from "./format-report.js";

/**
 * Formats a report as workflow commands, which GitHub Actions displays as annotations. Omits notes, because they need
 * no action.
 */
export function githubReport({ findings, problems }: ContractReport): string {
  const shown = findings.filter(({ severity }) => severity === "error" || severity === "warning");
  const accepted = findings.filter(({ severity }) => severity === "accepted").length;
  const annotations = [
    ...problems.map((each) => formatCommand("error", each.kind, formatProblem(each), each)),
    ...shown.map((finding) => {
      const { severity, occurrences, count, rule, descriptionLocation, fix } = finding;
      const also = count > 1 ? ` (${count} times)` : "";
      const text = `${formatFinding(finding)}${also}\nDescribed at ${formatPosition(descriptionLocation)}\n${fix}`;
      return formatCommand(severity === "error" ? "error" : "warning", rule, text, occurrences[0]);
    }),
  ];
  const lines = annotations.slice(0, MAX_SHOWN);
  const hidden = annotations.length - MAX_SHOWN;
  if (hidden > 0) {
    const text = `${pluralize(hidden, "more annotation")} not shown; --format json lists all findings`;
    lines.push(formatCommand("warning", "more findings", text));
  }
  if (accepted > 0) {
    const text = `${pluralize(accepted, "finding")} accepted by the configuration`;
    lines.push(formatCommand("notice", "accepted", text));
  }
  return lines.join("");
}

/** Formats a workflow command. Escapes line breaks, because text after a line break could start another command. */
function formatCommand(
  name: string,
  title: string,
  text: string,
  { file, line, column: col }: Partial<Position> = {},
): string {
  const properties = Object.entries({ file, line, col, title })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${String(value).replace(/[%\r\n:,]/g, encodeURIComponent)}`);
  return `::${name} ${properties.join(",")}::${text.replace(/[%\r\n]/g, encodeURIComponent)}\n`;
}
