import { githubReport, junitReport, sarifReport } from "./ci.js";
import { htmlReport } from "./html.js";
import { markdownReport } from "./markdown.js";
import { prettyReport } from "./pretty.js";
import type { Report } from "./report.js";
import { mapStrings, visible, visibleJson } from "./visible.js";

const RENDERERS = {
  pretty: prettyReport,
  json: visibleJson,
  junit: junitReport,
  sarif: sarifReport,
  github: githubReport,
  markdown: markdownReport,
  html: htmlReport,
} satisfies Record<string, (report: Report, color: boolean) => string>;

/** The name of an output format. */
export type Format = keyof typeof RENDERERS;

export const FORMATS = Object.keys(RENDERERS) as readonly Format[];

/** Writes a report in a format: text that ends with a line break. @param color ANSI colors, which only `pretty` has */
export function render(format: Format, report: Report, color: boolean): string {
  const isData = format === "json" || format === "sarif";
  return RENDERERS[format](isData ? report : mapStrings(report, visible), color);
}
