import { learnFrom, SECRET, SECRET_IN_QUERY, USERINFO } from "../record/scrub-text.js";
import { createSecrets, type Secrets } from "../record/secrets.js";
import type { Json } from "../types.js";

/** A name and its value in a query or a form, and a segment of a path that follows a name. */
const NAMED = [/(?:^|[?&])([^=&#\s]+)=([^&#\s"]+)/g, /\/([\w-]+)\/([^/?#\s"]*\d[^/?#\s"]*)/g];

/** Where the secrets of what is judged are collected. */
export function createReportSecrets(): Secrets {
  return createSecrets([], () => "[redacted]");
}

/** Collects the secrets of a recording or a HAR entry: values that have the name of one, wherever they stand. */
export function collectSecrets(value: Json, secrets: Secrets, isSecret = false): void {
  if (typeof value === "string") collectFromText(value, secrets, isSecret);
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    // A HAR lists headers, cookies and the query as pairs.
    const isPair = key === "value" && !Array.isArray(value) && typeof value.name === "string";
    const name = isPair ? String(value.name) : key;
    const isNamed = SECRET.test(name) || (isPair && SECRET_IN_QUERY.test(name));
    collectSecrets(each, secrets, isSecret || isNamed);
  }
}

function collectFromText(text: string, secrets: Secrets, isSecret: boolean): void {
  for (const [, name = "", value = ""] of NAMED.flatMap((each) => [...text.matchAll(each)]))
    if (SECRET.test(name) || SECRET_IN_QUERY.test(name)) secrets.learn(value);
  for (const [, info = ""] of text.matchAll(USERINFO))
    for (const part of info.split(":")) secrets.learn(part);
  if (isSecret) learnFrom(text, secrets);
  else if (/^\s*[[{]/.test(text)) {
    try {
      collectSecrets(JSON.parse(text) as Json, secrets);
    } catch {
      // A text that only looks like JSON is no place with names.
    }
  }
}
