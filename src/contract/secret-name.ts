/** Parts of names of members, headers and parameters whose value is, or holds, a secret; a date or a count is none. */
export const NAMES = String.raw`(?:token|secret|pass(?:w(?:or)?d|phrase|code)|pwd|sess(?:ion|_?id)|(?<![a-z])sid(?![a-z])|cookie|credential|jwt|bearer|[cx]srf|signature|hash(?!tag)|(?:access|api|encryption|private|session|signing|subscription)[\s_-]?key|auth(?!or(?!i[sz]ation)|entic(?!ation)|entication[_-]callback))(?![\w-]{0,30}(?:expir|type|count|_at\b))`;
export const SECRET_NAME = new RegExp(NAMES, "i");
/** A described header whose form is of interest, though it may hold a token. */
const CALLBACK = /^authentication[_-]callback$/i;
/** Names that are a secret in a query, but harmless in a body, such as the `key` of a change. */
export const NAMES_IN_QUERY = "(?:key|code|sig)";
const SECRET_IN_QUERY = new RegExp(`^${NAMES_IN_QUERY}$`, "i");
/** The query of account details has such a value, whose name nobody tells (G10). */
const HEXADECIMAL = /^[\da-f]{32,}$/i;

/** Whether a value has the name of a secret. */
export function isSecret(name: string, value: unknown, inQuery = false): boolean {
  // A number of `tokens` counts them.
  if (typeof value === "number" && /s$/i.test(name)) return false;
  if (SECRET_NAME.test(name) || CALLBACK.test(name)) return true;
  return inQuery && (SECRET_IN_QUERY.test(name) || HEXADECIMAL.test(String(value)));
}

/** The name of a member. That of a pair stands beside its value: `{ name, value }`, `{ key, value }`, `[name, value]`. */
export function nameIn(value: object, key: string): string {
  if (!Array.isArray(value)) {
    const { name, key: other } = value as Record<string, unknown>;
    return key === "value" ? String(name ?? other ?? key) : key;
  }
  const isPair = key === "1" && value.length === 2 && looksLikeSecret(String(value[1]));
  return isPair ? String(value[0]) : "";
}

/** What titles are made of: words, also such as `McDonald`, and years. */
const WORD = /^(?:[A-Z]?[a-z]*(?:[A-Z][a-z]+)?|[A-Z]+|\d{1,4}[a-z]{0,2})$/;

/** Whether a text without spaces is no words: a title may have the name of a secret too. */
export function looksLikeSecret(text: string): boolean {
  return text.split(/[^a-z\d]/i).some((part) => !WORD.test(part));
}
