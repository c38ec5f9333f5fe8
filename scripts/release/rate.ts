import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { lowered, ratings } from "./ratings.js";
import { diffDescriptions, type Impact, type SpecChange } from "./spec-diff.js";
import { greatest, type Bump } from "./version.js";

/** A change of the description with what it asks of the version. */
export interface RatedChange {
  impact: Impact;
  /** Such as `removed Schema`, or `modified Schema required`. */
  what: string;
  /** File and line. */
  at: string;
  pointer: string;
  /** Who notices it, or what the tool says. */
  why: string;
}

/** The changes of a description, the gravest first, each rated. */
export async function rateChanges(
  project: string,
  base: string,
  revision: string,
): Promise<RatedChange[]> {
  const changes = (await diffDescriptions(project, base, revision)).map(rate);
  if (changes.length === 0 && !(await isSame(join(project, base), join(project, revision)))) {
    // The tool compares no examples and not the items of extensions; they are published all the same.
    const what = "examples, gaps, comments or order";
    changes.push({ impact: "patch", what, at: revision, pointer: "", why: "text" });
  }
  const order = ["major", "minor", "patch"];
  return changes.toSorted((one, other) => order.indexOf(one.impact) - order.indexOf(other.impact));
}

/** What all changes together ask of the version. */
export function ratingOf(changes: readonly RatedChange[]): Bump {
  return greatest(changes.map(({ impact }) => impact));
}

function rate(change: SpecChange): RatedChange {
  const { kind, type, property = "", verdicts, place } = change;
  const rated = {
    what: `${kind} ${type} ${property}`.trim(),
    at: `${place.file}:${place.line}`,
    pointer: place.pointer,
  };
  const low = lowered.find((row) => row.is(change));
  if (low) return { ...rated, impact: low.impact, why: low.why };
  if (verdicts.length > 0) return { ...rated, impact: change.impact, why: verdicts.join(" ") };
  const { impact, why } = ratings.find((row) => row.is(change))!;
  return { ...rated, impact, why };
}

async function isSame(one: string, other: string): Promise<boolean> {
  return (await readFile(one, "utf8")) === (await readFile(other, "utf8"));
}
