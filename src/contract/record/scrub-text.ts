import type { Secrets } from "./secrets.js";

const NAMES = String.raw`token|secret|passw(?:or)?d|pwd|session[_-]?id|(?:access|api|subscription)[_-]?key|jwt`;
/** Names of members, headers and query parameters whose value is, or holds, a secret. */
export const SECRET = new RegExp(
  `(${NAMES}|session|\\bauth|authorization|cookies?|credentials?|signature|authentication[_-]?callback)$`,
  "i",
);
/** Names that are a secret in a query, but harmless in a body, such as the `key` of a change. */
export const SECRET_IN_QUERY = /^(key|code|sig|auth|sid)$/i;

/** `=`, `:` and quotes as they occur around a value in running text: plain, JSON-escaped, percent-encoded, HTML. */
const QUOTE = String.raw`(?:\\*["']|&quot;|%(?:25)*22)?`;
/** The value of a field of a form in HTML. */
const FIELD = String.raw`["'][^<>]{0,99}?\s(?:value|content)\s*=`;
const SEPARATOR = String.raw`(?:${QUOTE}\s*(?:[:=]|%(?:25)*3[ad])\s*${QUOTE}|\\*${FIELD}\s*${QUOTE})`;
const VALUE = String.raw`(?:[\w.~+/=-]|%(?:25)*(?:2[bf]|3d)){8,}`;
const ASSIGNMENT = new RegExp(
  String.raw`((?<![\w-])[\w-]*(?:${NAMES})${SEPARATOR})(${VALUE})`,
  "gi",
);
/** A word that follows "bearer" is a token where it has a digit or a capital: "bearer authentication" has none. */
const SCHEME =
  /(\b(?:[Bb]earer|BEARER|[Bb]asic)(?:\s|\+|%(?:25)*20)+)(?=[a-z]*[\dA-Z])([\w.~+/=-]{8,})/g;
const JWT = /eyJ[\w-]{8,}(?:\.[\w-]*)*/g;
export const USERINFO = /(?<=:\/\/)([^/?#\s@]+)@/g;
/** What stands beside a secret in the headers that hold one, and is none. */
const BESIDE = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*|;\s*(?:domain|expires|max-age|path)=[^;\n]*/gi;

/** A text with stand-ins for known secrets, and for what looks like one by its form or by the name beside it. */
export function hideInText(text: string, secrets: Secrets): string {
  if (text.length < 8) return text;
  const found = (value: string) => {
    secrets.learn(value);
    return secrets.standIn(value);
  };
  const behind = (_: string, before: string, value: string) => before + found(value);
  const known = secrets.hide(text);
  const clean = known
    .replace(JWT, found)
    .replace(ASSIGNMENT, behind)
    .replace(SCHEME, behind)
    .replace(USERINFO, (_, info: string) => {
      for (const part of info.split(":")) secrets.learn(part);
      return "";
    });
  // The same text may have it again, without a name.
  return clean === known ? clean : secrets.hide(clean);
}

/** Learns a secret, and what of it may stand alone elsewhere: behind its scheme, in a cookie, in an address. */
export function learnFrom(value: string, secrets: Secrets): void {
  const inside = value.replace(BESIDE, "");
  const [, credentials = ""] = /^basic\s+(\S+)/i.exec(inside) ?? [];
  const pair = Buffer.from(credentials, "base64").toString().split(/:(.*)/s);
  for (const part of [inside, inside.replace(/^\w+\s+/, ""), ...pair]) secrets.learn(part);
  for (const part of [/[\s;,]+/, /[\s;,="/?&#]+/].flatMap((between) => inside.split(between))) {
    // Words such as `HttpOnly` are none.
    if (part.length >= 16 || /\d/.test(part)) secrets.learn(part);
  }
}
