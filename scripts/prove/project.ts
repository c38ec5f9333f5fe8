import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The result of a proof. The proof holds if `problems` is empty. */
export interface Proof {
  summary: string[];
  problems: string[];
}

/** An exception for the undetected mutations that one operator makes at a statement or inside the statement. */
export interface Waiver {
  operator: string;
  /** Pointer into the description. */
  descriptionPointer: string;
  reason: string;
}

/** Accepted exceptions: reasons for uncovered items, by dimension and item, and waivers for undetected mutations. */
export interface Reasons {
  coverage: Record<string, Record<string, string>>;
  waivers: Waiver[];
}

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The exceptions of this project. The proof fails if an exception is unnecessary. */
export const reasons = JSON.parse(
  readFileSync(`${root}scripts/prove/reasons.json`, "utf8"),
) as Reasons;
