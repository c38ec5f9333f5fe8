import type { Json } from "../types.js";
import type { RawExchange } from "./call.js";
import { hideInText } from "./scrub-text.js";
import { standIn, type Secrets } from "./secrets.js";

/** Whether what is below a member of this name is to be replaced, and learnt. */
type Rule = (name: string, value: Json) => "secret" | "personal" | undefined;

/** Names of members, headers and query parameters whose value is a secret. */
const SECRET =
  /(token|secret|passw(or)?d|session([_-]?id)?|api[_-]?key|authorization|cookies?|credentials?|jwt|signature)$/i;
/** Names that are a secret in a query, but harmless in a body, such as the `key` of a change. */
const SECRET_IN_QUERY = /^(key|code|sig|auth|sid)$/i;
/** The query of account details has such a value, whose name nobody tells (G10). */
const HEXADECIMAL = /^[\da-f]{32,}$/i;
/** Headers that are nothing but a secret. */
const SECRET_HEADER = /cookie|authorization/i;
const CALLBACK = /^authentication[_-]?callback$/i;
/** What is public of an account; all else in its details is about a person. */
const PUBLIC_OF_ACCOUNT = new Set(["include_adult", "iso_3166_1", "iso_639_1"]);

const always: Rule = (name) => (SECRET.test(name) ? "secret" : undefined);
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
  // The first time over it is learnt what the second time is found everywhere, such as a token in body and header.
  once(exchange, secrets);
  return once(exchange, secrets);
}

function once({ operation, request, response }: RawExchange, secrets: Secrets): RawExchange {
  const { path, query, body } = request;
  const kept = Object.entries(response.headers).filter(([name, value]) => {
    if (!SECRET_HEADER.test(name)) return true;
    for (const line of value.split("\n")) learnFrom(line.replace(/^[\w-]+=|;.*/g, ""), secrets);
    return false;
  });
  const isAccount = operation === "account.details" && response.status < 300;
  return {
    operation,
    request: {
      method: request.method,
      path: withoutAccount(hideInText(path, secrets), secrets),
      ...(query && { query: walk({ ...query }, secrets, inQuery) as typeof query }),
      ...(body !== undefined && { body: walk(body, secrets, always) }),
    },
    response: {
      status: response.status,
      headers: walk(Object.fromEntries(kept), secrets, always) as Record<string, string>,
      ...(response.body !== undefined && {
        body: walk(response.body, secrets, isAccount ? inAccount : always),
      }),
      ...(response.text !== undefined && { text: inString(response.text, secrets) }),
    },
  };
}

function walk(value: Json, secrets: Secrets, rule: Rule, found?: ReturnType<Rule>): Json {
  if (typeof value === "string") {
    if (found === "secret") learnFrom(value, secrets);
    return found ? standIn(value) : inString(value, secrets);
  }
  if (typeof value === "number") {
    const hidden = found ?? secrets.hide(`${value}`) !== `${value}`;
    return hidden ? (Number.isInteger(value) ? 1 : 0.5) : value;
  }
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((each) => walk(each, secrets, rule, found));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      hideInText(name, secrets),
      CALLBACK.test(name) && typeof each === "string"
        ? callback(each, secrets)
        : walk(each, secrets, rule, found ?? rule(name, each)),
    ]),
  );
}

/** A string may be a JSON text of its own. */
function inString(text: string, secrets: Secrets): string {
  if (!/^\s*[[{"]/.test(text)) return hideInText(text, secrets);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return hideInText(text, secrets);
  }
  const clean = JSON.stringify(walk(value, secrets, always));
  return clean === JSON.stringify(value) ? text : clean;
}

/** Its last and its long segments, its query and its fragment may be the token; the rest of the address is kept. */
function callback(url: string, secrets: Secrets): string {
  const [, origin = "", path = "", query = "", fragment] =
    /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url) ?? [];
  const segments = path.split("/").map((segment, index, { length }) => {
    if (segment.length >= 16) learnFrom(segment, secrets);
    return segment.length >= 16 || index === length - 1 ? standIn(segment) : segment;
  });
  const values = query.replace(/=([^&]*)/g, (_, value: string) => {
    learnFrom(value, secrets);
    return `=${standIn(value)}`;
  });
  return hideInText(
    `${origin}${segments.join("/")}${values}${fragment ? "#scrubbed" : ""}`,
    secrets,
  );
}

function withoutAccount(path: string, secrets: Secrets): string {
  return path.replace(/(?<=^\/3\/account\/)[^/]+/, (id) => {
    // Shorter ids are numbers that movies have too.
    if (id.length >= 16) secrets.learn(id);
    return "1";
  });
}

/** A value may be percent-encoded, or stand behind the name of its scheme. */
function learnFrom(value: string, secrets: Secrets): void {
  const bare = value.replace(/^\w+\s+/, "");
  secrets.learn(value);
  secrets.learn(bare);
  if (URL.canParse(`x:${bare}`) && !/%(?![\da-f]{2})/i.test(bare)) secrets.learn(unescape(bare));
}
