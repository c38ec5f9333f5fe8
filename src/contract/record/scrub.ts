import type { Exchange, Json } from "../engine/types.js";
import { isSecret, nameIn } from "../secret-name.js";
import { collectSecrets, dataIn } from "./collect.js";
import { hideInText } from "./scrub-text.js";
import { standIn, type Secrets } from "./secrets.js";

/** A request and its answer. */
export type RawExchange = Pick<Exchange, "request" | "response"> & { operation: string };

/** What a member holds that a stand-in takes the place of. */
type Kind = "secret" | "personal" | undefined;
type Rule = (name: string, value: unknown) => Kind;

/** What is public of an account; all else in its details is about a person. */
const PUBLIC_OF_ACCOUNT = new Set(["include_adult", "iso_3166_1", "iso_639_1"]);

const always: Rule = (name, value) => (isSecret(name, value) ? "secret" : undefined);
const inQuery: Rule = (name, value) => (isSecret(name, value, true) ? "secret" : undefined);
const inAccount: Rule = (name, value) =>
  always(name, value) ?? (PUBLIC_OF_ACCOUNT.has(name) ? undefined : "personal");

/**
 * Puts stand-ins in place of secrets, which it learns, and of what is personal. Type and form are kept: what satisfies
 * its schema still does, what does not still does not. Personal are the id in the path of an account, and all in its
 * details but language, country and `include_adult`; what an account has rated is not, the plan asks for it by name.
 */
export function scrub(exchange: RawExchange, secrets: Secrets): RawExchange {
  // First of all: what is learnt of one place is found in all, such as a token in body and header.
  collectSecrets(exchange, secrets);
  const { operation, request, response } = exchange;
  const isAccount = operation === "account.details" && response.status < 300;
  const sent = Object.entries(request.query ?? {}).filter(([name, value]) => inQuery(name, value));
  const echoes = new Set(sent.flatMap(([, value]) => [`${value}`, `"${value}"`, `W/"${value}"`]));
  const rules: Record<string, Rule> = {
    query: inQuery,
    body: isAccount ? inAccount : always,
    headers: (name, value) => (echoes.has(String(value)) ? "secret" : always(name, value)),
  };
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
    return kind ? standIn(value) : inString(value, secrets);
  }
  if (typeof value === "number") {
    const isHidden = kind ?? secrets.hide(`${value}`) !== `${value}`;
    return isHidden ? (Number.isInteger(value) ? 1 : 0.5) : value;
  }
  if (value === null || typeof value !== "object") return value;
  const inside = (key: string, each: Json) =>
    walk(each, secrets, rule, kind ?? rule(nameIn(value, key), each));
  if (Array.isArray(value)) return value.map((each, index) => inside(`${index}`, each));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [hideInText(key, secrets), inside(key, each)]),
  );
}

/** A string may be a JSON text of its own. */
function inString(text: string, secrets: Secrets): string {
  const value = dataIn(text);
  if (value === undefined) return hideInText(text, secrets);
  const clean = JSON.stringify(walk(value, secrets, always));
  return clean === JSON.stringify(value) ? text : clean;
}
