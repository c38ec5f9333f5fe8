import { ReleaseError } from "./step.js";

/** How far a version rises, or has to. */
export type Bump = "none" | "patch" | "minor" | "major";

const order: readonly Bump[] = ["none", "patch", "minor", "major"];

/** Whether one bump is less than another. */
export function isLess(one: Bump, other: Bump): boolean {
  return order.indexOf(one) < order.indexOf(other);
}

/** The greatest of some bumps; none of none. */
export function greatest(bumps: Iterable<Bump>): Bump {
  return [...bumps].reduce((most, each) => (isLess(most, each) ? each : most), "none");
}

/** How far it is from a version to a later one; undefined where the other is lower. A prerelease counts as its release. */
export function riseOf(from: string, to: string): Bump | undefined {
  const [one, other] = [partsOf(from), partsOf(to)];
  const index = one.findIndex((part, place) => part !== other[place]);
  if (index === -1) return "none";
  if (other[index]! < one[index]!) return undefined;
  return order.toReversed()[index];
}

/** The least version that has risen so far. Below 1.0.0, the second number says what breaks. */
export function raised(from: string, bump: Bump): string {
  const [major, minor, patch] = partsOf(from);
  const due = needed(from, bump);
  if (due === "major") return `${major + 1}.0.0`;
  if (due === "minor") return `${major}.${minor + 1}.0`;
  return due === "patch" ? `${major}.${minor}.${patch + 1}` : from;
}

/** How far a version has to rise for a change: as far as the change is rated, but to 1.0.0 only on purpose. */
export function needed(from: string, bump: Bump): Bump {
  return bump === "major" && partsOf(from)[0] === 0 ? "minor" : bump;
}

function partsOf(version: string): [number, number, number] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)(?:-[\w.-]+)?$/.exec(version) ?? [];
  if (patch === undefined) {
    throw new ReleaseError(`${version} is no version; write it as 1.2.3 in package.json`);
  }
  return [Number(major), Number(minor), Number(patch)];
}
