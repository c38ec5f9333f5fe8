/** The kind of version bump, actual or required. */
export type Bump = (typeof order)[number];

/** A release cannot be checked; the message explains the problem and the fix. */
export class ReleaseError extends Error {}

const order = ["none", "patch", "minor", "major"] as const;

/** The greatest of some bumps; `none` if there are no bumps. */
export function greatest(bumps: readonly Bump[]): Bump {
  return order.findLast((bump) => bumps.includes(bump)) ?? "none";
}

/** Whether one bump is smaller than another. */
export function isLess(one: Bump, other: Bump): boolean {
  return order.indexOf(one) < order.indexOf(other);
}

/** The bump from one version to a later one. @throws {ReleaseError} the later version is lower */
export function riseOf(from: string, to: string): Bump {
  const [one, other] = [partsOf(from), partsOf(to)];
  const index = one.findIndex((part, place) => part !== other[place]);
  if (index === -1) return "none";
  if (other[index]! > one[index]!) return order[3 - index]!;
  throw new ReleaseError(`package.json says ${to}, but ${from} is released`);
}

/** The next version after a bump. */
export function raised(version: string, bump: Bump): string {
  const [major, minor, patch] = partsOf(version);
  if (bump === "major") return `${major + 1}.0.0`;
  if (bump === "minor") return `${major}.${minor + 1}.0`;
  return bump === "patch" ? `${major}.${minor}.${patch + 1}` : version;
}

function partsOf(version: string): [number, number, number] {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)(?:-[\w.-]+)?$/.exec(version) ?? [];
  if (parts.length === 3) return parts.map(Number) as [number, number, number];
  throw new ReleaseError(`package.json: version ${version} must have the form 1.2.3`);
}
