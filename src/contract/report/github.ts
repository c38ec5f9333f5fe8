import { problemsOf, type Problem } from "./problems.js";
import type { Report } from "./report.js";
import { placeOf, titleOf } from "./words.js";

const COMMANDS = { fail: "error", warn: "warning" } as const;

/** Workflow commands that GitHub Actions shows at the lines of a pull request. Notes, which ask for nothing, are not. */
export function githubReport(report: Report): string {
  const findings = report.findings.flatMap((finding) => {
    const { severity, recording, rule, spec, fix } = finding;
    if (severity === "note") return [];
    const also = recording.length > 1 ? ` (${recording.length} times)` : "";
    const text = `${titleOf(finding)}${also}\nDescribed at ${placeOf(spec)}\n${fix}`;
    return command(COMMANDS[severity], rule, text, recording[0]);
  });
  const problems = problemsOf(report).map(({ kind, text, place }) =>
    command("error", kind, text, place),
  );
  return [...findings, ...problems].join("");
}

/** Escaped as the runner reads it: a line break would end the command, and what follows could be another. */
function command(name: string, title: string, text: string, place: Problem["place"]): string {
  const { file, line, column: col } = place ?? {};
  const properties = Object.entries({ file, line, col, title })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${String(value).replace(/[%\r\n:,]/g, encodeURIComponent)}`);
  return `::${name} ${properties.join(",")}::${text.replace(/[%\r\n]/g, encodeURIComponent)}\n`;
}
