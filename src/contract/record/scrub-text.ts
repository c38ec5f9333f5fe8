import { looksLikeSecret, NAMES, NAMES_IN_QUERY } from "../secret-name.js";
import type { Secrets } from "./secrets.js";

/** `=`, `:` and quotes as they occur around a value in running text: plain, JSON-escaped, percent-encoded, HTML. */
const QUOTE = String.raw`(?:\\*["']|&quot;|%(?:25)*22)?`;
/** The value of an element or of a field of a form. */
const FIELD = String.raw`\\*["']?[^<>]{0,99}?\s(?:value|content)\s*=\s*`;
const SEPARATOR = String.raw`(?:${QUOTE}\s*(?:[:=>]|%(?:25)*3[ad])\s*${QUOTE}|${FIELD}${QUOTE})`;
/** As messages quote a token: "Invalid token …", "Your API key is …". */
const SAID = String.raw`\s+(?:(?:is|was)\s+)?["'\x60]?(?=\S{12})(?=\S*\d)(?=\S*[a-z])`;
const VALUE = String.raw`(?:[\w.~+/=-]|%(?:25)*(?:2[bf]|3d)){8,}`;
/** What only its form tells from the words that may stand there: "Top Secret: Operation", "Basic Instinct". */
const IN_PROSE = [
  new RegExp(String.raw`${NAMES}[\w-]{0,30}(?:${SEPARATOR}|${SAID})(${VALUE})`, "gi"),
  new RegExp(String.raw`\b(?:bearer|basic)(?:\s|\+|%(?:25)*20)+(${VALUE})`, "gi"),
  // The address of the approval step ends in a token. What follows a name may be one itself.
  new RegExp(
    String.raw`\/(?:[\w-]{0,30}${NAMES}[\w-]{0,30}|authenticate)(?=\/([^/?#\s"]{8,}))`,
    "gi",
  ),
];
const JWT = /eyJ[\w-]{8,}(?:\.[\w-]*)*/g;
/** A parameter of a URL, of its fragment, or of a form. */
const PARAMETER = new RegExp(
  String.raw`((?:^|[?&#]|&amp;)(?:(?:[\w.-]{0,30}${NAMES}[\w-]{0,30}|${NAMES_IN_QUERY})=|[\w.-]+=(?=[\da-f]{32,}(?!\w))))([^&#\s"'<>\\]+)`,
  "gi",
);
/** A value that its name and quotes or tags tell, be it short or a word. */
const NAMED = new RegExp(
  String.raw`(${NAMES}[\w-]{0,30}(?:\\*["']\s*:\s*\\*["']|>|${FIELD}\\*["']))([^"'<>\\]+)`,
  "gi",
);
/** A field of `multipart/form-data`, whose value stands below its headers. */
const PART = new RegExp(
  String.raw`(name="[^"\n]{0,30}${NAMES}[^"\n]{0,30}"[^\n]{0,99}\n(?:[^\r\n]{1,99}\r?\n){0,3}\r?\n)([^\r\n]+)`,
  "gi",
);
const USERINFO = /(?<=:\/\/)([^/?#\s@]+)@/g;
/** What stands beside a secret in the headers that hold one, and is none. */
const BESIDE = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*|;\s*(?:domain|expires|max-age|path)=[^;\n]*/gi;

/** A text with stand-ins for known secrets, and for what looks like one by its form or by the name beside it. */
export function hideInText(text: string, secrets: Secrets): string {
  learnFromText(text, secrets);
  const named = (_: string, before: string, value: string) => before + secrets.standIn(value);
  const clean = secrets.hide(text).replace(USERINFO, "");
  return clean.replace(PARAMETER, named).replace(NAMED, named);
}

/** Learns what a text of any kind tells to be secret, by its form or by the name beside it. */
export function learnFromText(text: string, secrets: Secrets): void {
  if (text.length < 8) return;
  for (const pattern of IN_PROSE)
    for (const [, value = ""] of text.matchAll(pattern))
      if (looksLikeSecret(value)) secrets.learn(value);
  for (const [value] of text.matchAll(JWT)) secrets.learn(value);
  for (const pattern of [PARAMETER, NAMED, PART])
    for (const [, , value = ""] of text.matchAll(pattern)) secrets.learn(value);
  for (const [, info = ""] of text.matchAll(USERINFO))
    for (const part of info.split(":")) secrets.learn(part);
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
