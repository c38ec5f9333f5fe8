/** The secrets of a run: it learns of more while it goes on, such as a request token. */
export interface Secrets {
  /** Everything learnt so far. */
  readonly known: readonly string[];
  /** Remembers a value, unless it is so short that it would be found by chance. */
  learn(value: string): void;
  /** A text with stand-ins for all known secrets, however they are encoded. */
  hide(text: string): string;
}

/** As in the client: no real token is shorter. */
const SHORTEST = 8;
/** Half of a secret of at least this length is a secret too: services like to quote the start of a token. */
const HALVED = 32;

const ESCAPE =
  /(?:\\+u00|\\+x|%(?:25)*|=)([\da-f]{2})|&#(?:x0*([\da-f]{2})|0*(\d{1,3}));|\\+(?![ux])/gi;

/** Starts with the secrets that are known beforehand. */
export function createSecrets(values: Iterable<string>): Secrets {
  const known = new Map<string, { form: string; sought: string }[]>();
  const learnPart = (part: string) => {
    known.set(
      part,
      formsOf(part).map((form) => ({ form, sought: normal(form) })),
    );
  };
  const secrets: Secrets = {
    get known() {
      return [...known.keys()];
    },
    learn(value) {
      if (value.length < SHORTEST || known.has(value) || isStandIn(value)) return;
      learnPart(value);
      if (value.length < HALVED) return;
      const middle = Math.ceil(value.length / 2);
      learnPart(value.slice(0, middle));
      learnPart(value.slice(middle));
    },
    hide(text) {
      if (text.length < SHORTEST) return text;
      const views = [normal(text), normal(unescaped(text))];
      // A pattern of a form is slow: only what is there is looked for with one.
      const there = [...known.values()].flat().filter(({ sought }) => {
        return views.some((view) => view.includes(sought));
      });
      // The longest first: a part of a secret must not be taken out of the whole.
      const forms = there.map(({ form }) => form).toSorted((a, b) => b.length - a.length);
      return forms.reduce(
        (clean, form) => clean.replace(new RegExp(loose(form), "gi"), standIn),
        text,
      );
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

/** Whether a value is nothing but stand-ins. */
export function isStandIn(value: string): boolean {
  return /^(scrubbed|[0-]|\W)*$/.test(value);
}

/** A secret itself, and its hexadecimal and base64 forms, of these again the same. */
function formsOf(secret: string): string[] {
  const once = [secret, encodeURIComponent(secret)].flatMap(encodings);
  return [...new Set([secret, ...once, ...once.flatMap(encodings)])];
}

/** Within base64 a text looks different after 0, 1 and 2 other bytes; only whole characters of it are taken. */
function encodings(text: string): string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const end = Math.floor((bytes.length * 8) / 6);
    return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), end);
  });
  return [Buffer.from(text).toString("hex"), ...base64];
}

/** Escapes as {@link loose} knows them, undone. */
function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, hex?: string, inHtml?: string, decimal?: string) => {
    const code = hex ?? inHtml;
    if (code) return String.fromCharCode(Number.parseInt(code, 16));
    return decimal ? String.fromCharCode(Number(decimal)) : "";
  });
}

/** Without case, and base64 in one of its alphabets. */
function normal(text: string): string {
  return text.toLowerCase().replaceAll("-", "+").replaceAll("_", "/");
}

/** A pattern of a text in which any character may be escaped for URLs (any number of times), JSON, HTML or mail. */
function loose(text: string): string {
  return [...Buffer.from(text, "latin1")]
    .map((code) => {
      const hex = code.toString(16).padStart(2, "0");
      // base64 has two alphabets.
      const alike: Record<string, string> = { "+": "[+-]", "/": "[/_]" };
      const character = String.fromCharCode(code);
      const plain = alike[character] ?? character.replace(/[^\w-]/, "\\$&");
      return `(?:\\\\*${plain}|%(?:25)*${hex}|\\\\+u00${hex}|\\\\+x${hex}|&#(?:x0*${hex}|0*${code});|=${hex})`;
    })
    .join("");
}
