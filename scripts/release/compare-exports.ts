import type { Bump } from "./bump.js";

/** What a version exports: the names of entry points, and the report of the public types of each entry point, by file. */
export interface PublicNames {
  entryPoints: string[];
  reports: Record<string, string>;
}

/** Lists entry points and exported names that a version no longer has, in Markdown. */
export function compareExports(
  before: PublicNames,
  after: PublicNames,
): { text: string; bump: Bump } {
  const entryPoints = before.entryPoints.filter((name) => !after.entryPoints.includes(name));
  const names = Object.entries(before.reports).flatMap(([file, report]) => {
    const kept = exportsOf(after.reports[file] ?? "");
    return exportsOf(report)
      .filter((name) => !kept.includes(name))
      .map((name) => `${name} (${file})`);
  });
  const removed = [...entryPoints, ...names].map((name) => `- ${name}`);
  if (removed.length === 0) return { text: "", bump: "none" };
  const title = "## Removed exports\n\nRequires a **major** bump:";
  return { text: `${title}\n\n${removed.join("\n")}`, bump: "major" };
}

/** Reads the names in a report, such as `export interface Movie {` and `export { Image_2 as Image }`. */
function exportsOf(report: string): string[] {
  const names = report.matchAll(/^export (?:\{ (?:\w+ as )?|(?:abstract |declare )?\w+ )(\w+)/gm);
  return [...names].map(([, name]) => name!);
}
