import type { Excerpts } from "./excerpt.js";
import { githubReport } from "./github.js";
import { htmlReport } from "./html.js";
import { junitReport } from "./junit.js";
import { markdownReport } from "./markdown.js";
import { prettyReport } from "./pretty.js";
import type { Report } from "./report.js";
import { sarifReport } from "./sarif.js";
import { mapStrings, visible, visibleJson } from "./visible.js";

/** What a format may need beside the report. */
export interface Rendering {
  /** Whether the reader shows colours. */
  color: boolean;
  excerpts: Excerpts;
}

const RENDERERS = {
  pretty: prettyReport,
  json: visibleJson,
  junit: junitReport,
  sarif: sarifReport,
  github: githubReport,
  markdown: markdownReport,
  html: htmlReport,
} satisfies Record<string, (report: Report, rendering: Rendering) => string>;

/** The name of an output format. */
export type Format = keyof typeof RENDERERS;

/** Every output format, by name. */
export const FORMATS = Object.keys(RENDERERS) as readonly Format[];

/** Whether a word is the name of a format. */
export function isFormat(word: string): word is Format {
  return Object.hasOwn(RENDERERS, word);
}

/** Writes a report in a format: text, with a line break at its end. */
export function render(format: Format, report: Report, { color, excerpts }: Rendering): string {
  const isData = format === "json" || format === "sarif";
  const shown = isData ? report : mapStrings(report, visible);
  return RENDERERS[format](shown, { color, excerpts: new Map(mapStrings([...excerpts], visible)) });
}
