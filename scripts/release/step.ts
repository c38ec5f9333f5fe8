import type { RatedChange } from "./rate.js";

/** What every step gets. */
export interface Context {
  /** The folder of the project. */
  project: string;
  /** The version that package.json says. */
  version: string;
}

/** What a step found. It has passed if there are no problems. */
export interface Outcome {
  /** In a few words, what was looked at or found. */
  summary: string;
  /** Each says what is wrong and what to do. */
  problems: string[];
  /** What changed in the description, where the step compares it. */
  changes?: RatedChange[];
}

/** One condition of a release. */
export interface Step {
  name: string;
  /** What it asks for, in a line of `--list`. */
  asks: string;
  /** @throws {ReleaseError} what it needs is not there; the message says what to do */
  run(context: Context): Promise<Outcome>;
}

/** A step cannot do its work; the message says why and what to do. */
export class ReleaseError extends Error {}
