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

/** The parameters of a call, by name. */
export interface Params {
  readonly path: unknown;
  readonly query: unknown;
}

/** Replaces the token, and the other secrets of these requests and parameters. */
export function redactorOf(
  requests: readonly Sent[],
  { path, query }: Params,
  token: string,
): Redact {
  const secrets = [token];
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
  // A URL does not name path parameters, and a hook may respond without a request.
  for (const [name, value] of Object.entries({ ...Object(query), ...Object(path) }))
    for (const each of [value].flat()) visit(name, each);
  return redactor(secrets);
}

/** Replaces these secrets, in linear time. */
export function redactor(secrets: readonly string[]): Redact {
  const long = secrets.filter(({ length }) => length >= SHORTEST_SECRET);
  const forms = new Map<string, Set<string>>();
  for (const form of long.flatMap(formsOf)) {
    const head = form.slice(0, HEAD);
    forms.set(head, (forms.get(head) ?? new Set()).add(form));
  }
  // The longest first: otherwise the end of a longer secret that starts with a shorter one would remain.
  const groups = [...forms].toSorted(([a], [b]) => b.length - a.length);
  return (text) => groups.reduce(replaceAll, text);
}

/** A secret unchanged, JSON-escaped, and percent-encoded in a URL and in a form, in upper and lower case. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const percent = [encode(secret) ?? form, form];
  const lower = percent.map((each) => each.replace(/%../g, (code) => code.toLowerCase()));
  return [secret, json, json.replaceAll("/", "\\/"), ...percent, ...lower];
}

/** Replaces each occurrence of the start of some secrets, with as much of the rest of one as follows it. */
function replaceAll(text: string, [head, secrets]: [head: string, secrets: Set<string>]): string {
  let clean = "";
  let from = 0;
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, from)) {
    clean += text.slice(from, at) + REDACTED;
    from = at + Math.max(...Array.from(secrets, (secret) => sharedLength(secret, text, at)));
  }
  return clean + text.slice(from);
}

/** How many characters of a secret stand at a place in a text. */
function sharedLength(secret: string, text: string, at: number): number {
  let length = HEAD;
  while (length < secret.length && text[at + length] === secret[length]) length += 1;
  return Math.min(length, secret.length);
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
    return JSON.parse(JSON.stringify(body), (_, value: unknown) => {
      if (typeof value !== "string" && typeof value !== "number") return value;
      const clean = redact(`${value}`);
      return clean === `${value}` ? value : clean;
    });
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
