import type { Position } from "../engine/types.js";

/** What could not be judged, and why: what is wrong and what to do, in a sentence that begins with the file. */
export interface Unreadable extends Partial<Position> {
  file: string;
  problem: string;
}

/** Why an exchange or a file is left out; counted, and no fault. */
export type SkipReason =
  | "other origin"
  | "other path"
  | "no answer"
  | "not called"
  | "CORS preflight"
  | "not modified"
  | "redirect"
  | "body not kept";
