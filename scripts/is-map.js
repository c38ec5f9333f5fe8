/**
 * Whether a value of the description is a map, not a list or a scalar. JavaScript, because Redocly loads it directly.
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
