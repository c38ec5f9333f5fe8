import { jsonOf, kindOf } from "./text.js";

const REDACTED = "[redacted]";
/** Shorter values stay: they would match by chance, and no real token is that short. */
const SHORTEST_SECRET = 8;
/** Characters of a secret that are searched for. Beyond about 250, V8's search is no longer linear. */
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
    secrets.push(headers.get("authorization")?.replace("Bearer ", "") ?? "");
    const text = typeof body === "string" ? body : "";
    const form = new URLSearchParams(text);
    for (const pairs of [headers, form, new URL(url).searchParams]) {
      for (const [name, value] of pairs) visit(name, value);
    }
    jsonOf(text, visit);
  }
  return redactor(secrets);
}

/** Finds secrets in their exact, JSON-escaped and percent-encoded forms, in linear time. */
export function redactor(secrets: Iterable<string>): Redact {
  const long = [...secrets].filter(({ length }) => length >= SHORTEST_SECRET);
  // The longest first: a secret that starts like another must not keep its end.
  const forms = [...new Set(long.flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
  return (text) => forms.reduce(replaceAll, text);
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const bytes = Array.from(new TextEncoder().encode(secret), (byte) => byte.toString(16));
  const all = bytes.map((byte) => `%${byte.padStart(2, "0").toUpperCase()}`).join("");
  // Both of these escape fewer characters than a form does.
  const uri = form.replaceAll("+", "%20").replace(/%(2[1789]|7E)/g, decodeURIComponent);
  const percent = [form, uri, all];
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

/** A copy of headers without secrets. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  const clean = new Headers();
  for (const [name, value] of headers)
    clean.append(redact(name).replace(/\W/g, "-"), redact(value));
  return clean;
}

/** A copy of parsed JSON without secrets; its text if a secret was a number or punctuation. */
export function redactJson(json: unknown, redact: Redact): unknown {
  const inStrings = (_: string, value: unknown) =>
    typeof value === "string" ? redact(value) : value;
  try {
    return jsonOf(redact(JSON.stringify(json, inStrings)));
  } catch {
    // It is undefined, or nested more deeply than the stack allows.
    return undefined;
  }
}

/** A copy of an error without secrets. The original may hold the request. */
export function redactError(error: unknown, redact: Redact, depth = 4): Error {
  const { name, message, stack, cause, code } = Object(error) as Record<string, unknown>;
  const text = typeof message === "string" ? message : error;
  const copy = new Error(redact(typeof text === "string" ? text : kindOf(text)));
  if (typeof name === "string") copy.name = redact(name);
  copy.stack = redact(typeof stack === "string" ? stack : String(copy));
  if (typeof code === "string") Object.assign(copy, { code: redact(code) });
  if (cause !== undefined && depth > 0) copy.cause = redactError(cause, redact, depth - 1);
  return copy;
}
