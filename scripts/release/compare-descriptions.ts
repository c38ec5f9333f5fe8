/** Compares a description with an earlier version, with the rules of `redocly diff`. */
import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { redocly, type Output } from "../shared/redocly.js";
import type { Bump } from "./bump.js";

/** Thrown if descriptions cannot be compared; the message is Redocly's. */
export class DiffError extends Error {}

/** The differences in Markdown, and the smallest version bump that allows them. */
interface Comparison {
  text: string;
  bump: Bump;
  problems: string[];
}

/**
 * Compares two versions of openapi/catalogue.yaml. `info.version` must follow the changes.
 * @throws {DiffError} if a file cannot be read or compared
 */
export async function compareSpecification(before: string, after: string): Promise<Comparison> {
  const { stderr, ...comparison } = await diff("redocly.yaml", before, after);
  const [tooLow] = /info\.version .*/.exec(stderr) ?? [];
  const problems = tooLow ? [`${tooLow} Set it in ${after}, and run npm run generate.`] : [];
  const [old, now] = await Promise.all([before, after].map(splitVersion));
  if (old!.version !== now!.version && isDeepStrictEqual(old!.others, now!.others))
    problems.push(
      `info.version has changed from ${old!.version} to ${now!.version}, but nothing else in ${after} has. Set it back to ${old!.version}.`,
    );
  return { ...comparison, problems };
}

/**
 * Compares two versions of openapi/full.yaml, in which a type may follow the service more closely in a minor version.
 * @throws {DiffError} if a file cannot be read or compared
 */
export async function compareService(before: string, after: string): Promise<Comparison> {
  const { text, bump } = await diff("redocly-full.yaml", before, after);
  return { text, bump, problems: [] };
}

/** Runs `redocly diff`, whose report begins with the numbers of major, minor, and patch changes. */
async function diff(config: string, before: string, after: string) {
  const options = ["--config", `scripts/${config}`, "--fail-on", "none", "--check-version"];
  const args = ["diff", before, after, "--format", "markdown", ...options];
  const { stdout, stderr } = await redocly(args).catch((error: Output) => error);
  const counts = /\*\*(\d+)\*\* major · \*\*(\d+)\*\* minor · \*\*(\d+)\*\* patch/.exec(stdout);
  if (!counts) throw new DiffError(`redocly diff failed: ${stderr.trim()}`);
  const highest = counts.slice(1).findIndex((count) => Number(count) > 0);
  const bump: Bump = (["major", "minor", "patch"] as const)[highest] ?? "none";
  // Without changes, the table is empty.
  const [text] = bump === "none" ? stdout.split("\n\n| Impact") : [stdout];
  return { text: text!.trim(), bump, stderr };
}

/** Reads the `info.version` of a description, and everything else in it. */
async function splitVersion(file: string) {
  const { info, ...others } = parse(await readFile(file, "utf8")) as { info: { version: string } };
  const { version, ...rest } = info;
  return { version, others: { ...others, info: rest } };
}
