import type { Bump } from "./bump.js";

/** What a version exports: the names of entry points and commands, and the report of each entry point's public types. */
export interface PublicNames {
  entryPoints: string[];
  reports: Record<string, string>;
}

/** Lists entry points, exported names, and their properties that a version no longer has, in Markdown. */
export function compareExports(
  before: PublicNames,
  after: PublicNames,
): { text: string; bump: Bump } {
  const entryPoints = before.entryPoints.filter((name) => !after.entryPoints.includes(name));
  const names = Object.entries(before.reports).flatMap(([file, report]) => {
    const kept = exportsOf(after.reports[file] ?? "");
    const isListed = (name: string) => {
      const [type, property] = name.split(".");
      // The properties of a removed type need no lines of their own.
      return !kept.includes(name) && (property === undefined || kept.includes(type!));
    };
    return exportsOf(report)
      .filter(isListed)
      .map((name) => `${name} (${file})`);
  });
  const removed = [...entryPoints, ...names].map((name) => `- ${name}`);
  if (removed.length === 0) return { text: "", bump: "none" };
  const title = "## Removed exports\n\nRequires a **major** bump:";
  return { text: `${title}\n\n${removed.join("\n")}`, bump: "major" };
}

/**
 * Reads the names in a report, such as `export interface Movie {` and `export { Image_2 as Image }`, and the properties of
 * each, such as `ClientOptions.retries`.
 */
function exportsOf(report: string): string[] {
  const [, ...declarations] = report.split(
    /^export (?:\{ (?:\w+ as )?|(?:abstract |declare )?\w+ )/m,
  );
  return declarations.flatMap((each) => {
    // A declaration ends before the next line that is not indented, other than a brace.
    const [own = ""] = /^.*(\n[ }].*)*/.exec(each) ?? [];
    const [name = ""] = /^\w+/.exec(own) ?? [];
    const properties = own.matchAll(/^ {4}(?:readonly )?(\w+)\??[:(<]/gm);
    return [name, ...[...properties].map(([, property]) => `${name}.${property}`)];
  });
}
