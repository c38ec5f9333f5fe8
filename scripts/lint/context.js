/**
 * What Redocly hands to the visitor of a rule.
 * @typedef {Record<string, unknown>} Node
 * @typedef {{ child(path: string[]): Location, key(): Location }} Location
 * @typedef {{
 *   location: Location,
 *   report(problem: { message: string, location: Location }): void,
 *   resolve(node: unknown): { node?: unknown, location?: Location },
 * }} Context
 */

/**
 * Whether a value of the description is a map, not a list or a scalar.
 * @param {unknown} value
 * @returns {value is Node}
 */
export function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The entries of a map; none of anything else.
 * @param {unknown} value
 * @returns {[string, unknown][]}
 */
export function entriesOf(value) {
  return isMap(value) ? Object.entries(value) : [];
}
