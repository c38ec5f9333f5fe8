import type { Exchange, Json } from "../types.js";
import { hideInText, learnFrom, SECRET, SECRET_IN_QUERY } from "./scrub-text.js";
import { standIn, type Secrets } from "./secrets.js";

/** A request and its answer. */
export type RawExchange = Pick<Exchange, "request" | "response"> & { operation: string };

/** What a member holds, so that a stand-in takes its place: a secret is also looked for elsewhere. */
type Kind = "secret" | "personal" | undefined;
type Rule = (name: string, value: Json) => Kind;

/** The query of account details has such a value, whose name nobody tells (G10). */
const HEXADECIMAL = /^[\da-f]{32,}$/i;
/** What is public of an account; all else in its details is about a person. */
const PUBLIC_OF_ACCOUNT = new Set(["include_adult", "iso_3166_1", "iso_639_1"]);

const always: Rule = (name) => (SECRET.test(name) ? "secret" : undefined);
const inQuery: Rule = (name, value) =>
  SECRET_IN_QUERY.test(name) || HEXADECIMAL.test(String(value)) ? "secret" : always(name, value);
const inAccount: Rule = (name, value) =>
  always(name, value) ?? (PUBLIC_OF_ACCOUNT.has(name) ? undefined : "personal");

/**
 * Puts stand-ins in place of secrets, which it learns, and of what is personal. Type and form are kept: what satisfies
 * its schema still does, what does not still does not. Personal are the id in the path of an account, and all in its
 * details but language, country and `include_adult`; what an account has rated is not, the plan asks for it by name.
 */
export function scrub(exchange: RawExchange, secrets: Secrets): RawExchange {
  // What is learnt of one place is found in all, such as a token in body and header.
  once(exchange, secrets);
  return once(exchange, secrets);
}

function once({ operation, request, response }: RawExchange, secrets: Secrets): RawExchange {
  const isAccount = operation === "account.details" && response.status < 300;
  const rules: Record<string, Rule> = { query: inQuery, body: isAccount ? inAccount : always };
  const clean = <T extends object>(part: T): T => {
    const members = Object.entries(part as Record<string, Json>);
    for (const each of members) each[1] = walk(each[1], secrets, rules[each[0]] ?? always);
    return Object.fromEntries(members) as T;
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
