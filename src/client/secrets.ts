import type { CallCredentials } from "./credentials.js";
import { createRedactor, type Redact } from "./redact.js";
import { parseJsonOrText, resultOf } from "./text.js";

/** The names of query parameters and JSON body fields whose values are secret. */
export const SECRET_NAMES: readonly string[] = [
  "access_token",
  "session_id",
  "guest_session_id",
  "request_token",
  "api_key",
  "password",
];

/** Matches a guest session in a path. The template has a brace in its place, and `new` creates a session. */
const SESSION_IN_PATH = /(\/guest_session\/)(?!new\b|\{)([^/?#]+)/g;

/** The parts of a request that can contain secrets. */
export interface SentRequest {
  readonly url: string;
  readonly body: unknown;
}

/** Everything secret that one call has sent. */
export interface Secrets {
  readonly credentials: CallCredentials;
  readonly requests: SentRequest[];
}

/** Replaces the sessions, and other secrets, in the path and the query of a URL. */
export function withoutSecrets(url: string): string {
  const [path = "", query] = url.split("?");
  const shownPath = path.replace(SESSION_IN_PATH, "$1[redacted]");
  if (query === undefined) return shownPath;
  const pairs = query.split("&").map((pair) => {
    const [name = ""] = pair.split("=");
    return SECRET_NAMES.includes(name) ? `${name}=[redacted]` : pair;
  });
  return `${shownPath}?${pairs.join("&")}`;
}

/** Creates a function that redacts the secrets of a call and its client. */
export function redactorOf(secrets: Secrets): Redact {
  return createRedactor(listSecrets(secrets));
}

/** Creates a function that also redacts the URLs of the requests, which the errors of some `fetch` functions quote. */
export function urlRedactorOf(secrets: Secrets): Redact {
  return createRedactor([
    ...listSecrets(secrets),
    ...secrets.requests.flatMap(({ url }) => formsOf(url)),
  ]);
}

function listSecrets({ credentials, requests }: Secrets): string[] {
  const { client, used } = credentials;
  // Searches the requests only here, because most calls succeed and redact nothing.
  return [...(client?.recent ?? []), ...used, ...requests.flatMap(secretsIn)];
}

/** Returns a URL, its path with the query, and its query, each as sent, normalized, and decoded, and the query as a form. */
function formsOf(url: string): string[] {
  const { href, pathname, search, searchParams } = new URL(url);
  const parts = [url, href];
  if (search) parts.push(pathname + search, search.slice(1), `${searchParams}`);
  return parts.flatMap((part) => [
    part,
    resultOf(() => decodeURI(part)) ?? part,
    resultOf(() => decodeURIComponent(part)) ?? part,
  ]);
}

/** Returns the session in the path, secret query parameters, encoded and decoded, and all values in secret JSON fields. */
function secretsIn({ url, body }: SentRequest): string[] {
  const inPath = [...url.matchAll(SESSION_IN_PATH)].map(([, , value]) => value!);
  const secrets = inPath.flatMap((value) => [
    value,
    resultOf(() => decodeURIComponent(value)) ?? "",
  ]);
  // Stryker disable next-line OptionalChaining,ArrayDeclaration: If the pattern matches, its group matches; no secret parameter has the added name.
  for (const pair of /\?([^#]*)/.exec(url)?.[1]?.split("&") ?? []) {
    for (const [name, value] of new URLSearchParams(pair)) {
      if (SECRET_NAMES.includes(name)) secrets.push(value, pair.slice(pair.indexOf("=") + 1));
    }
  }
  // Stryker disable next-line ArrayDeclaration: The added value is too short to be redacted.
  const values: [value: unknown, isSecret: boolean][] = [];
  // Stryker disable next-line ConditionalExpression: FormData has no properties that could be secrets.
  if (typeof body === "string") values.push([parseJsonOrText(body), false]);
  // The loop also visits the values that it adds to the array. A recursive function could exhaust the stack.
  for (const [value, isSecret] of values) {
    if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value))
        values.push([each, isSecret || SECRET_NAMES.includes(name)]);
    } else if (isSecret) secrets.push(String(value));
  }
  return secrets;
}
