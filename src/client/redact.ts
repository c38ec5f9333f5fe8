import { decodings } from "./decodings.js";
import { describeType, resultOf } from "./text.js";

/** Minimum length of a secret. Shorter values would match unrelated text, and real tokens are longer. */
export const MIN_SECRET_LENGTH = 8;
/** A function that replaces secrets in text. */
export type Redact = (text: string) => string;

/**
 * Creates a function that replaces secrets in text, even if they are escaped for JSON, HTML, or a URL. The function
 * decodes the text several times, and searches each result. It takes time in proportion to the length of the text,
 * whatever the text contains.
 * @param secrets values to replace; values shorter than 8 characters are ignored
 * @param replacementFor returns the text that replaces a secret
 */
export function createRedactor(
  secrets: Iterable<string>,
  replacementFor: (secret: string) => string = () => "[redacted]",
): Redact {
  const replacements = new Map<string, string>();
  for (const secret of secrets) {
    // Decoding the text also decodes what only looks like an escape sequence in a secret.
    for (const { text } of decodings(secret))
      if (text.length >= MIN_SECRET_LENGTH) replacements.set(text, replacementFor(secret));
  }
  return (text) => {
    const found: [start: number, end: number, replacement: string][] = [];
    for (const { text: decoded, originOf } of decodings(text)) {
      for (const [secret, replacement] of replacements) {
        const { length } = secret;
        for (let at = -length; (at = decoded.indexOf(secret, at + length)) >= 0;)
          found.push([originOf(at), originOf(at + length), replacement]);
      }
    }
    found.sort(([a], [b]) => a - b);
    let clean = "";
    let position = 0;
    for (const [start, end, replacement] of found) {
      if (start >= position) clean += text.slice(position, start) + replacement;
      position = Math.max(position, end);
    }
    return clean + text.slice(position);
  };
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
      } else {
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

/** Copies headers and redacts them. Omits cookies. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  const clean = copyHeaders(headers, redact);
  clean.delete("set-cookie");
  return clean;
}

/** Copies headers, and redacts them. Omits headers that cannot be listed or copied. */
export function copyHeaders(headers: Headers, redact: Redact): Headers {
  const clean = new Headers();
  for (const [name, value] of resultOf(() => [...headers]) ?? []) {
    // The headers of another library can contain a name or a value that `Headers` rejects.
    resultOf(() => clean.append(redact(name), redact(`${value}`)));
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
