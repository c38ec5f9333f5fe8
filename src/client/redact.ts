import { describeType, parseJsonOrText, percentEncode, resultOf } from "./text.js";

/** Minimum length of a secret. Shorter values would match unrelated text, and real tokens are longer. */
export const MIN_SECRET_LENGTH = 8;
/** The number of times that text is decoded. Leaves some rounds for secrets that contain escape sequences. */
const MAX_ROUNDS = 6;
/**
 * Matches an escape sequence in JSON, a URL, a form, or HTML. Of percent-encoded text, matches only valid UTF-8, because
 * text can have 100,000 invalid sequences, and an exception for each of them would take seconds.
 */
const ESCAPE_SEQUENCE =
  /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|%[0-7][\da-fA-F]|%(?![cC][01]|[eE]0%[89]|[eE][dD]%[abAB]|[fF]0%8|[fF]4%[9abAB])(?:[cdCD]|[eE][\da-fA-F]%[89abAB]|[fF][0-4]%[89abAB][\da-fA-F]%[89abAB])[\da-fA-F]%[89abAB][\da-fA-F]|\+|&(?:#\d+|#[xX][\da-fA-F]+|amp|lt|gt|quot|apos);/g;
/** The characters that HTML calls by a name. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

export type Redact = (text: string) => string;

/**
 * Creates a function that replaces secrets in text. If a secret is escaped for JSON, HTML, or a URL, the function decodes
 * the whole text until it finds the secret, and returns the decoded text. It takes time in proportion to the length of
 * the text, whatever the text contains.
 * @param secrets values to replace; values shorter than 8 characters, or 4 when decoded, are ignored
 * @param replacementFor returns the text that replaces a secret
 */
export function createRedactor(
  secrets: Iterable<string>,
  replacementFor: (secret: string) => string = () => "[redacted]",
): Redact {
  const replacements = new Map<string, string>();
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    // Decoding the text also decodes what only looks like an escape sequence in a secret, which gets shorter.
    for (const form of decodingsOf(secret))
      if (form.length >= MIN_SECRET_LENGTH / 2) replacements.set(form, replacementFor(secret));
  }
  // A long secret, such as a URL, can contain a shorter one.
  const longestFirst = [...replacements].sort(([a], [b]) => b.length - a.length);
  return (text) => {
    let layers = decodingsOf(text);
    for (const [secret, replacement] of longestFirst) {
      for (let index = 0; index < layers.length; index += 1) {
        if (!layers[index]!.includes(secret)) continue;
        const clean = layers[index]!.replaceAll(secret, replacement);
        // Stryker disable next-line ArithmeticOperator: Decoding more often takes more time, and finds nothing else.
        layers = decodingsOf(clean, layers.length - 1 - index);
        index = 0;
      }
    }
    return layers[0]!;
  };
}

/** Returns text as it is, then decoded once, twice, and so on, until it contains no escape sequence. */
function decodingsOf(text: string, rounds = MAX_ROUNDS): string[] {
  if (rounds === 0) return [text];
  const decoded = text.replace(ESCAPE_SEQUENCE, decode);
  return decoded === text ? [text] : [text, ...decodingsOf(decoded, rounds - 1)];
}

/** Decodes an escape sequence. Returns the code of a character that does not exist unchanged. */
function decode(sequence: string): string {
  if (sequence === "+") return " ";
  if (sequence.startsWith("%")) return decodeURIComponent(sequence);
  if (sequence.startsWith("\\")) return JSON.parse(`"${sequence}"`) as string;
  const name = sequence.slice(1, -1);
  const code = Number(name.replace("#", "0"));
  return ENTITIES[name] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : sequence);
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

/** Redacts the text of a body. JSON that contains secrets stays JSON, although decoding could break it. */
export function redactText(text: string, redact: Redact): string {
  const clean = redact(text);
  if (clean === text) return text;
  const parsed = parseJsonOrText(text);
  // The body can be nested too deeply for `JSON.stringify`, and a secret can contain the syntax of JSON.
  const json = resultOf(() => JSON.stringify(redactJson(parsed, redact))) ?? text;
  return parsed === text || redact(json) !== json ? clean : json;
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

/**
 * Copies headers, and redacts them. Omits headers that cannot be listed, or whose name is invalid. In values, escapes
 * the characters that `Headers` rejects, such as those of a decoded search.
 */
export function copyHeaders(headers: Headers, redact: Redact): Headers {
  const clean = new Headers();
  for (const [name, value] of resultOf(() => [...headers]) ?? []) {
    const sendable = redact(`${value}`).replace(
      /[^\t -~\x80-\xff]+/g,
      (text) => percentEncode(text) ?? "?",
    );
    resultOf(() => clean.append(redact(name), sendable));
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
