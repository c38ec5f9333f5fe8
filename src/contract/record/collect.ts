import { parseJson } from "../input/json.js";
import type { Json } from "../engine/types.js";
import { isSecret, nameIn } from "../secret-name.js";
import { learnFrom, learnFromText } from "./scrub-text.js";
import type { Secrets } from "./secrets.js";

/** Where the members of recordings and HARs are parameters. */
const QUERY = /^(?:query|queryString|params)$/;

/** Collects the secrets of an exchange: what has the name of one or looks like one, wherever it stands. */
export function collectSecrets(
  value: unknown,
  secrets: Secrets,
  isNamed = false,
  inQuery = false,
): void {
  if (typeof value === "string") {
    const data = isNamed ? undefined : dataIn(value);
    if (data !== undefined) return collectSecrets(data, secrets);
    learnFromText(value, secrets);
    if (isNamed) learnFrom(value, secrets);
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value) as [string, unknown][]) {
    const isQuery = inQuery || QUERY.test(key);
    const isFound = isNamed || isSecret(nameIn(value, key), each, isQuery);
    collectSecrets(each, secrets, isFound, isQuery);
  }
}

/** What a text says that is JSON itself, as the body in a HAR; undefined also where it nests too deeply to be walked. */
export function dataIn(text: string): Json | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
