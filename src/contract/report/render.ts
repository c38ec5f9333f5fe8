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

/**
 * Escapes invisible characters in every string value of JSON data. Keeps keys unchanged. Copies only what changes, because
 * a copy of all findings can need as much memory as the findings.
 */
function escapeStrings<T>(value: T): T {
  if (typeof value === "string") return escapeInvisible(value) as T;
  if (typeof value !== "object" || value === null) return value;
  const changes = Object.entries(value).flatMap(([key, each]) => {
    const escaped: unknown = escapeStrings(each);
    return escaped === each ? [] : [[key, escaped] as const];
  });
  if (changes.length === 0) return value;
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
  return Object.assign(copy, Object.fromEntries(changes)) as T;
}
