import { encode, jsonOf, kindOf } from "./text.js";

const REDACTED = "[redacted]";
/** Shorter values are not replaced: they would match unrelated text, and real tokens are longer. */
const SHORTEST_SECRET = 8;
/** Characters of a secret that are searched for. Beyond about 250, V8's search no longer takes linear time. */
const HEAD = 200;
/** Parameters, fields and headers whose values are secrets like the token. */
const SECRET = /^(x-)?((access|request)[_-]token|(guest[_-])?session[_-]id|api[_-]key)$/i;

/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

/** A request as it was passed to fetch. */
export interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | ArrayBuffer | undefined;
}

/** Replaces the token and the other secrets of these requests. */
export function redactorOf(requests: readonly Sent[]): Redact {
  const secrets: string[] = [];
  const visit = (name: string, value: unknown) => {
    if (SECRET.test(name)) secrets.push(String(value));
    return value;
  };
  for (const { url, headers, body } of requests) {
    secrets.push(headers.get("authorization")?.slice("Bearer ".length) ?? "");
    const text = typeof body === "string" ? body : "";
    for (const pairs of [headers, new URLSearchParams(text), new URL(url).searchParams]) {
      for (const [name, value] of pairs) visit(name, value);
    }
    jsonOf(text, visit);
  }
  return redactor(secrets);
}

/** Replaces these secrets, in linear time. */
export function redactor(secrets: readonly string[]): Redact {
  const long = secrets.filter(({ length }) => length >= SHORTEST_SECRET);
  const forms = [...new Set(long.flatMap(formsOf))];
  // The longest first: otherwise the end of a longer secret that starts with a shorter one would remain.
  forms.sort((a, b) => b.length - a.length);
  return (text) => forms.reduce(replaceAll, text);
}

/** A secret unchanged, JSON-escaped, and percent-encoded in a URL and in a form, in upper and lower case. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const percent = [encode(secret) ?? form, form];
  const lower = percent.map((each) => each.replace(/%../g, (code) => code.toLowerCase()));
  return [secret, json, json.replaceAll("/", "\\/"), ...percent, ...lower];
}

/** Replaces each occurrence of the start of a secret, with as much of the rest as follows it. */
function replaceAll(text: string, secret: string): string {
  const head = secret.slice(0, HEAD);
  let clean = "";
  let from = 0;
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, from)) {
    clean += text.slice(from, at) + REDACTED;
    from = at + head.length;
    while (from - at < secret.length && text[from] === secret[from - at]) from += 1;
  }
  return clean + text.slice(from);
}

/** The first 200 characters of a text, without secrets. */
export function excerpt(text: string, redact: Redact): string {
  const clean = redact(text);
  return clean.length <= 200 ? clean : `${clean.slice(0, 200)}…`;
}

/** A copy of a parsed body without secrets in its strings; the start of a text. */
export function redactBody(body: unknown, redact: Redact): unknown {
  if (typeof body === "string") return excerpt(body, redact);
  try {
    return JSON.parse(JSON.stringify(body), (_, value) =>
      typeof value === "string" ? redact(value) : (value as unknown),
    );
  } catch {
    // The body is undefined, or nested too deeply for the stack.
    return undefined;
  }
}

/** A copy of an error without secrets. The original may hold the request. */
export function redactError(error: unknown, redact: Redact, depth = 4): Error {
  const source = Object(error) as Record<string, unknown>;
  const { message = error, cause } = source;
  const copy: Error & { code?: string } = new Error(
    redact(typeof message === "string" ? message : kindOf(message)),
  );
  for (const key of ["name", "code", "stack"] as const) {
    const value = source[key];
    if (typeof value === "string") copy[key] = redact(value);
  }
  if (cause !== undefined && depth > 0) copy.cause = redactError(cause, redact, depth - 1);
  return copy;
}
