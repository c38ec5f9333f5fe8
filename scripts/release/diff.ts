import { rateChanges, ratingOf, type RatedChange } from "./rate.js";
import { assertReadable, description } from "./readable.js";
import { kept, readReleased } from "./released.js";
import type { Context, Outcome } from "./step.js";
import { isLess, needed, raised, riseOf } from "./version.js";

/** Changes that a problem names; the reports have all of them. */
const NAMED = 10;

/** The version rises at least as far as the change of the description asks. */
export async function diff({ project, version }: Context): Promise<Outcome> {
  const released = await readReleased(project);
  const changes = await changesSince(project);
  const rating = ratingOf(changes);
  const rise = riseOf(released.version, version);
  const summary =
    rating === "none"
      ? `the description is that of ${released.version}`
      : `${rating} since ${released.version}: ${changes.length} ${changes.length === 1 ? "change" : "changes"}`;
  if (rise === undefined) {
    const problem = `package.json says ${version}, lower than ${released.version}, which is released; raise it`;
    return { summary, problems: [problem], changes };
  }
  if (!isLess(rise, needed(released.version, rating))) return { summary, problems: [], changes };
  const due = raised(released.version, rating);
  const problem =
    `the description has changed since ${released.version}, which asks for a ${needed(released.version, rating)} bump, ` +
    `to ${due} or later, and package.json says ${version}; add a changeset (npx changeset) and run ` +
    `npm run release:version\n${gravest(changes, rating)}`;
  return { summary, problems: [problem], changes };
}

/** The changes since the last release, rated. @throws {ReleaseError} a description cannot be read */
export async function changesSince(project: string): Promise<RatedChange[]> {
  // The tool would give a stack.
  await assertReadable(project, kept.description);
  await assertReadable(project, description);
  return rateChanges(project, kept.description, description);
}

function gravest(changes: readonly RatedChange[], rating: string): string {
  const named = changes.filter(({ impact }) => impact === rating);
  const lines = named
    .slice(0, NAMED)
    .map(({ at, what, pointer, why }) => `${at} ${what} ${pointer}: ${why}`);
  const more = named.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
}
