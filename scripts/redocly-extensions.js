/**
 * A Redocly plugin with a rule that rejects misspelled extensions, and extensions that would have no effect.
 * @typedef {{ child: (key: string) => { key: () => unknown } }} Location
 * @typedef {{ type: { name: string; extensionsPrefix?: string }; location: Location; report: (problem: object) => void }} Context
 * @typedef {readonly [value: string, isValid: (value: unknown) => boolean, ...types: string[]]} Extension
 */

/** @type {(value: unknown) => boolean} */
const isBoolean = (value) => typeof value === "boolean";
/** @type {(value: unknown) => boolean} */
const isText = (value) => typeof value === "string" && value !== "";
/** @type {(value: unknown) => boolean} */
const isObject = (value) => Object(value) === value;
/** @type {(value: unknown) => boolean} */
const isGap = (value) => isText(Object(value).id) && isText(Object(value).text);
/** @type {(value: unknown) => boolean} */
const isRule = (value) => {
  const { after, maxDays, requires, requiredWithout, ...others } = Object(value);
  const names = [after, requires, requiredWithout].filter((name) => name !== undefined);
  const hasDays = typeof maxDays === (after === undefined ? "undefined" : "number");
  return names.length === 1 && isText(names[0]) && hasDays && Object.keys(others).length === 0;
};

const TRUE = "true, without quotes";

/**
 * The extensions in docs/design.md: what to write, a check of the value, and the types of the objects that can have the
 * extension. Without types, any object can have it.
 * @type {Record<string, Extension>}
 */
const EXTENSIONS = {
  "x-appends": ["a map", isObject, "Parameter"],
  "x-because": ["text, or a list of texts", (value) => [value].flat().every(isText), "Schema"],
  "x-filters": ["true, or a part", (value) => value === true || isText(value), "Parameter"],
  "x-known-values": ["a list of values", Array.isArray, "Schema"],
  "x-not-specified": [
    "[{ id: ID, text: TEXT }]",
    (value) => Array.isArray(value) && value.every(isGap),
  ],
  "x-open": [TRUE, isBoolean, "Schema"],
  "x-private": [TRUE, isBoolean, "Operation"],
  "x-rule": [
    "{ requires: NAME }, { requiredWithout: NAME }, or { after: NAME, maxDays: NUMBER }",
    isRule,
    "Parameter",
  ],
  "x-sensitive": [TRUE, isBoolean, "Schema", "Parameter", "Header"],
  "x-source": ["text", isText],
};

/**
 * Returns whether a name is another with one typo: a letter that is missing, different, added, or swapped with the next.
 * In a short name, only a missing or swapped letter before the last is a typo: other changes make words, such as x-filter.
 * @type {(given: string, name: string) => boolean}
 */
const isTypo = (given, name) => {
  const [wrong, right] = [given.toLowerCase(), name.toLowerCase()];
  if (wrong === right) return true;
  const same = [...right, ""].findIndex((letter, at) => letter !== wrong[at]);
  const [rest, end] = [wrong.slice(same), right.slice(same)];
  const isSwapped = rest === end.slice(1, 2) + end.slice(0, 1) + end.slice(2);
  if (rest === end.slice(1) || isSwapped) return name.length > 9 || end.length > 1;
  return name.length > 9 && [end, end.slice(1)].includes(rest.slice(1));
};

/** @type {(name: string, given: unknown, type: string) => string | undefined} */
const problemWith = (name, given, type) => {
  const known = EXTENSIONS[name];
  if (known === undefined) {
    // Names as short as x-open are one letter away from words such as x-pen.
    const names = Object.keys(EXTENSIONS).filter(({ length }) => length > 6);
    const meant = names.find((each) => isTypo(name, each));
    return meant && `the extension ${name} is unknown; write ${meant}, or choose another name`;
  }
  const [value, isValid, ...types] = known;
  if (types.length > 0 && !types.includes(type))
    return `${name} has no effect here; move it to a ${types.join(", ")}`;
  return isValid(given) ? undefined : `the value of ${name} is invalid; write ${value}`;
};

/** @type {(node: object | null, context: Context) => void} */
const check = (node, { type, location, report }) => {
  for (const [name, value] of Object.entries(node ?? {})) {
    if (type.extensionsPrefix === undefined || !name.startsWith("x-")) continue;
    const message = problemWith(name, value, type.name);
    if (message) report({ message, location: location.child(name).key() });
  }
};

export default () => ({
  id: "extensions",
  rules: { oas3: { known: () => ({ any: check, ref: check }) } },
});
