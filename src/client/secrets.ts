import type { CallCredentials } from "./credentials.js";
import { createRedactor, type Redact } from "./redact.js";
import { parseJsonOrText } from "./text.js";

/** The names of query parameters and JSON body fields whose values are secret. */
export const SECRET_NAMES: readonly string[] = [
  "access_token",
  "session_id",
  "guest_session_id",
  "request_token",
  "api_key",
  "password",
];

/**
 * Matches a guest session in a path, and the value of a secret query parameter. A path template has a brace in place of
 * the session, and `new` creates a session.
 */
const SECRET_IN_URL = new RegExp(
  `(?<=/guest_session/)(?!new([/?#]|$)|\\{)[^/?#]+|(?<=[?&](${SECRET_NAMES.join("|")})=)[^&#]*`,
  "g",
);

/** The parts of a request that can contain secrets. */
export interface SentRequest {
  readonly url: string;
  readonly body: unknown;
  /** The `authorization` header, which only middleware can set. */
  readonly authorization?: string | null;
}

/** Everything secret that one call has sent. */
export interface Secrets extends CallCredentials {
  readonly requests: SentRequest[];
}

/** Replaces the session in the path of a URL, and the secrets in its query. */
export function withoutSecrets(url: string): string {
  return url.replace(SECRET_IN_URL, "[redacted]");
}

/** Creates a function that redacts the secrets of a call and its client. */
export function redactorOf(secrets: Secrets): Redact {
  return createRedactor(valuesOf(secrets));
}

/** Creates a function that also redacts the URLs of the requests, which the errors of some `fetch` functions quote. */
export function urlRedactorOf(secrets: Secrets): Redact {
  return createRedactor([...valuesOf(secrets), ...secrets.requests.flatMap(partsOf)]);
}

/** Returns all secret values. Searches the requests only now, because most calls succeed and redact nothing. */
function valuesOf({ client, used, requests }: Secrets): string[] {
  return [...(client?.recent.keys() ?? []), ...used, ...requests.flatMap(secretsIn)];
}

/** Returns a URL, its path with the query, and its query. */
function partsOf({ url }: SentRequest): string[] {
  const { href, pathname, search } = new URL(url);
  return [href, ...(search && [pathname + search, search.slice(1)])];
}

/**
 * Returns the session in the path, the secret query parameters, the words in the `authorization` header, and all values
 * in secret JSON fields.
 */
function secretsIn({ url, body, authorization }: SentRequest): string[] {
  const secrets: string[] = url.match(SECRET_IN_URL) ?? [];
  // Middleware can also percent-encode the name of a parameter.
  for (const [name, value] of new URL(url).searchParams)
    if (SECRET_NAMES.includes(name)) secrets.push(value);
  // A scheme such as Bearer is too short to be redacted.
  if (authorization) secrets.push(...authorization.split(" "));
  // A body that is not text is not JSON either, and FormData has no properties.
  const values: [value: unknown, isSecret: boolean][] = [[parseJsonOrText(body as string), false]];
  // The loop also visits the values that it adds to the array. A recursive function could exhaust the stack.
  for (const [value, isSecret] of values) {
    if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value))
        values.push([each, isSecret || SECRET_NAMES.includes(name)]);
    } else if (isSecret) secrets.push(String(value));
  }
  return secrets;
}
