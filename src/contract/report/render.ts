import type { ContractReport } from "./create-report.js";
import { escapeInvisible, formatJson } from "./format-report.js";
import { githubReport } from "./github-report.js";
import { junitReport } from "./junit-report.js";
import { markdownReport } from "./markdown-report.js";
import { prettyReport } from "./pretty-report.js";
import { sarifReport } from "./sarif-report.js";

const RENDERERS = {
  pretty: prettyReport,
  json: formatJson,
  junit: junitReport,
  sarif: sarifReport,
  github: githubReport,
  markdown: markdownReport,
} satisfies Record<string, (report: ContractReport, color: boolean) => string>;

/** The name of an output format. */
export type Format = keyof typeof RENDERERS;

export const FORMATS = Object.keys(RENDERERS) as readonly Format[];

/**
 * Formats a report as text that ends with a line break.
 * @param color whether to use ANSI colors, which only the `pretty` format supports
 */
export function render(format: Format, report: ContractReport, color: boolean): string {
  const isData = format === "json" || format === "sarif";
  return RENDERERS[format](isData ? report : mapStrings(report, escapeInvisible), color);
}

/** Copies JSON data, and replaces every string value. Keeps keys unchanged. */
function mapStrings<T>(value: T, replace: (text: string) => string): T {
  if (typeof value === "string") return replace(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => mapStrings(each, replace)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, mapStrings(each, replace)]);
  return Object.fromEntries(entries) as T;
}
