import { encode } from "../../text.js";

/** The secrets of a run: it learns of more while it goes on, such as a request token. */
export interface Secrets {
  /** Everything learnt so far. */
  readonly known: readonly string[];
  /** Remembers a value, unless it is so short that it would be found by chance. */
  learn(value: string): void;
  /** A text with stand-ins for all known secrets; wholly a stand-in where one is in it in a rare encoding. */
  hide(text: string): string;
}

/** Names of members, headers and query parameters whose value is, or holds, a secret. */
export const SECRET =
  /(token|secret|passw(or)?d|session([_-]?id)?|api[_-]?key|authorization|cookies?|credentials?|jwt|signature)$/i;
/** Names that are a secret in a query, but harmless in a body, such as the `key` of a change. */
export const SECRET_IN_QUERY = /^(key|code|sig|auth|sid)$/i;
/** The name of the address of the approval step, whose path or query holds the token. */
export const CALLBACK = /authentication[_-]?callback$/i;

/** As in the client: no real token is shorter. */
const SHORTEST = 8;
/** Half of a secret of at least this length is a secret too: services like to quote the start of a token. */
const HALVED = 32;
const ESCAPE =
  /(?:\\+u00|\\+x|%(?:25)*|=)([\da-f]{2})|&#(?:x0*([\da-f]{2})|0*(\d{1,3}));|\\+(?![ux])/gi;

/** Starts with the secrets that are known beforehand. */
export function createSecrets(values: Iterable<string>): Secrets {
  const known = new Map<string, string[]>();
  const secrets: Secrets = {
    get known() {
      return [...known.keys()];
    },
    learn(value) {
      const middle = value.length < HALVED ? 0 : value.length / 2;
      const halves = [value.slice(0, middle), value.slice(middle)];
      for (const each of [value, unescaped(value), ...halves]) {
        if (each.length < SHORTEST || known.has(each) || each === standIn(each)) continue;
        known.set(each, formsOf(each).map(folded));
      }
    },
    hide(text) {
      if (text.length < SHORTEST) return text;
      // The longest first: a part of a secret must not be taken out of the whole.
      const clean = secrets.known
        .toSorted((a, b) => b.length - a.length)
        .flatMap((secret) => [secret, encode(secret) ?? secret])
        .reduce((rest, form) => rest.replaceAll(form, standIn), text);
      const views = [folded(clean), folded(unescaped(clean))];
      const isFound = (form: string) => views.some((view) => view.includes(form));
      return [...known.values()].some((forms) => forms.some(isFound)) ? standIn(clean) : clean;
    },
  };
  for (const value of values) secrets.learn(value);
  return secrets;
}

/** What stands in for a secret, of the same form where it has one: hexadecimal digits, a UUID, a URL, a path. */
export function standIn(secret: string): string {
  if (/^[0-9a-f-]{8,}$/i.test(secret)) return secret.replace(/[^-]/g, "0");
  if (/^https?:\/\//i.test(secret)) return "https://scrubbed.example/";
  return secret === "" ? "" : `${secret.startsWith("/") ? "/" : ""}scrubbed`;
}

/** A secret itself, and its hexadecimal and base64 forms, of these again the same. */
function formsOf(secret: string): string[] {
  const once = [secret, encode(secret) ?? secret].flatMap(encodings);
  return [...new Set([secret, ...once, ...once.flatMap(encodings)])];
}

/**
 * A text in hexadecimal and in base64. Within that it looks different after 0, 1 and 2 other bytes; only whole
 * characters of it are taken.
 */
export function encodings(text: string): string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const end = Math.floor((bytes.length * 8) / 6);
    return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), end);
  });
  return [Buffer.from(text).toString("hex"), ...base64];
}

/** Without the escapes of URLs (any number of times), JSON, HTML and mail. */
function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, hex?: string, inHtml?: string, decimal?: string) => {
    const code = hex ?? inHtml;
    if (code) return String.fromCharCode(Number.parseInt(code, 16));
    return decimal ? String.fromCharCode(Number(decimal)) : "";
  });
}

/** Without case, and base64 in one of its alphabets. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll("-", "+").replaceAll("_", "/");
}
