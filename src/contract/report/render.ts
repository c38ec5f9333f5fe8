import type { Report } from "./create-report.js";
import { escapeInvisible, formatJson, type RenderOptions } from "./format-report.js";
import { githubReport } from "./github-report.js";
import { junitReport } from "./junit-report.js";
import { markdownReport } from "./markdown-report.js";
import { prettyReport } from "./pretty-report.js";
import { sarifReport } from "./sarif-report.js";

type Renderer = (report: Report, options: RenderOptions) => string | Iterable<string>;

const RENDERERS = {
  pretty: prettyReport,
  json: (report) => formatJson(report),
  junit: junitReport,
  sarif: sarifReport,
  github: githubReport,
  markdown: markdownReport,
} satisfies Record<string, Renderer>;

/** The name of an output format. */
export type Format = keyof typeof RENDERERS;

export const FORMATS = Object.keys(RENDERERS) as readonly Format[];

/** How many characters the parts of a report have. */
const PART_SIZE = 2 ** 16;

/** Formats a report as text that ends with a line break. Yields the text in parts, because it can be long. */
export function* render(
  format: Format,
  report: Report,
  options: RenderOptions = {},
): Generator<string> {
  const isData = format === "json" || format === "sarif";
  const { findings, problems } = report;
  // The names of exchanges are shown only by the junit report, which escapes them itself.
  const shown = isData ? report : { ...report, ...escapeStrings({ findings, problems }) };
  const renderer: Renderer = RENDERERS[format];
  const text = renderer(shown, options);
  let part = "";
  for (const each of typeof text === "string" ? [text] : text) {
    part += each;
    if (part.length < PART_SIZE) continue;
    yield part;
    part = "";
  }
  yield part;
}

/** Copies JSON data, and escapes invisible characters in every string value. Keeps keys unchanged. */
function escapeStrings<T>(value: T): T {
  if (typeof value === "string") return escapeInvisible(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => escapeStrings(each)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, escapeStrings(each)]);
  return Object.fromEntries(entries) as T;
}
