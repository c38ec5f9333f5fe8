import { nearest } from "../nearest.js";

/** The command line is wrong; the message says what is, and what to give instead. */
export class UsageError extends Error {}

/** ` Did you mean x?` where a word is near enough to a known one, else nothing. */
export function hint(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}
