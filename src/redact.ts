const REDACTED = "[redacted]";

/** Shorter values are left in place: they would match by chance, and no real token is that short. */
const SHORTEST_SECRET = 8;

/** Replaces secrets in a text, also where they stand JSON-escaped or percent-encoded. */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue;
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
      clean = clean.replaceAll(form, REDACTED);
    }
  }
  return clean;
}

/** Copies headers without the secrets that a service may echo. */
export function redactHeaders(headers: Headers, secrets: Iterable<string>): Headers {
  const clean = new Headers();
  for (const [name, value] of headers) clean.append(name, redact(value, secrets));
  return clean;
}

/**
 * Copies an error of a fetch as name, message, code, stack and causes alone: the original may hold the request, and
 * with it the token.
 */
export function redactError(error: unknown, secrets: Iterable<string>, depth = 4): Error {
  if (!(error instanceof Error)) return new Error(redact(String(error), secrets));
  const { name, message, stack, cause, code } = error as Error & { code?: unknown };
  const copy = new Error(redact(message, secrets));
  Object.defineProperty(copy, "name", { value: name, configurable: true, writable: true });
  copy.stack = redact(stack ?? "", secrets);
  if (typeof code === "string" || typeof code === "number") Object.assign(copy, { code });
  if (cause !== undefined && depth > 0) copy.cause = redactError(cause, secrets, depth - 1);
  return copy;
}
