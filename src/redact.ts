import { encode, jsonOf, kindOf } from "./text.js";

const REDACTED = "[redacted]";
/** Shorter values are not replaced: they would match unrelated text, and real tokens are longer. */
export const MIN_SECRET_LENGTH = 8;
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
  return createRedactor(secrets);
}

/**
 * Creates a function that replaces secrets wherever they appear: as is, JSON-escaped, or percent-encoded.
 * @param secrets values of fewer than 8 characters are ignored
 * @param replacementFor the text that replaces a secret
 */
export function createRedactor(
  secrets: Iterable<string>,
  replacementFor: (secret: string) => string = () => REDACTED,
): Redact {
  const replacements = new Map<string, string>();
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    for (const form of encodingsOf(secret)) replacements.set(form, replacementFor(secret));
  }
  // The longest first: otherwise the rest of a longer secret that contains a shorter one would remain.
  const longestFirst = [...replacements].toSorted(([a], [b]) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, [form, to]) => rest.replaceAll(form, () => to), text);
}

/** A secret as is, JSON-escaped, and percent-encoded in a URL and in a form, in upper and lower case. */
function encodingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const percent = [encode(secret) ?? form, form];
  const lower = percent.map((each) => each.replace(/%../g, (code) => code.toLowerCase()));
  return [secret, json, json.replaceAll("/", "\\/"), ...percent, ...lower];
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
