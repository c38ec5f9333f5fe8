import { pluralize } from "../engine/format-value.js";
import type { Position } from "../../types/exchange.js";
import type { Report } from "./create-report.js";
import { formatPosition, formatProblem } from "../engine/format-position.js";
import { formatFinding } from "./format-report.js";

/**
 * The maximum numbers of annotations. GitHub shows only the first ten annotations of each level in a step, and another
 * command in the same step can write a warning.
 */
const MAX_SHOWN = { error: 10, warning: 9 } as const;

/**
 * Formats a report as workflow commands, which GitHub Actions displays as annotations. Omits notes, because they need
 * no action.
 */
export function githubReport({ findings, problems }: Report): string {
  const annotate = (level: keyof typeof MAX_SHOWN) =>
    findings
      .filter(({ severity }) => severity === level)
      .map((finding) => {
        const { occurrences, count, rule, descriptionLocation, fix } = finding;
        const also = count > 1 ? ` (${count} times)` : "";
        const text = `${formatFinding(finding)}${also}\nDescribed at ${formatPosition(descriptionLocation)}\n${fix}`;
        return formatCommand(level, rule, text, occurrences[0]);
      });
  const errors = [
    ...problems.map((each) => formatCommand("error", each.kind, formatProblem(each), each)),
    ...annotate("error"),
  ];
  const warnings = annotate("warning");
  const shown = [...errors.slice(0, MAX_SHOWN.error), ...warnings.slice(0, MAX_SHOWN.warning)];
  const hidden = errors.length + warnings.length - shown.length;
  if (hidden > 0) {
    const text = `${pluralize(hidden, "more finding")} not shown; --format json lists all findings`;
    shown.push(formatCommand("notice", "more findings", text));
  }
  const accepted = findings.filter(({ severity }) => severity === "accepted").length;
  if (accepted > 0) {
    const text = `${pluralize(accepted, "finding")} accepted by the configuration`;
    shown.push(formatCommand("notice", "accepted", text));
  }
  return shown.join("");
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
