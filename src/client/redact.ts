import { describeType, resultOf } from "./text.js";

/** Minimum length of a secret. Shorter values would match unrelated text, and real tokens are longer. */
export const MIN_SECRET_LENGTH = 8;
/** How many times a secret can be escaped, as in an HTML page that contains a percent-encoded URL. */
const MAX_ESCAPED = 3;
/** A function that replaces secrets in text. */
export type Redact = (text: string) => string;

/**
 * Creates a function that replaces secrets in text, even if they are escaped for JSON, HTML, or a URL. The function takes
 * time in proportion to the length of the text, whatever the text contains.
 * @param secrets values to replace; values shorter than 8 characters are ignored
 * @param replacementFor returns the text that replaces a secret
 */
export function createRedactor(
  secrets: Iterable<string>,
  replacementFor: (secret: string) => string = () => "[redacted]",
): Redact {
  // Replaces longer secrets first. Otherwise, replacing a short secret inside a longer secret would leave the rest of
  // the longer secret.
  const longestFirst = [...new Set(secrets)]
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    for (const secret of longestFirst) {
      const replacement = replacementFor(secret);
      // Forms have a plus sign in place of a space, and `unescape` cannot know whether the text is a form.
      for (const form of new Set([secret, secret.replaceAll(" ", "+")]))
        text = replaceEscaped(text, form, replacement);
    }
    return text;
  };
}

/** Replaces a value, as it is or escaped. Keeps the escapes in text that does not contain the escaped value. */
function replaceEscaped(text: string, value: string, to: string, left = MAX_ESCAPED): string {
  const clean = text.replaceAll(value, () => to);
  const plain = left > 0 ? unescape(clean) : clean;
  if (plain === clean) return clean;
  const cleanPlain = replaceEscaped(plain, value, to, left - 1);
  return cleanPlain === plain ? clean : cleanPlain;
}

/** Matches the escapes of JSON, URLs, and HTML. The limits keep the memory for a match small. */
const ESCAPES =
  /(?:\\(?:u[\da-f]{4}|["\\/bfnrt])){1,999}|(?:%[\da-f]{2}){1,999}|&(amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Replaces each escape once. Parsing many escapes at once takes a tenth of the time. */
function unescape(text: string): string {
  const read = (escapes: string, entity?: string) => {
    // "#38" and "#x26" are the numbers "038" and "0x26".
    if (entity) return ENTITIES[entity] ?? String.fromCodePoint(Number(entity.replace("#", "0")));
    if (escapes.startsWith("%")) return decodeURIComponent(escapes);
    return JSON.parse(`"${escapes}"`) as string;
  };
  return text.replace(
    ESCAPES,
    (escapes, entity?: string) => resultOf(() => read(escapes, entity)) ?? escapes,
  );
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
