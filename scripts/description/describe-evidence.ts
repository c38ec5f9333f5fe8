/** What a part of the description rests on. */
export interface Evidence {
  level?: string;
  /** Day, month, or year of the latest recording. */
  seen?: string;
  /** Where a borrowed type comes from. */
  inferred?: string;
}

/** The level of evidence in words, with its latest month, such as "Several sources; seen 2026-08." */
export function describeEvidence({ level, seen, inferred }: Evidence = {}): string | undefined {
  if (level === undefined) return undefined;
  const evidence = level === "documented" ? "documented only" : level;
  const date = seen === undefined ? "" : `; seen ${seen.slice(0, "2026-01".length)}`;
  const origin = inferred === undefined ? "" : ` Inferred: ${inferred}.`;
  return `${evidence[0]!.toUpperCase()}${evidence.slice(1)}${date}.${origin}`;
}
