import { appendFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { once } from "node:events";
import { joinChoices } from "../contract/engine/format-value.js";
import { didYouMean } from "../contract/engine/suggest.js";
import { createAttachmentFinder } from "../contract/input/attachments.js";
import { fileExists, identifyFile, resolveLinks } from "../contract/shared/file-exists.js";
import type { Report } from "../contract/report/create-report.js";
import type { RenderOptions } from "../contract/report/format-report.js";
import { FORMATS, render, type Format } from "../contract/report/render.js";
import { check, CommandError } from "../contract/shared/command-error.js";
import { describeWriteError, writeFile } from "../contract/shared/write-file.js";

/** Where the reports go: one format to standard output, and the others to files. */
export interface Outputs {
  format: Format;
  files: { format: Format; file: string }[];
}

/** Paths to standard output. A pipe cannot always be opened by its path. */
const STANDARD_OUTPUTS = new Set(["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]);

/** Reads the `--format` options. @throws {CommandError} if a format or a file is invalid */
export function readOutputs(formats: readonly string[]): Outputs {
  const outputs = formats.map((each) => {
    const [, name = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(each) ?? [];
    const format = FORMATS.find((one) => one === name);
    const hint = didYouMean(name, FORMATS) || `; use ${joinChoices(FORMATS)}`;
    check(format, `unknown format "${name}"${hint}`);
    check(file !== "", `--format ${each} needs a file name after the equals sign`);
    const isStandard = file !== undefined && STANDARD_OUTPUTS.has(file);
    check(!isStandard, `use --format ${format}, without a file, for standard output`);
    return { format, file };
  });
  const files = outputs.flatMap(({ format, file }) => (file === undefined ? [] : { format, file }));
  const [standard, ...others] = outputs.filter(({ file }) => file === undefined);
  const advice = "only one --format can go to standard output; use FORMAT=FILE for the others";
  check(others.length === 0, advice);
  const isUnique = new Set(files.map(({ file }) => resolve(file))).size === files.length;
  check(isUnique, "two --format options write to the same file; use one file per format");
  return { files, format: standard?.format ?? "pretty" };
}

/**
 * Checks that no report would replace an input, or a body that a HAR in the folder of an input keeps in a file.
 * @param inputs paths to files, and `-` for standard input, which can also be a file
 * @throws {CommandError} if a report would replace one
 */
export async function checkOutputs({ files }: Outputs, inputs: readonly string[]): Promise<void> {
  const paths = inputs.map((each) => (each === "-" ? "/dev/stdin" : resolve(each)));
  const targets = new Set(paths.map(identifyFile));
  const folders = new Set(paths.map((each) => dirname(each)));
  const isAttachment = createAttachmentFinder();
  for (const { file } of files) {
    const path = resolveLinks(resolve(file));
    const isInput =
      targets.has(identifyFile(path)) ||
      (fileExists(path) && folders.has(dirname(path)) && (await isAttachment(path)));
    check(!isInput, `--format would replace the input ${file}; choose another file`);
  }
}

/**
 * Writes the reports. In a step of GitHub Actions whose annotations come from the `github` format, also adds the
 * `markdown` report to the summary of the step, because GitHub shows only some of the annotations.
 * @param summary the path to the summary of the step; empty outside of GitHub Actions
 * @throws {CommandError} if a report cannot be written; the other reports are still written
 */
export async function writeReports(
  report: Report,
  outputs: Outputs,
  options: RenderOptions & { summary: string },
): Promise<void> {
  const { format, files } = outputs;
  const { summary, color = false, ...shared } = options;
  const problems: string[] = [];
  const attempt = (writing: Promise<void>) =>
    writing.catch(({ message }: CommandError) => problems.push(message));
  for (const each of files)
    await attempt(writeFile(each.file, render(each.format, report, shared)));
  const isOnGithub = [format, ...files.map((each) => each.format)].includes("github");
  const isNamed = files.some(({ file }) => resolve(file) === resolve(summary));
  if (summary !== "" && isOnGithub && !isNamed)
    await attempt(addTo(summary, render("markdown", report, shared)));
  // Writes to standard output last, because the process exits if the reader closes the pipe.
  for (const part of render(format, report, { ...shared, color }))
    if (!process.stdout.write(part)) await once(process.stdout, "drain");
  if (problems.length > 0) throw new CommandError(problems.join("\n"));
}

/** Adds text to the summary of a step, which other commands in the step can also write. */
async function addTo(file: string, parts: Iterable<string>): Promise<void> {
  await appendFile(file, [...parts].join("")).catch((error: Error) => {
    throw new CommandError(describeWriteError("GITHUB_STEP_SUMMARY", error));
  });
}
