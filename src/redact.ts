import { jsonOf, kindOf } from "./text.js";
import type { Outgoing } from "./transport.js";

const REDACTED = "[redacted]";

/** Shorter values are left in place: they would match by chance, and no real token is that short. */
const SHORTEST_SECRET = 8;
/** Characters of a secret that are looked for; a pattern of thousands is more than an engine takes. */
const LONGEST_PATTERN = 256;
/** Secrets that are looked for; with more, a search takes seconds, and an engine may refuse the pattern. */
const MOST_SECRETS = 32;
/** Characters of a text that are looked at for an excerpt, so that an excerpt takes no longer from a longer text. */
const WINDOW = 8192;
/** Characters that an error keeps of a body that is not JSON. */
const EXCERPT = 200;

/** Fields, parameters and headers whose values a service may echo like the token. */
const SECRET_NAME = /token|secret|passw|session|api.?key|authorization|cookie/i;
const SECRET_FIELD = new RegExp(
  `("[^"]*(?:${SECRET_NAME.source})[^"]*"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`,
  "gi",
);

/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

/** The values of parameters, headers and fields that are secrets by their names, whoever added them. */
export function secretsOf({ url, headers, body }: Outgoing): string[] {
  const secrets: string[] = [];
  const visit = (name: string, value: unknown) => {
    if (SECRET_NAME.test(name) && typeof value === "string") secrets.push(value);
    return value;
  };
  const text = typeof body === "string" ? body : new TextDecoder().decode(body ?? undefined);
  jsonOf(text, visit);
  const form = new URLSearchParams(`${new URL(url).search}&${text}`);
  for (const [name, value] of [...form, ...Object.entries(headers)]) visit(name, value);
  return secrets;
}

/** Finds secrets also where they stand JSON-escaped, as some services do with slashes, percent-encoded or as HTML. */
export function redactor(secrets: Iterable<string>): Redact {
  // The longest first: what begins like another secret must not be left with its end.
  const long = [...secrets]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length);
  if (long.length === 0) return (text) => text;
  if (long.length > MOST_SECRETS) return () => REDACTED;
  // A backslash is one or two in all of a text. Were it either at each place, a search could take forever.
  const forms = long.flatMap((secret) => [
    patternOf(secret, "\\\\"),
    patternOf(secret, "\\\\\\\\"),
  ]);
  const found = new RegExp([...new Set(forms)].join("|"), "gi");
  return (text) => withoutStart(text.replace(found, REDACTED), long);
}

/** A text that was cut off may end within a secret. */
function withoutStart(text: string, secrets: string[]): string {
  const last = text.length - SHORTEST_SECRET;
  for (let at = Math.max(0, text.length - LONGEST_PATTERN); at <= last; at += 1) {
    const end = text.slice(at);
    if (secrets.some((secret) => secret.startsWith(end))) return text.slice(0, at) + REDACTED;
  }
  return text;
}

function patternOf(secret: string, backslash: string): string {
  const start = Array.from(secret.slice(0, LONGEST_PATTERN), (each) => anyFormOf(each, backslash));
  return start.join("") + (secret.length > LONGEST_PATTERN ? '[^\\s"<>]*' : "");
}

/** A pattern of a character as it is, with a backslash, percent-encoded, as `\\u` and its number, or as HTML has it. */
function anyFormOf(character: string, backslash: string): string {
  const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  const plain = units.map((unit) => `\\u${unit}`).join("");
  const escaped = units.map((unit) => `\\\\u${unit}`).join("");
  const bytes = Array.from(new TextEncoder().encode(character), (byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  const code = character.codePointAt(0)!;
  const html = /\w/.test(character) ? "" : `|&(?:#0*${code}|#x0*${code.toString(16)}|[a-z]+);`;
  const itself = character === "\\" ? backslash : `\\\\?${plain}`;
  return `(?:${itself}|%${bytes.join("%")}|${escaped}${html})`;
}

/** The start of a text without secrets, also without those that only their names give away. */
export function excerpt(text: string, redact: Redact): string {
  const clean = redact(text.slice(0, WINDOW)).replace(SECRET_FIELD, `$1${REDACTED}`);
  return clean.length <= EXCERPT ? clean : `${clean.slice(0, EXCERPT)}…`;
}

/** Copies headers without the secrets that a service may echo. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  const clean = new Headers();
  for (const [name, value] of headers) {
    if (redact(name) === name) clean.append(name, redact(value));
  }
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
      const clean = redactScalar(value, redact);
      if (name === key && clean === value) continue;
      Reflect.deleteProperty(at, key);
      // Not by assignment: the key may be __proto__.
      const property = { value: clean, configurable: true, enumerable: true, writable: true };
      Object.defineProperty(at, name, property);
    }
  }
  return root.json;
}

function redactScalar(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  // A number that only holds the digits of a secret is another number.
  const isSecret = typeof value === "number" && redact(`${value}`) === REDACTED;
  return isSecret ? REDACTED : value;
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
