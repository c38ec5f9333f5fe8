import { describeType, parseJsonOrText, percentEncode } from "./text.js";

/** Minimum length of a secret. Shorter values would match unrelated text, and real tokens are longer. */
export const MIN_SECRET_LENGTH = 8;
/** Matches the names of query parameters and JSON body fields whose values are secret. */
const SECRET_NAME = /^(access_token|(guest_)?session_id|request_token|api_key|password)$/;
/**
 * Matches a string or a number in JSON text. If a string has 100,000 escapes or more, only its opening quotation mark
 * matches, because JavaScriptCore cannot match a string with millions of escapes.
 */
const JSON_SCALAR = /"[^"\\]*(?:\\.[^"\\]*){0,99999}"|"|-?\d[\d.eE+-]*/g;
const JSON_ESCAPE = /\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g;

/** A function that replaces secrets in text. */
export type Redact = (text: string) => string;

/**
 * Creates a function that replaces secrets in text, whether plain, JSON-escaped, or percent-encoded.
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
  const replaceAll = (text: string) =>
    longestFirst.reduce((rest, [form, to]) => rest.replaceAll(form, () => to), text);
  // Escapes can be nested. Only nine levels are unescaped, because `\u005cu005cu005c…` can have thousands of levels.
  const redact = (text: string, levels: number): string => {
    const clean = replaceAll(text);
    const plain = clean.replace(JSON_ESCAPE, (escape) => JSON.parse(`"${escape}"`) as string);
    if (plain === clean || levels === 0) return clean;
    // Keeps the escapes unless the unescaped text contains a secret.
    const plainClean = redact(plain, levels - 1);
    return plainClean === plain ? clean : plainClean;
  };
  return (text) => redact(text, 9);
}

/** Returns a secret and its percent-encodings for URLs and forms, with uppercase and with lowercase hex digits. */
function encodingsOf(secret: string): string[] {
  const form = String(new URLSearchParams({ "": secret })).slice(1);
  const forms = [secret, percentEncode(secret) ?? form, form];
  return [...forms, ...forms.map((each) => each.replace(/%../g, (code) => code.toLowerCase()))];
}

/** The parts of a request that can contain secrets. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string | FormData | undefined;
}

/** Returns the values of secret query parameters, encoded and decoded, and all values inside secret JSON fields. */
export function secretsIn({ url, body }: SentRequest): string[] {
  const secrets: string[] = [];
  for (const pair of /\?([^#]*)/.exec(url)?.[1]?.split("&") ?? []) {
    for (const [name, value] of new URLSearchParams(pair)) {
      if (SECRET_NAME.test(name)) secrets.push(value, pair.slice(pair.indexOf("=") + 1));
    }
  }
  const values: [value: unknown, isSecret: boolean][] = [];
  if (typeof body === "string") values.push([parseJsonOrText(body), false]);
  // The loop also visits the values that it adds to the array. A recursive function could exhaust the stack.
  for (const [value, isSecret] of values) {
    if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value))
        values.push([each, isSecret || SECRET_NAME.test(name)]);
    } else if (isSecret) secrets.push(String(value));
  }
  return secrets;
}

/**
 * Parses JSON and redacts its strings, numbers, and property names. If the text is not JSON, returns the text with its
 * secrets redacted.
 */
export function parseRedacted(text: string, redact: Redact): unknown {
  const clean = (scalar: string) => {
    // `JSON.parse` throws if only a quotation mark matched. The `catch` block below then redacts the whole text.
    const value = scalar.startsWith('"') ? (JSON.parse(scalar) as string) : scalar;
    const shown = redact(value);
    return shown === value ? scalar : JSON.stringify(shown);
  };
  try {
    return JSON.parse(text.replace(JSON_SCALAR, clean));
  } catch {
    return redact(text);
  }
}

/** Shortens text to 200 characters. */
export function truncate(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
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
    const { name, message, code, cause } = Object(error) as Error & { code?: unknown };
    const text = [message, error].find((each) => typeof each === "string") ?? describeType(error);
    const copy: Error & { code?: string } = new Error(redact(text));
    if (typeof name === "string") copy.name = redact(name);
    if (typeof code === "string") copy.code = redact(code);
    if (cause !== undefined && depth > 0) copy.cause = redactError(cause, redact, depth - 1);
    return copy;
  } catch {
    // A getter or a proxy threw an error.
    return new Error("unreadable");
  }
}
