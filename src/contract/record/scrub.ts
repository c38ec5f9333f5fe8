import type { Exchange, Json } from "../types.js";
import { hideInText } from "./scrub-text.js";
import { CALLBACK, SECRET, SECRET_IN_QUERY, standIn, type Secrets } from "./secrets.js";

/** A request and its answer. */
export type RawExchange = Pick<Exchange, "request" | "response"> & { operation: string };

/** What a member holds, so that a stand-in takes its place: a secret is also looked for elsewhere. */
type Kind = "secret" | "personal" | undefined;
type Rule = (name: string, value: Json) => Kind;

/** The query of account details has such a value, whose name nobody tells (G10). */
const HEXADECIMAL = /^[\da-f]{32,}$/i;
/** What is public of an account; all else in its details is about a person. */
const PUBLIC_OF_ACCOUNT = new Set(["include_adult", "iso_3166_1", "iso_639_1"]);

const always: Rule = (name) => (SECRET.test(name) || CALLBACK.test(name) ? "secret" : undefined);
const inQuery: Rule = (name, value) =>
  SECRET_IN_QUERY.test(name) || HEXADECIMAL.test(String(value)) ? "secret" : always(name, value);
const inAccount: Rule = (name, value) =>
  always(name, value) ?? (PUBLIC_OF_ACCOUNT.has(name) ? undefined : "personal");

/**
 * Puts stand-ins in place of secrets and of what is personal. Type and form are kept: what satisfies its schema still
 * does, what does not still does not. Personal are the id in the path of an account, and all in its details but
 * language, country and `include_adult`; what an account has rated is not, the plan asks for it by name.
 */
export function scrub(exchange: RawExchange, secrets: Secrets): RawExchange {
  // So that what is learnt of one place is found in all, such as a token in body and header.
  learnSecrets(exchange, secrets);
  return once(exchange, secrets);
}

/** Learns the secrets of an exchange. */
export function learnSecrets(exchange: RawExchange, secrets: Secrets): void {
  once(exchange, secrets);
}

function once({ operation, request, response }: RawExchange, secrets: Secrets): RawExchange {
  const isAccount = operation === "account.details" && response.status < 300;
  const rules: Record<string, Rule> = { query: inQuery, body: isAccount ? inAccount : always };
  const clean = <T extends object>(part: T): T => {
    const members = Object.entries(part as Record<string, Json>);
    return Object.fromEntries(
      members.map(([name, each]) => [name, walk(each, secrets, rules[name] ?? always)]),
    ) as T;
  };
  const path = request.path.replace(/(?<=^\/3\/account\/)[^/]+/, (id) => {
    // Shorter ids are numbers that movies have too.
    if (id.length >= 16) secrets.learn(id);
    return "1";
  });
  return { operation, request: clean({ ...request, path }), response: clean(response) };
}

function walk(value: Json, secrets: Secrets, rule: Rule, kind?: Kind): Json {
  if (typeof value === "string") {
    if (kind === "secret") learnFrom(value, secrets);
    return kind ? standIn(value) : inString(value, secrets);
  }
  if (typeof value === "number") {
    const isHidden = kind ?? secrets.hide(`${value}`) !== `${value}`;
    return isHidden ? (Number.isInteger(value) ? 1 : 0.5) : value;
  }
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((each) => walk(each, secrets, rule, kind));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      hideInText(name, secrets),
      walk(each, secrets, rule, kind ?? rule(name, each)),
    ]),
  );
}

/** A string may be a JSON text of its own. */
function inString(text: string, secrets: Secrets): string {
  if (!/^\s*[[{"]/.test(text)) return hideInText(text, secrets);
  try {
    const value = JSON.parse(text) as Json;
    const clean = JSON.stringify(walk(value, secrets, always));
    return clean === JSON.stringify(value) ? text : clean;
  } catch {
    return hideInText(text, secrets);
  }
}

/** Learns a secret, and what of it may stand alone elsewhere: behind its scheme, in a cookie, in an address. */
function learnFrom(value: string, secrets: Secrets): void {
  secrets.learn(value);
  secrets.learn(value.replace(/^\w+\s+/, ""));
  const inside = value.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*|;.*/gi, "");
  for (const part of inside.split(/[\s/?&=#]+/)) {
    if (part.length >= 16 || /\d/.test(part)) secrets.learn(part);
  }
}
