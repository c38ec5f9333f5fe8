/** Names of fields, headers and parameters that hold a secret. Names of dates, counts and types do not match. */
export const NAMES = String.raw`(?:token|secret|pass(?:w(?:or)?d|phrase|code)|pwd|sess(?:ion|_?id)|(?<![a-z])sid(?![a-z])|cookie|credential|jwt|bearer|[cx]srf|signature|hash(?!tag)|(?:access|api|encryption|private|session|signing|subscription)[\s_-]?key|auth(?!or(?!i[sz]ation)|entic(?!ation)|entication[_-]callback))(?![\w-]{0,30}(?:expir|type|count|_at\b))`;
export const SECRET_NAME = new RegExp(NAMES, "i");
/** This described header contains a URL that may end in a token. Findings still show its form. */
const CALLBACK = /^authentication[_-]callback$/i;
/** Names that mark a secret only in a query: in a body, the `key` of a change is harmless. */
export const NAMES_IN_QUERY = "(?:key|code|sig)";
const SECRET_IN_QUERY = new RegExp(`^${NAMES_IN_QUERY}$`, "i");
/** The query of `account.details` takes 40 hexadecimal digits under an unknown name (G10). */
const HEXADECIMAL = /^[\da-f]{32,}$/i;

/** Whether the name of a value marks it as a secret. */
export function isSecret(name: string, value: unknown, inQuery = false): boolean {
  // A number named `tokens` is a count.
  if (typeof value === "number" && /s$/i.test(name)) return false;
  if (SECRET_NAME.test(name) || CALLBACK.test(name)) return true;
  return inQuery && (SECRET_IN_QUERY.test(name) || HEXADECIMAL.test(String(value)));
}

/** The name of a member. In `{ name, value }` and `{ key, value }`, the first member names the second. */
export function nameIn(value: object, key: string): string {
  if (Array.isArray(value)) return "";
  const { name, key: other } = value as Record<string, unknown>;
  return key === "value" ? String(name ?? other ?? key) : key;
}

/** Parts of titles: years, and words, including mixed case such as `McDonald`. */
const WORD = /^(?:[A-Z]?[a-z]*(?:[A-Z][a-z]+)?|[A-Z]+|\d{1,4}[a-z]{0,2})$/;

/** Whether a text without spaces consists of more than words and years. */
export function looksRandom(text: string): boolean {
  return text.split(/[^a-z\d]/i).some((part) => !WORD.test(part));
}

/** Words and numbers, such as `iso_3166_1`. */
const FIELD_NAME = /^(?=.{1,40}$)[a-z]+(?:[_-][a-z]+|_\d{1,4})*$/i;

/** Whether a key looks like a field name rather than data. */
export function isFieldName(key: string): boolean {
  return FIELD_NAME.test(key) && !looksRandom(key);
}
