import type { Json } from "../types.js";
import { encode } from "../../text.js";
import { hideInText } from "../record/scrub-text.js";
import { createSecrets } from "../record/secrets.js";

const NAME =
  /(token|secret|passw(or)?d|session([_-]?id)?|api[_-]?key|authorization|cookies?|credentials?|jwt|signature)$/i;
const CALLBACK = /^authentication[_-]?callback$/i;
/** Names that are a secret in a query, but harmless in a body. */
const IN_QUERY = /^(key|code|sig|auth|sid)$/i;
/** Shorter values would be found by chance, and no real token is that short. */
const SHORTEST = 8;
const REDACTED = "[redacted]";

/** Collects the secrets of a recording or a HAR entry: values that have the name of one, wherever they stand. */
export function collectSecrets(value: Json, secrets: Set<string>, isSecret = false): void {
  if (typeof value === "string") collectFromText(value, secrets, isSecret);
  if (typeof value !== "object" || value === null) return;
  // A HAR lists headers, cookies and the query as pairs.
  const pair = Array.isArray(value) ? undefined : value.name;
  const named = typeof pair === "string" && (NAME.test(pair) || IN_QUERY.test(pair));
  for (const [key, each] of Object.entries(value)) {
    const isCallback = CALLBACK.test(key === "value" && typeof pair === "string" ? pair : key);
    if (isCallback && typeof each === "string") collectFromCallback(each, secrets);
    else collectSecrets(each, secrets, isSecret || NAME.test(key) || (named && key === "value"));
  }
}

function collectFromText(text: string, secrets: Set<string>, isSecret: boolean): void {
  for (const [, name = "", value = ""] of text.matchAll(/[?&]([^=&#\s]+)=([^&#\s"]+)/g)) {
    if (NAME.test(name) || IN_QUERY.test(name)) add(decode(value), secrets);
  }
  for (const [, userinfo = ""] of text.matchAll(/:\/\/([^/?#\s@]+)@/g)) {
    for (const part of userinfo.split(":")) add(decode(part), secrets);
  }
  if (isSecret) {
    add(decode(text), secrets);
    // `Bearer x`, `a=x; b=y`: words such as `HttpOnly` are none.
    for (const part of text.split(/[\s;,="]+/)) if (isRandom(part)) add(decode(part), secrets);
    return;
  }
  if (!/^\s*[[{]/.test(text)) return;
  try {
    collectSecrets(JSON.parse(text) as Json, secrets);
  } catch {
    // A text that only looks like JSON is no place with names.
  }
}

/** The token is a segment or a parameter of this address, which itself may be shown. */
function collectFromCallback(url: string, secrets: Set<string>): void {
  collectFromText(url, secrets, false);
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  for (const part of path.split(/[\s/?&=#]+/)) if (isRandom(part)) add(decode(part), secrets);
}

function isRandom(part: string): boolean {
  return part.length >= 16 || /\d/.test(part);
}

function add(value: string, secrets: Set<string>): void {
  if (value.length >= SHORTEST) secrets.add(value);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Makes a function that takes secrets out of a text, plain and encoded, and what looks like one. */
export function createHider(secrets: Iterable<string>): (text: string) => string {
  const forms = [...new Set([...secrets].flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
  const unknown = createSecrets([]);
  return (text) =>
    hideInText(
      forms.reduce((clean, form) => clean.replaceAll(form, REDACTED), text),
      unknown,
    );
}

function formsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const encoded = encode(secret) ?? secret;
  // Within base64 a text looks different after 0, 1 and 2 other bytes; only whole characters of it are taken.
  const base64 = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const end = Math.floor((bytes.length * 8) / 6);
    return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), end);
  });
  const url = base64.map((each) => each.replaceAll("+", "-").replaceAll("/", "_"));
  return [
    secret,
    escaped,
    escaped.replaceAll("/", "\\/"),
    encoded,
    encode(encoded) ?? encoded,
    Buffer.from(secret).toString("hex"),
    ...base64,
    ...url,
  ];
}
