/** How a version changes, from the lowest bump to the highest. */
const BUMPS = ["none", "patch", "minor", "major"] as const;
export type Bump = (typeof BUMPS)[number];

/** Returns the highest of several bumps. */
export function highest(bumps: readonly Bump[]): Bump {
  return BUMPS[Math.max(0, ...bumps.map((bump) => BUMPS.indexOf(bump)))]!;
}

/** Returns the bump from one version to a later one. */
export function bumpBetween(from: string, to: string): Bump {
  const [old, now] = [from, to].map((version) => version.split("."));
  const index = now!.findIndex((part, at) => part !== old![at]);
  return (["major", "minor", "patch"] as const)[index] ?? "none";
}

/** Returns the highest bump that the texts of changesets ask for. */
export function bumpOf(changesets: readonly string[]): Bump {
  const lines = changesets
    .join("\n")
    .matchAll(/^["']?media-catalogue["']?: (patch|minor|major)$/gm);
  return highest([...lines].map(([, bump]) => bump as Bump));
}
