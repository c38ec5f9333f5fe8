import type { PreparedCall } from "./prepare-call.js";
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

/** The parts of a request that can contain secrets. */
export interface SentRequest {
  readonly url: string;
  readonly body: unknown;
}

/** The number of recent tokens that a client redacts. */
const MAX_TOKENS = 20;

/** Adds a token to the recent tokens, and forgets the oldest one if there are too many. */
export function noteToken(tokens: Set<string>, token: string): void {
  // Moves a token that was noted before to the end.
  tokens.delete(token);
  tokens.add(token);
  const [oldest] = tokens;
  if (tokens.size > MAX_TOKENS) tokens.delete(oldest!);
}

/** Creates a function that redacts the secrets of a call and its client. */
export function redactorOf({ settings, tokens, requests }: PreparedCall): Redact {
  // Searches the requests only here, because most calls succeed and redact nothing.
  return createRedactor([...settings.tokens, ...tokens, ...requests.flatMap(secretsIn)]);
}

/** Returns the values of secret query parameters, encoded and decoded, and all values inside secret JSON fields. */
function secretsIn({ url, body }: SentRequest): string[] {
  // Stryker disable next-line ArrayDeclaration: The added secret never occurs in a call.
  const secrets: string[] = [];
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
