/** What could not be judged, and why. */
export interface Unreadable {
  /** As reports name it. */
  file: string;
  line?: number;
  column?: number;
  /** What is wrong and what to do, as the end of a sentence that begins with the file. */
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
