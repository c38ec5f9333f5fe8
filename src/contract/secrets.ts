/**
 * Everything the recorder, the reports and `--live` know about secrets: the formats of well-known tokens, the places
 * beside a name, and how to find a known secret again in any encoding. `secret-name.ts` holds the names, because the
 * engine needs only those. `record/scan.ts` deliberately shares none of this code.
 */
import { encode } from "../text.js";
import type { Json } from "./engine/types.js";
import {
  isFieldName,
  isSecret,
  looksRandom,
  nameIn,
  NAMES,
  NAMES_IN_QUERY,
} from "./secret-name.js";

/** Members of recordings and HAR entries that hold query parameters. */
const QUERY = /^(?:query|queryString|params)$/;

/** Tokens that their format gives away, wherever they stand. */
const TOKEN_FORMATS = [
  /eyJ[\w-]{8,}(?:\.[\w-]*)*/g, // JSON Web Token
  /(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z0-9]{12,}/g, // AWS
  /(?:gh[oprsu]_|github_pat_|glpat-)\w{10,}/g, // GitHub, GitLab
  /(?:[prs]k|whsec)_(?:live_|test_)?(?=\w*\d)\w{10,}/g, // Stripe
  /(?:xox[a-z]|xapp)-[\w-]{8,}/g, // Slack
  /AIza[\w-]{16,}|ya29\.[\w-]{16,}/g, // Google
  /npm_[A-Za-z0-9]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|(?<![A-Za-z0-9])sk-(?=[\w-]*\d)[\w-]{20,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** `=`, `:` and quotes around a value in running text: plain, JSON-escaped, percent-encoded or HTML. */
const QUOTE = String.raw`(?:\\*["']|&quot;|%(?:25)*22)?`;
/** The value of an HTML element or form field. */
const FIELD = String.raw`\\*["']?[^<>]{0,99}?\s(?:value|content)\s*=\s*`;
const SEPARATOR = String.raw`(?:${QUOTE}\s*(?:[:=>]|%(?:25)*3[ad])\s*${QUOTE}|${FIELD}${QUOTE})`;
/** Messages that quote a token: "Invalid token …", "Your API key is …". */
const SAID = String.raw`\s+(?:(?:is|was)\s+)?["'\x60]?(?=\S{12})(?=\S*\d)(?=\S*[a-z])`;
const VALUE = String.raw`(?:[\w.~+/=-]|%(?:25)*(?:2[bf]|3d)){8,}`;
/** Matches that count only if the value looks random: "Top Secret: Operation" and "Basic Instinct" are titles. */
const IN_PROSE = [
  new RegExp(String.raw`${NAMES}[\w-]{0,30}(?:${SEPARATOR}|${SAID})(${VALUE})`, "gi"),
  new RegExp(String.raw`\b(?:bearer|basic)(?:\s|\+|%(?:25)*20)+(${VALUE})`, "gi"),
  // An address that ends in a token. The lookahead lets the token itself match as the next name.
  new RegExp(
    String.raw`\/(?:[\w-]{0,30}${NAMES}[\w-]{0,30}|authenticate)(?=\/([^/?#\s"]{8,}))`,
    "gi",
  ),
];
/** A parameter of a URL, of its fragment or of a form. */
const PARAMETER = new RegExp(
  String.raw`((?:^|[?&#]|&amp;)(?:(?:[\w.-]{0,30}${NAMES}[\w-]{0,30}|${NAMES_IN_QUERY})=|[\w.-]+=(?=[\da-f]{32,}(?!\w))))([^&#\s"'<>\\]+)`,
  "gi",
);
/** A quoted or tagged value beside its name; it may be short, or a word. */
const NAMED = new RegExp(
  String.raw`(${NAMES}[\w-]{0,30}(?:\\*["']\s*:\s*\\*["']|>|${FIELD}\\*["']))([^"'<>\\]+)`,
  "gi",
);
/** A field of `multipart/form-data`: the value follows the headers of the part. */
const PART = new RegExp(
  String.raw`(name="[^"\n]{0,30}${NAMES}[^"\n]{0,30}"[^\n]{0,99}\n(?:[^\r\n]{1,99}\r?\n){0,3}\r?\n)([^\r\n]+)`,
  "gi",
);
const USERINFO = /(?<=:\/\/)([^/?#\s@]+)@/g;
/** Harmless parts of headers that hold a secret: the origin of an address and the attributes of a cookie. */
const BESIDE = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*|;\s*(?:domain|expires|max-age|path)=[^;\n]*/gi;

/**
 * Learns every secret in a value: by its name, or by its format.
 * @param decode also looks inside base64 and other encodings, which takes ten times as long
 */
export function collectSecrets(value: unknown, secrets: Secrets, decode = false): void {
  function text(each: string, isNamed: boolean): void {
    const data = isNamed ? undefined : parseJson(each);
    if (data !== undefined) return visit(data, false, false);
    learnFromText(each, secrets);
    if (isNamed) learnFrom(each, secrets);
    // The shortest encoding of a named token is longer.
    if (!decode || !/[\w+/=-]{20}|[\\%&]/.test(each)) return;
    for (const reading of readingsOf(each)) {
      learnFromText(reading, secrets);
      // A decoded text may begin in the middle of a byte group, or hold several lines.
      for (const line of reading.split("\n")) visit(parseJson(line), false, false);
    }
  }
  function visit(here: unknown, isNamed: boolean, inQuery: boolean): void {
    if (typeof here === "string") return text(here, isNamed);
    if (typeof here !== "object" || here === null) return;
    for (const [key, each] of Object.entries(here) as [string, unknown][]) {
      const isQuery = inQuery || QUERY.test(key);
      visit(each, isNamed || isSecret(nameIn(here, key), each, isQuery), isQuery);
      if (!Array.isArray(here)) text(key, isNamed && /\d/.test(key) && !isFieldName(key));
    }
  }
  visit(value, false, false);
}

const DEEPEST = 256;

/** The value of a JSON text; undefined if it is not JSON, or nests so deeply that walking it could overflow the stack. */
export function parseJson(text: string): Json | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Whether a value nests deeper than 256 levels. */
export function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth += 1) {
    level = level.flatMap((each): unknown[] =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
  }
  return level.length > 0;
}

/** Replaces known secrets in a text, and everything that its format or the name beside it marks as a secret. */
export function hideInText(text: string, secrets: Secrets): string {
  learnFromText(text, secrets);
  const named = (_: string, before: string, value: string) => before + secrets.standIn(value);
  const clean = secrets.hide(text).replace(USERINFO, "");
  return clean.replace(PARAMETER, named).replace(NAMED, named);
}

function learnFromText(text: string, secrets: Secrets): void {
  if (text.length < SHORTEST) return;
  for (const pattern of IN_PROSE)
    for (const [, value = ""] of text.matchAll(pattern))
      if (looksRandom(value)) secrets.learn(value);
  for (const pattern of TOKEN_FORMATS)
    for (const [value] of text.matchAll(pattern)) secrets.learn(value);
  for (const pattern of [PARAMETER, NAMED, PART])
    for (const [, , value = ""] of text.matchAll(pattern)) secrets.learn(value);
  for (const [, info = ""] of text.matchAll(USERINFO))
    for (const part of info.split(":")) secrets.learn(part);
}

/** Learns a secret, and the parts of it that may occur alone: after a scheme, in a cookie, in an address. */
function learnFrom(value: string, secrets: Secrets): void {
  const inside = value.replace(BESIDE, "");
  const [, credentials = ""] = /^basic\s+(\S+)/i.exec(inside) ?? [];
  const pair = Buffer.from(credentials, "base64").toString().split(/:(.*)/s);
  for (const part of [inside, inside.replace(/^\w+\s+/, ""), ...pair]) secrets.learn(part);
  for (const part of [/[\s;,]+/, /[\s;,="/?&#]+/].flatMap((between) => inside.split(between))) {
    // Skips words such as `HttpOnly`.
    if (part.length >= 16 || /\d/.test(part)) secrets.learn(part);
  }
}

/** The secrets of a run. */
export type Secrets = ReturnType<typeof createSecrets>;

/** Shorter values would match by chance, and no real token is that short. */
const SHORTEST = 8;
/** From this length on, each half counts as a secret too: services quote the start of a token. */
const HALVED = 32;
/** Any other text cannot be an encoding of something. */
const READABLE = /[\\%&=]|[\w+/-]{10}/;
/** Encodings within encodings that are undone. */
const DEPTH = 3;
/** Escapes of URLs, JSON and HTML; the second pattern adds the `=` of mail, which is ambiguous in a URL. */
const ESCAPES = [String.raw`\\+x|%(?:25)*`, String.raw`\\+x|%(?:25)*|=`].map(
  (start) =>
    new RegExp(
      String.raw`(?:${start})([\da-f]{2})|\\+u([\da-f]{4})|&(?:amp;)*(?:#x0*([\da-f]{2,4})|#0*(\d{2,5})|(amp|lt|gt|quot|apos));|\\+(?![ux])`,
      "gi",
    ),
);
const ENTITIES = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));
/** What recordings hold in place of a value. It must never be learned: every recording would hold a secret. */
export const PLACEHOLDER = "placeholder";

/**
 * Creates a set of secrets that grows during a run.
 * @param values secrets known beforehand
 * @param standInFor makes the replacement of a secret
 */
export function createSecrets(values: Iterable<string>, standInFor = standIn) {
  const known = new Set<string>();
  // A lookup by the first letters makes a search independent of the number of secrets.
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
    if (known.has(value)) return;
    const middle = value.length < HALVED ? 0 : value.length / 2;
    for (const each of [value, unescaped(value), value.slice(0, middle), value.slice(middle)]) {
      if (each.length < SHORTEST || known.has(each)) continue;
      if (each === standIn(each) || each === PLACEHOLDER) continue;
      known.add(each);
      // Text beyond ASCII has two more forms when it is escaped byte by byte.
      const bytes = Buffer.from(each).toString("latin1");
      const letters = Buffer.from(each, "latin1").toString();
      for (const form of [each, bytes, letters, encode(each) ?? each].map(folded)) {
        forms.add(form);
        starts.add(form.slice(0, SHORTEST));
        lengths.add(form.length);
      }
    }
  }

  /** Replaces every known secret in a text; if an encoding hides one, replaces the whole text. */
  function hide(text: string): string {
    if (known.size === 0) return text;
    const hideAll = (rest: string, [from, to]: [number, number]) =>
      rest.slice(0, from) + standInFor(rest.slice(from, to)) + rest.slice(to);
    const clean = find(text).reduceRight(hideAll, text);
    const isInside = readingsOf(clean).some((each) => find(each).length > 0);
    return isInside ? standInFor(clean) : clean;
  }

  for (const value of values) learn(value);
  return { known: known as ReadonlySet<string>, learn, hide, standIn: standInFor };
}

/** The replacement of a secret. It keeps the form of hexadecimal digits, UUIDs, URLs and paths. */
export function standIn(secret: string): string {
  if (/^[0-9a-f-]{8,}$/i.test(secret)) return secret.replace(/[^-]/g, "0");
  if (/^https?:\/\//i.test(secret)) return "https://scrubbed.example/";
  return secret === "" ? "" : `${secret.startsWith("/") ? "/" : ""}scrubbed`;
}

/** Lower case, with `+` as a space. The length stays the same: `İ` is the one letter that would change it. */
function folded(text: string): string {
  return text.replaceAll("İ", "i").replaceAll("+", " ").toLowerCase();
}

/** A text, its unescaped forms, what it encodes in base64 or hexadecimal digits, and so on in turn. */
function readingsOf(text: string): string[] {
  const all = new Set(READABLE.test(text) ? [text] : []);
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const next = [...all].flatMap((each) => [
      ...ESCAPES.map((pattern) => unescaped(each, pattern)),
      // An encoding may follow other letters, so every offset is tried.
      ...[0, 1, 2, 3].map((skip) => decoded(each, /[\w+/-]{10,}/g, skip, "base64")),
      ...[0, 1].map((skip) => decoded(each, /[\da-f]{16,}/gi, skip, "hex")),
    ]);
    for (const each of next) if (each.length >= SHORTEST) all.add(each);
  }
  return [...all];
}

function decoded(text: string, run: RegExp, skip: number, encoding: "base64" | "hex"): string {
  const runs = Array.from(text.matchAll(run), ([each]) => Buffer.from(each.slice(skip), encoding));
  return runs.map((each) => each.toString("latin1")).join("\n");
}

function unescaped(text: string, pattern = ESCAPES[0]!): string {
  return text.replace(pattern, (_, ...[byte, unit, hex, decimal, entity]: string[]) => {
    if (entity) return ENTITIES.get(entity.toLowerCase()) ?? "";
    const code = Number.parseInt(byte ?? unit ?? hex ?? "", 16) || Number(decimal);
    return code ? String.fromCharCode(code) : "";
  });
}
