import { describeType, percentEncode } from "./text.js";

/** Minimum length of a secret. Shorter values would match unrelated text, and real tokens are longer. */
export const MIN_SECRET_LENGTH = 8;
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
  const replacements = [...new Set(secrets)]
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length)
    .flatMap((secret) => {
      const replacement = replacementFor(secret);
      // Replaces a long secret in parts, because engines reject long patterns.
      const parts = secret.match(/[^]{1,500}(?=[^]{8}|$)/gu)!;
      return parts.map((part) => [new RegExp(patternOf(part), "g"), replacement] as const);
    });
  return (text) => {
    for (const [pattern, replacement] of replacements)
      text = text.replace(pattern, () => replacement);
    return text;
  };
}

/** The names of characters in HTML. */
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "|amp",
  "<": "|lt",
  ">": "|gt",
  '"': "|quot",
  "'": "|apos",
};

/**
 * Returns a pattern that matches text as it is and escaped. Each part of the pattern matches some backslashes, of which
 * JSON can add more, and the next character. The parts match in only one way, so matching takes linear time.
 */
function patternOf(text: string): string {
  return text.replace(/\\*[^\w\\]|\\+/gu, (part) => {
    const character = part.replaceAll("\\", "");
    const length = part.length - character.length;
    const encoded = length > 0 ? `|(?:%(?:25)*5[cC]){${length}}` : "";
    const backslashes = `(?:\\\\{${length},${8 * length + 7}}${encoded})`;
    return backslashes + (character && formsOf(character));
  });
}

/** Returns a pattern that matches a character as it is and escaped, after any backslashes. */
function formsOf(character: string): string {
  const code = character.codePointAt(0)!;
  const units = character.split("").map((unit) => `u${hexOf(unit.charCodeAt(0), 4)}`);
  // `encodeURIComponent` keeps some characters that other functions encode.
  const encoded = percentEncode(character);
  const bytes = encoded?.startsWith("%") ? anyCase(encoded) : `%${hexOf(code, 2)}`;
  const names = `#0*${code}|#[xX]0*${hexOf(code, 1)}${ENTITIES[character] ?? ""}`;
  const forms = [
    `\\${character}`,
    units.join("\\\\+"),
    bytes.replaceAll("%", "%(?:25)*"),
    `&(?:amp;)*(?:${names});`,
  ];
  // Forms have a plus sign in place of a space.
  return `(?:${forms.join("|")}${character === " " ? "|\\+" : ""})`;
}

/** Returns a pattern that matches a number with hexadecimal digits. */
function hexOf(value: number, digits: number): string {
  return anyCase(value.toString(16).padStart(digits, "0"));
}

/** Returns a pattern that matches hexadecimal digits in uppercase and in lowercase. */
function anyCase(hex: string): string {
  return hex.replace(/[a-f]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
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
