import { parseJsonOrText, percentEncode } from "./text.js";

/** Shorter values are not replaced: they would match unrelated text, and real tokens are longer. */
export const MIN_SECRET_LENGTH = 8;
/** Query parameters and JSON body fields whose values are as secret as the token. */
const SECRET_NAMES = new Set([
  "access_token",
  "session_id",
  "guest_session_id",
  "request_token",
  "api_key",
]);

/** Replaces secrets in text. */
export type Redact = (text: string) => string;

/**
 * Creates a function that replaces secrets wherever they appear: as is, JSON-escaped, or percent-encoded.
 * @param secrets values shorter than 8 characters are ignored
 * @param replacementFor the text that replaces a secret
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
  // The longest first: a secret can contain a shorter one, and its other characters must not remain.
  const longestFirst = [...replacements].toSorted(([a], [b]) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, [form, to]) => rest.replaceAll(form, () => to), text);
}

/** A secret as is, JSON-escaped, and percent-encoded for a URL and for a form, in uppercase and lowercase. */
function encodingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const percent = [percentEncode(secret) ?? form, form];
  const lower = percent.map((each) => each.replace(/%../g, (code) => code.toLowerCase()));
  return [secret, json, json.replaceAll("/", "\\/"), ...percent, ...lower];
}

/** The parts of a sent request that can hold secrets. */
export interface SentRequest {
  readonly url: string;
  readonly body: string | ArrayBuffer | FormData | undefined;
  /** Undefined if the request goes to another origin. */
  readonly token: string | undefined;
}

/** Creates a function that replaces the token and the other secrets in a request. */
export function redactorFor({ url, body, token = "" }: SentRequest): Redact {
  const named: [name: string, value: unknown][] = [...new URL(url).searchParams];
  if (typeof body === "string") {
    parseJsonOrText(body, (name, value) => {
      named.push([name, value]);
      return value;
    });
  }
  const secrets = named.filter(([name]) => SECRET_NAMES.has(name));
  return createRedactor([token, ...secrets.map(([, value]) => String(value))]);
}

/** Shortens text to 200 characters. */
export function truncate(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

/** Copies an error without secrets, and without the request that the original might hold. */
export function redactError(error: unknown, redact: Redact, depth = 4): Error {
  const { name, message, code, cause } = Object(error) as Error & { code?: unknown };
  const copy: Error & { code?: string } = new Error(redact(`${message ?? error}`));
  if (typeof name === "string") copy.name = redact(name);
  if (typeof code === "string") copy.code = redact(code);
  if (cause !== undefined && depth > 0) copy.cause = redactError(cause, redact, depth - 1);
  return copy;
}
