import { isMap } from "../is-map.js";

/**
 * The context that Redocly passes to the visitor of a rule.
 * @typedef {{ child(path: string[]): Location, key(): Location }} Location
 * @typedef {{
 *   location: Location,
 *   report(problem: { message: string, location: Location }): void,
 *   resolve(node: unknown): { node?: unknown, location?: Location },
 * }} Context
 */

/**
 * The entries of a map; empty for any other value.
 * @param {unknown} value
 * @returns {[string, unknown][]}
 */
export function entriesOf(value) {
  return isMap(value) ? Object.entries(value) : [];
}
