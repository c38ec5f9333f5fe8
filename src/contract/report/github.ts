import type { Report } from "./report.js";
import { mapStrings, visible } from "./visible.js";
import { placeOf, survivorsOf, titleOf } from "./words.js";

const COMMANDS = { fail: "error", warn: "warning" } as const;

/** Workflow commands that GitHub Actions shows at the lines of a pull request. Notes, which ask for nothing, are not. */
export function githubReport(raw: Report): string {
  const { findings, mutation, unreadable } = mapStrings(raw, visible);
  const lines = findings.flatMap((finding) => {
    if (finding.severity === "note") return [];
    const [place] = finding.recording;
    const also = finding.recording.length > 1 ? ` (${finding.recording.length} times)` : "";
    const text = `${titleOf(finding)}${also}\nDescribed at ${placeOf(finding.spec)}\n${finding.fix}`;
    return command(COMMANDS[finding.severity], place, finding.rule, text);
  });
  const broken = unreadable.map((each) =>
    command("error", each, "unreadable", `${each.file} ${each.problem}`),
  );
  const survivors = survivorsOf(mutation).map((each) =>
    command("error", undefined, "mutant", each),
  );
  return [...lines, ...broken, ...survivors].map((line) => `${line}\n`).join("");
}

function command(
  name: string,
  place: { file: string; line?: number; column?: number } | undefined,
  title: string,
  text: string,
): string {
  const properties = [
    ...(place ? [`file=${property(place.file)}`] : []),
    ...(place?.line === undefined ? [] : [`line=${place.line}`]),
    ...(place?.column === undefined ? [] : [`col=${place.column}`]),
    `title=${property(title)}`,
  ];
  return `::${name} ${properties.join(",")}::${data(text)}`;
}

/** As the runner reads it: a line break would end the command, and what follows could be another. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
