import { isPlainIdentifier, maskKey } from "./format-value.js";
import { hash } from "./hash.js";

/** Matches a masked name, such as `(8 characters, #1a2b)`. */
const MASKED = /^\(\d+ characters?, #[\da-f]{4}\)$/;

/**
 * Returns an undeclared name unchanged if it is a plain identifier. Otherwise, returns its length and a short hash, so
 * that an accepted entry for one name does not accept another name. Four digits cannot reveal the name. The recorder
 * writes masked names, so a masked name stays unchanged.
 */
export function maskName(name: string): string {
  if (isPlainIdentifier(name) || MASKED.test(name)) return name;
  return `${maskKey(name).slice(0, -1)}, #${hash(name).slice(-4)})`;
}
