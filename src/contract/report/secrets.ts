import type { Json } from "../types.js";
import { encode } from "../../text.js";
import { hideInText } from "../record/scrub-text.js";
import { CALLBACK, createSecrets, encodings, SECRET, SECRET_IN_QUERY } from "../record/secrets.js";

/** Collects the secrets of a recording or a HAR entry: values that have the name of one, wherever they stand. */
export function collectSecrets(value: Json, secrets: Set<string>, isSecret = false): void {
  if (typeof value === "string") collectFromText(value, secrets, isSecret);
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    // A HAR lists headers, cookies and the query as pairs.
    const isPair = key === "value" && !Array.isArray(value) && typeof value.name === "string";
    const name = isPair ? String(value.name) : key;
    const isNamed = SECRET.test(name) || (isPair && SECRET_IN_QUERY.test(name));
    // Of this address the origin may be shown; the token is in its path or query.
    const isCallback = CALLBACK.test(name) && typeof each === "string";
    const inner = isCallback ? each.replace(/^[a-z]+:\/\/[^/?#]*/i, "") : each;
    collectSecrets(inner, secrets, isSecret || isNamed || isCallback);
  }
}

function collectFromText(text: string, secrets: Set<string>, isSecret: boolean): void {
  for (const [, name = "", value = ""] of text.matchAll(/[?&]([^=&#\s]+)=([^&#\s"]+)/g)) {
    if (SECRET.test(name) || SECRET_IN_QUERY.test(name)) add(value, secrets);
  }
  for (const [, userinfo = ""] of text.matchAll(/:\/\/([^/?#\s@]+)@/g)) {
    for (const part of userinfo.split(":")) add(part, secrets);
  }
  if (isSecret) {
    add(text, secrets);
    // `Bearer x`, `a=x; b=y`, `/authenticate/x`: words such as `HttpOnly` are none.
    for (const part of [/[\s;,]+/, /[\s;,="/?&#]+/].flatMap((between) => text.split(between))) {
      if (part.length >= 16 || /\d/.test(part)) add(part, secrets);
    }
  } else if (/^\s*[[{]/.test(text)) {
    try {
      collectSecrets(JSON.parse(text) as Json, secrets);
    } catch {
      // A text that only looks like JSON is no place with names.
    }
  }
}

function add(value: string, secrets: Set<string>): void {
  let decoded = value;
  try {
    decoded = decodeURIComponent(value);
  } catch {
    // It is not percent-encoded.
  }
  // As in the recorder: a shorter one would be found by chance.
  if (decoded.length >= 8) secrets.add(decoded);
}

/** Makes a function that takes secrets out of a text, plain and encoded, and what looks like one. */
export function createHider(secrets: Iterable<string>): (text: string) => string {
  // The longest first: a part of a secret must not be taken out of the whole.
  const forms = [...new Set([...secrets].flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
  const unknown = createSecrets([]);
  return (text) => {
    const clean = forms.reduce((before, form) => before.replaceAll(form, "[redacted]"), text);
    return hideInText(clean, unknown);
  };
}

/** Fixed texts, not the recorder's patterns: a HAR may hold hundreds of secrets and thousands of findings. */
function formsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const encoded = encode(secret) ?? secret;
  const coded = encodings(secret);
  return [
    secret,
    escaped,
    escaped.replaceAll("/", "\\/"),
    encoded,
    encode(encoded) ?? encoded,
    ...coded,
    ...coded.map((each) => each.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}
