import { parseUrl } from "../../src/client/text.js";

/** The level of evidence for a statement. */
export type Level = "documented" | "one source" | "several sources";

/** The evidence for a part of the description, from `x-observed`. */
export interface EvidenceLevel {
  level?: Level;
  /** The day, month, or year of the latest recording. */
  seen?: string;
  /** The inferred part and its origin, such as "null as in MovieDetail". */
  inferred?: string;
}

const DOCUMENTATION = "official documentation";
/**
 * Returns the repository or site of a source. Files in one repository have the same origin, and
 * so do pages on one site. All copies of the deployment's own description have the same origin.
 */
export function findOrigin(source: string): string {
  if (/[:/]tmdb-api\.json$/.test(source)) return DOCUMENTATION;
  const name = source.toLowerCase().replace(/^https:\/\/github\.com\//, "");
  const [repository] = /^[\w.-]+\/[\w.-]+(?=[:/\s]|$)/.exec(name) ?? [];
  if (repository !== undefined) return repository;
  return parseUrl(name)?.host || name;
}

/** Returns the repositories and sites of the given sources, except the deployment's documentation. */
export function findOrigins(sources: Iterable<string>): string[] {
  const origins = new Set([...sources].map(findOrigin));
  origins.delete(DOCUMENTATION);
  return [...origins].toSorted();
}

export function levelOf(sources: Iterable<string>): Level {
  const { length } = findOrigins(sources);
  return length === 0 ? "documented" : length === 1 ? "one source" : "several sources";
}

/** Describes the level of evidence and the latest month, as in "Observed in several sources, last in 2026-08." */
export function describeLevel({ level, seen, inferred }: EvidenceLevel = {}): string | undefined {
  const date = seen === undefined ? "" : ` in ${seen.slice(0, "2026-01".length)}`;
  const last = date && `, last${date}`;
  const sentence =
    level === "documented"
      ? `Documented${date}, but not full.`
      : `Observed in ${level}${last}.`;
  const parts = [
    ...(level === undefined ? [] : [sentence]),
    ...(inferred === undefined ? [] : [`Inferred: ${inferred}.`]),
  ];
  return parts.length > 0 ? parts.join(" ") : undefined;
}
