import { kindOf } from "./text.js";

const REDACTED = "[redacted]";

/** Shorter values are left in place: they would match by chance, and no real token is that short. */
const SHORTEST_SECRET = 8;

/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

/** Finds secrets also where they stand JSON-escaped, as some services do with slashes, or percent-encoded. */
export function redactor(secrets: Iterable<string>): Redact {
  const forms = [...secrets]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .map((secret) => Array.from(secret, anyFormOf).join(""));
  // The longest first: what begins like another secret must not be left with its end.
  forms.sort((a, b) => b.length - a.length);
  if (forms.length === 0) return (text) => text;
  const found = new RegExp(forms.join("|"), "gi");
  return (text) => text.replace(found, REDACTED);
}

/** A pattern of a character as it is, with a backslash, percent-encoded, or as `\\u` and its number. */
function anyFormOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) =>
    character.charCodeAt(at).toString(16).padStart(4, "0"),
  );
  const plain = units.map((unit) => `\\u${unit}`).join("");
  const escaped = units.map((unit) => `\\\\u${unit}`).join("");
  const bytes = Array.from(new TextEncoder().encode(character), (byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  return `(?:\\\\?${plain}|%${bytes.join("%")}|${escaped})`;
}

/** Copies headers without the secrets that a service may echo. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  const clean = new Headers();
  for (const [name, value] of headers) clean.append(name, redact(value));
  return clean;
}

/**
 * Takes secrets out of what JSON.parse gave, in place. Without recursion: JSON can be nested deeper than the stack.
 */
export function redactJson(json: unknown, redact: Redact): unknown {
  const root = { json };
  const left: object[] = [root];
  for (let at = left.pop(); at; at = left.pop()) {
    for (const [key, value] of Object.entries(at) as [string, unknown][]) {
      if (typeof value === "object" && value !== null) left.push(value);
      const name = redact(key);
      const clean = typeof value === "string" ? redact(value) : value;
      if (name === key && clean === value) continue;
      Reflect.deleteProperty(at, key);
      // Not by assignment: the key may be __proto__.
      const property = { value: clean, configurable: true, enumerable: true, writable: true };
      Object.defineProperty(at, name, property);
    }
  }
  return root.json;
}

/**
 * Copies an error of a fetch as name, message, code, stack and causes alone: the original may hold the request, and
 * with it the token. It may be of another realm, or no error at all.
 */
export function redactError(error: unknown, redact: Redact, depth = 4): Error {
  if (typeof error === "string") return new Error(redact(error));
  const { name, message, stack, cause, code } = (error ?? {}) as Record<string, unknown>;
  if (typeof message !== "string") return new Error(kindOf(error));
  const copy = new Error(redact(message));
  const label = typeof name === "string" ? redact(name) : "Error";
  Object.defineProperty(copy, "name", { value: label, configurable: true, writable: true });
  copy.stack = typeof stack === "string" ? redact(stack) : `${label}: ${copy.message}`;
  if (typeof code === "string") Object.assign(copy, { code: redact(code) });
  if (cause !== undefined && depth > 0) copy.cause = redactError(cause, redact, depth - 1);
  return copy;
}
