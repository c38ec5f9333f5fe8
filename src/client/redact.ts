import { describeType, percentEncode } from "./text.js";

/** Minimum length of a secret. Shorter values would match unrelated text, and real tokens are longer. */
export const MIN_SECRET_LENGTH = 8;
/** A function that replaces secrets in text. */
export type Redact = (text: string) => string;

/**
 * Creates a function that replaces secrets in text, whether plain, JSON-escaped, or percent-encoded. The function takes
 * time in proportion to the length of the text, whatever the text contains.
 * @param secrets values to replace; values shorter than 8 characters are ignored
 * @param replacementFor returns the text that replaces a secret
 */
export function createRedactor(
  secrets: Iterable<string>,
  replacementFor: (secret: string) => string = () => "[redacted]",
): Redact {
  const replacements = new Map<string, string>();
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    for (const form of encodingsOf(secret)) replacements.set(form, replacementFor(secret));
  }
  // Replaces longer secrets first. Otherwise, replacing a short secret inside a longer secret would leave the rest of
  // the longer secret.
  const longestFirst = Array.from(replacements).sort(([a], [b]) => b.length - a.length);
  const replaceAll = (text: string) => {
    for (const [form, to] of longestFirst)
      // Stryker disable next-line ConditionalExpression: Replacing text that does not occur changes nothing.
      if (text.includes(form)) text = text.replaceAll(form, () => to);
    return text;
  };
  return (text) => {
    const clean = replaceAll(text);
    const plain = unescape(clean);
    const plainClean = replaceAll(plain);
    // Keeps the escapes unless the unescaped text contains a secret.
    return plainClean === plain ? clean : plainClean;
  };
}

/** Matches JSON escapes and the text between them. The limits keep the memory for a match small. */
const ESCAPES = /(?:\\(?:u[\da-fA-F]{4}|["\\/bfnrt])[ !#-[\]-\uffff]{0,99}){1,999}/g;

/** Replaces JSON escapes. Parsing many escapes at once takes a tenth of the time. */
function unescape(text: string): string {
  return text.replace(ESCAPES, (escapes) => JSON.parse(`"${escapes}"`) as string);
}

/** Returns a secret and its percent-encodings for URLs and forms, with uppercase and with lowercase hex digits. */
function encodingsOf(secret: string): string[] {
  const form = String(new URLSearchParams({ "": secret })).slice(1);
  const forms = [secret, percentEncode(secret) ?? form, form];
  return [...forms, ...forms.map((each) => each.replace(/%../g, (code) => code.toLowerCase()))];
}

/** Redacts the strings, numbers, and property names in parsed JSON, which the function changes. */
export function redactJson(json: unknown, redact: Redact): unknown {
  const root: Record<string, unknown> = { json };
  const pending = [root];
  // A recursive function could exhaust the stack.
  for (let parent; (parent = pending.pop());) {
    for (const name of Object.keys(parent)) {
      const value = parent[name];
      if (typeof value === "object") {
        if (value !== null) pending.push(value as Record<string, unknown>);
      } else if (typeof value !== "boolean") {
        const shown = redact(String(value));
        if (shown !== String(value)) parent[name] = shown;
      }
      const shownName = Array.isArray(parent) ? name : redact(name);
      if (shownName === name) continue;
      parent[shownName] = parent[name];
      delete parent[name];
    }
  }
  return root["json"];
}

/** Shortens text to 200 characters, or to 199 if the text would otherwise end in half of a surrogate pair. */
export function truncate(text: string): string {
  if (text.length <= 200) return text;
  return `${text.slice(0, /[\ud800-\udbff]/.test(text[199]!) ? 199 : 200)}…`;
}

/** Copies headers and redacts their values. Omits cookies, and headers that cannot be listed or copied. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  const clean = new Headers();
  for (const [name, value] of Symbol.iterator in headers ? headers : []) {
    try {
      if (!/^set-cookie$/i.test(name)) clean.append(redact(name), redact(`${value}`));
    } catch {
      // The headers of another library can contain a value that `Headers` rejects.
    }
  }
  return clean;
}

/** Copies the name, message, code, and cause of an error, with secrets redacted. Omits other properties. */
export function redactError(error: unknown, redact: Redact, depth = 4): Error {
  try {
    const given = Object(error) as Partial<AggregateError> & { code?: unknown };
    const { name, message, code } = given;
    // An AggregateError, such as the one for a host with several addresses, can have an empty message.
    const cause = given.cause ?? given.errors?.[0];
    const text = [message, error].find((each) => typeof each === "string") ?? describeType(error);
    const copy: Error & { code?: string } = new Error(redact(text));
    if (typeof name === "string") copy.name = redact(name);
    if (typeof code === "string") copy.code = redact(code);
    // Some libraries set a cause that is not an error, such as a Response.
    if (depth > 0 && "message" in Object(cause)) copy.cause = redactError(cause, redact, depth - 1);
    return copy;
  } catch {
    // A getter or a proxy threw an error.
    return new Error("unreadable");
  }
}
