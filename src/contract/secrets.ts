/**
 * Recognizes secrets for the recorder, the reports and `--live`: by token format, by an adjacent name, or
 * because other text in the same run revealed it. `record/scan.ts` deliberately shares none of this code.
 */
import { percentEncode, parseJson } from "../text.js";
import { NAMES, SECRET_NAME } from "./engine/short.js";

/** This described header contains a URL that may end in a token. */
const CALLBACK = /^authentication[_-]callback$/i;
/** Names that mark a secret only in a query: in a body, the `key` of a change is harmless. */
export const NAMES_IN_QUERY = "(?:key|code|sig)";
const SECRET_IN_QUERY = new RegExp(`^${NAMES_IN_QUERY}$`, "i");
/** The query of `account.details` accepts 40 hexadecimal digits under an unknown name (G10). */
const HEXADECIMAL = /^[\da-f]{32,}$/i;

/** Whether the name of a value marks it as a secret. */
export function isSecret(name: string, value: unknown, inQuery = false): boolean {
  // A number named `tokens` is a count.
  if (typeof value === "number" && /s$/i.test(name)) return false;
  if (SECRET_NAME.test(name) || CALLBACK.test(name)) return true;
  return inQuery && (SECRET_IN_QUERY.test(name) || HEXADECIMAL.test(String(value)));
}

/** The name under which a value is stored. In `{ name, value }` and `{ key, value }`, that is the first member. */
export function nameIn(value: object, key: string): string {
  if (Array.isArray(value)) return "";
  const { name, key: other } = value as Record<string, unknown>;
  return key === "value" ? String(name ?? other ?? key) : key;
}

/** Parts of titles: years, and words, including mixed case such as `McDonald`. */
const WORD = /^(?:[A-Z]?[a-z]*(?:[A-Z][a-z]+)?|[A-Z]+|\d{1,4}[a-z]{0,2})$/;

/** Whether a text without spaces consists of more than words and years. */
export function looksRandom(text: string): boolean {
  return text.split(/[^a-z\d]/i).some((part) => !WORD.test(part));
}

/** Words and numbers, such as `iso_3166_1`. */
const FIELD_NAME = /^(?=.{1,40}$)[a-z]+(?:[_-][a-z]+|_\d{1,4})*$/i;

/** Whether a key looks like a field name rather than data. */
export function isFieldName(key: string): boolean {
  return FIELD_NAME.test(key) && !looksRandom(key);
}

/** Members of recordings and HAR entries that contain query parameters. */
const QUERY = /^(?:query|queryString|params)$/;

/** Tokens with a well-known format. */
const TOKENS = [
  /eyJ[\w-]{8,}(?:\.[\w-]*)*/g, // JSON Web Token
  /(?<![A-Za-z\d])A[KS]IA[A-Z\d]{12,}/g, // AWS
  /(?:gh[oprsu]_|github_pat_)\w{10,}/g, // GitHub
  /[rs]k_(?:live|test)_\w{10,}/g, // Stripe
  /xox[a-z]-[\w-]{8,}/g, // Slack
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
/** In prose, a value after a name must look random: "Top Secret: Operation" and "Basic Instinct" are titles. */
const IN_PROSE = new RegExp(
  String.raw`(?:${NAMES}[\w-]{0,30}|\b(?:bearer|basic))(?:(?=/([\w.~+=-]{8,}))|\\*["']?(?:\s*[:=]\s*|\s+(?:is\s+)?)\\*["']?([\w.~+/=-]{8,}))`,
  "gi",
);
/** A parameter of a URL, a URL fragment or a form. */
const PARAMETER = new RegExp(
  String.raw`((?:^|[?&#])(?:(?:[\w.-]{0,30}${NAMES}[\w-]{0,30}|${NAMES_IN_QUERY})=|[\w.-]+=(?=[\da-f]{32,}(?!\w))))([^&#\s"'<>\\]+)`,
  "gi",
);
/** A quoted value after its name; it may be short, or a word. */
const QUOTED = new RegExp(String.raw`(${NAMES}[\w-]{0,30}\\*["']\s*:\s*\\*["'])([^"'\\]+)`, "gi");
const USERINFO = /(?<=:\/\/)([^/?#\s@]+)@/g;
/** Rules out most texts at once; every pattern above requires a part of it. */
const HINT = new RegExp(
  ["[=@]", NAMES, String.raw`\bb(?:earer|asic)`, ...TOKENS.map(({ source }) => source)].join("|"),
  "i",
);
/** Harmless parts of headers that contain a secret: the origin of an address and the attributes of a cookie. */
const HARMLESS = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*|;\s*(?:domain|expires|max-age|path)=[^;\n]*/gi;

/**
 * Learns every secret in a value, by name or by format.
 * @param decode also looks inside encodings, which takes ten times as long
 */
export function collectSecrets(value: unknown, secrets: Secrets, decode = false): void {
  function text(each: string, isNamed: boolean): void {
    learnFromText(each, secrets);
    if (isNamed) return partsOf(each).forEach((part) => learnFrom(part, secrets));
    // Decoded text may begin in the middle of a byte group, or contain several lines.
    const readings = decode ? partsOf(each).flatMap((part) => [...readingsOf(part)]) : [];
    const texts = [each, ...readings.flatMap((one) => one.split("\n"))];
    for (const one of texts) {
      if (one !== each) learnFromText(one, secrets);
      const data = /^\s*[[{"]/.test(one) ? parseJson(one) : one;
      if (data !== one) visit(data, false, false, 0);
    }
  }
  function visit(here: unknown, isNamed: boolean, inQuery: boolean, depth: number): void {
    if (typeof here === "string") return text(here, isNamed);
    if (isNamed && typeof here === "number" && /\d{8}/.test(`${here}`)) secrets.learn(`${here}`);
    // JSON within a text may nest so deeply that the stack would overflow.
    if (typeof here !== "object" || here === null || depth > 256) return;
    for (const [key, each] of Object.entries(here) as [string, unknown][]) {
      const isQuery = inQuery || QUERY.test(key);
      visit(each, isNamed || isSecret(nameIn(here, key), each, isQuery), isQuery, depth + 1);
      if (!Array.isArray(here)) text(key, isNamed && /\d/.test(key) && !isFieldName(key));
    }
  }
  visit(value, false, false, 0);
}

/** Longer texts are searched in overlapping parts, because a regular expression could overflow the stack. */
const PART = 2 ** 18;
const OVERLAP = 2 ** 13;

function partsOf(text: string): string[] {
  const stride = PART - OVERLAP;
  const length = Math.max(1, Math.ceil((text.length - OVERLAP) / stride));
  return Array.from({ length }, (_, index) => text.slice(index * stride, index * stride + PART));
}

/**
 * Replaces known secrets in a text, and anything marked as a secret by its format or an adjacent name. Replaces a very
 * long text as a whole.
 */
export function hideInText(text: string, secrets: Secrets): string {
  if (text.length > PART) return secrets.standIn("text");
  learnFromText(text, secrets);
  const named = (_: string, before: string, value: string) => before + secrets.standIn(value);
  const clean = secrets.hide(text).replace(USERINFO, "");
  return clean.replace(PARAMETER, named).replace(QUOTED, named);
}

function learnFromText(text: string, secrets: Secrets): void {
  if (text.length > PART) return partsOf(text).forEach((part) => learnFromText(part, secrets));
  if (text.length < SHORTEST || !HINT.test(text)) return;
  for (const pattern of TOKENS) for (const [token] of text.matchAll(pattern)) secrets.learn(token);
  for (const [, segment = "", value = segment] of text.matchAll(IN_PROSE))
    if (looksRandom(value)) secrets.learn(value);
  for (const pattern of [PARAMETER, QUOTED])
    for (const [, , value = ""] of text.matchAll(pattern)) secrets.learn(value);
  for (const [, info = ""] of text.matchAll(USERINFO))
    for (const part of info.split(":")) secrets.learn(part);
}

/** Learns a secret, and the parts of it that may occur alone: after a scheme, in a cookie, in a URL. */
function learnFrom(value: string, secrets: Secrets): void {
  const inside = value.replace(HARMLESS, "");
  for (const part of [inside, inside.replace(/^\w+\s+/, "")]) secrets.learn(part);
  for (const part of [/[\s;,]+/, /[\s;,="/?&#]+/].flatMap((between) => inside.split(between)))
    // Skips words such as `HttpOnly`.
    if (part.length >= 16 || /\d/.test(part)) secrets.learn(part);
}

/** The secrets of a run. */
export type Secrets = ReturnType<typeof createSecrets>;

/** Shorter values would match by chance, and real tokens are longer. */
const SHORTEST = 8;
/** The value of an undeclared text in a recording. It must not be learned as a secret. */
export const PLACEHOLDER = "placeholder";

/**
 * Creates a set of secrets that grows during a run.
 * @param values secrets that are already known
 * @param standInFor creates the replacement for a secret
 */
export function createSecrets(values: Iterable<string>, standInFor = standIn) {
  const known = new Set<string>();
  // Indexed by their first letters, so search time does not depend on the number of secrets.
  const forms = new Set<string>();
  const starts = new Set<string>();
  const lengths = new Set<number>();

  /** The ranges of known secrets in a text; overlapping ones are joined. */
  function find(text: string): [from: number, to: number][] {
    const view = folded(text);
    const found: [from: number, to: number][] = [];
    for (let from = 0; from + SHORTEST <= view.length; from += 1) {
      if (!starts.has(view.slice(from, from + SHORTEST))) continue;
      for (const length of lengths) {
        if (!forms.has(view.slice(from, from + length))) continue;
        const last = found.at(-1);
        if (last && from <= last[1]) last[1] = Math.max(last[1], from + length);
        else found.push([from, from + length]);
      }
    }
    return found;
  }

  function learn(value: string): void {
    for (const each of [value, percentDecoded(value)]) {
      if (each.length < SHORTEST || known.has(each)) continue;
      if (each === standIn(each) || each === PLACEHOLDER) continue;
      known.add(each);
      for (const form of [each, percentEncode(each) ?? each].map(folded)) {
        forms.add(form);
        starts.add(form.slice(0, SHORTEST));
        lengths.add(form.length);
      }
    }
  }

  /** Replaces every known secret in a text; if an encoding hides one, replaces the whole text. */
  function hide(text: string): string {
    if (known.size === 0) return text;
    const hideRange = (rest: string, [from, to]: [number, number]) =>
      rest.slice(0, from) + standInFor(rest.slice(from, to)) + rest.slice(to);
    const clean = find(text).reduceRight(hideRange, text);
    const isInside = [...readingsOf(clean)].some((each) => find(each).length > 0);
    return isInside ? standInFor(clean) : clean;
  }

  for (const value of values) learn(value);
  return { known: known as ReadonlySet<string>, learn, hide, standIn: standInFor };
}

/** The replacement of a secret. It keeps the form of hexadecimal digits, UUIDs, URLs, paths and time zones. */
export function standIn(secret: string): string {
  if (secret.length > PART) return "scrubbed";
  if (/^[0-9a-f-]{8,}$/i.test(secret)) return secret.replace(/[^-]/g, "0");
  if (/^https?:\/\//i.test(secret)) return "https://scrubbed.example/";
  if (/^[^/\s]+(?:\/[^/\s]+)+$/.test(secret)) return "scrubbed/scrubbed";
  return secret === "" ? "" : `${secret.startsWith("/") ? "/" : ""}scrubbed`;
}

/** Lower case, with `+` as a space. Preserves the length; only `İ` would change it. */
function folded(text: string): string {
  return text.replaceAll("İ", "i").replaceAll("+", " ").toLowerCase();
}

/** Everything encoded in a text, up to three encodings deep. */
function readingsOf(text: string): Set<string> {
  const all = new Set<string>();
  let level = [text];
  for (let depth = 0; depth < 3; depth += 1) {
    level = level.flatMap(decoded).filter((each) => each.length >= SHORTEST && !all.has(each));
    for (const each of level) all.add(each);
  }
  return all;
}

/** Decodes one level of percent-encoding, JSON string escapes and base64. */
function decoded(text: string): string[] {
  const runs = text.match(/[\w+/-]{10,}/g) ?? [];
  const unescape = (_: string, unit: string | undefined, other: string) =>
    unit ? String.fromCharCode(Number.parseInt(unit, 16)) : other;
  return [
    ...(text.includes("%") ? [percentDecoded(text)] : []),
    ...(text.includes("\\") ? [text.replace(/\\+(?:u([\da-f]{4})|(.))/gis, unescape)] : []),
    // Other characters may precede the encoded ones, so every offset is tried.
    ...[0, 1, 2, 3].map((skip) =>
      runs.map((run) => Buffer.from(run.slice(skip), "base64").toString()).join("\n"),
    ),
  ];
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString(),
  );
}
