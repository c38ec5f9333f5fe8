import { parseUrl } from "../../src/client/text.js";

/** How well sources support a statement. */
export type Level = "documented" | "one source" | "several sources";

/** What a part of the description rests on. */
export interface EvidenceLevel {
  level?: Level;
  /** Day, month, or year of the latest recording. */
  seen?: string;
  /** Where a borrowed type comes from. */
  inferred?: string;
}

const DOCUMENTATION = "official documentation";
const WORDS: Readonly<Record<Level, string>> = {
  documented: "Documented only",
  "one source": "Observed in one source",
  "several sources": "Observed in several sources",
};

/**
 * The repository or site of a source. Its files and pages are not independent of each other, and neither are copies of
 * the deployment's own description.
 */
export function findOrigin(source: string): string {
  if (/[:/]tmdb-api\.json$/.test(source)) return DOCUMENTATION;
  const name = source.toLowerCase().replace(/^https:\/\/github\.com\//, "");
  const [repository] = /^[\w.-]+\/[\w.-]+(?=[:/\s]|$)/.exec(name) ?? [];
  if (repository !== undefined) return repository;
  return parseUrl(name)?.host || name;
}

/** The repositories and sites of some sources, without the documentation of the deployment. */
export function findOrigins(sources: Iterable<string>): string[] {
  const origins = new Set([...sources].map(findOrigin));
  origins.delete(DOCUMENTATION);
  return [...origins].toSorted();
}

export function levelOf(sources: Iterable<string>): Level {
  const { length } = findOrigins(sources);
  return length === 0 ? "documented" : length === 1 ? "one source" : "several sources";
}

/** A level in words, with its latest month, such as "Observed in several sources; seen 2026-08." */
export function describeLevel({ level, seen, inferred }: EvidenceLevel = {}): string | undefined {
  const date = seen === undefined ? "" : `; seen ${seen.slice(0, "2026-01".length)}`;
  const parts = [
    ...(level === undefined ? [] : [`${WORDS[level]}${date}.`]),
    ...(inferred === undefined ? [] : [`Inferred: ${inferred}.`]),
  ];
  return parts.length > 0 ? parts.join(" ") : undefined;
}
