import { encode } from "../../text.js";

/** The secrets of a run: it learns of more while it goes on, such as a request token. */
export type Secrets = ReturnType<typeof createSecrets>;

/** As in the client: no real token is shorter. */
const SHORTEST = 8;
/** Half of a secret of at least this length is a secret too: services like to quote the start of a token. */
const HALVED = 32;
/** Nothing else can be read in another way. */
const READABLE = /[\\%&=]|[\w+/-]{10}/;
/** Texts within texts: deeper than a service would nest an echo. */
const DEPTH = 3;
/** Escapes of URLs, JSON and HTML. In mail `=` begins one too, in a URL most often none. */
const ESCAPES = [String.raw`\\+x|%(?:25)*`, String.raw`\\+x|%(?:25)*|=`].map(
  (start) =>
    new RegExp(
      String.raw`(?:${start})([\da-f]{2})|\\+u([\da-f]{4})|&(?:amp;)*(?:#x0*([\da-f]{2,4})|#0*(\d{2,5})|(amp|lt|gt|quot|apos));|\\+(?![ux])`,
      "gi",
    ),
);
const ENTITIES = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));

/** @param values the secrets that are known beforehand */
export function createSecrets(values: Iterable<string>, standInFor = standIn) {
  const known = new Set<string>();
  // Looking for one takes as long as for thousands, which a HAR may hold.
  const forms = new Set<string>();
  const starts = new Set<string>();
  const lengths = new Set<number>();

  /** From where to where known secrets stand, from first to last; those that overlap are one. */
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

  /** Remembers a value, unless it is so short that it would be found by chance. */
  function learn(value: string): void {
    if (known.has(value)) return;
    const middle = value.length < HALVED ? 0 : value.length / 2;
    for (const each of [value, unescaped(value), value.slice(0, middle), value.slice(middle)]) {
      if (each.length < SHORTEST || known.has(each) || each === standIn(each)) continue;
      known.add(each);
      // Escaped byte by byte, letters beyond ASCII are others.
      const bytes = Buffer.from(each).toString("latin1");
      const letters = Buffer.from(each, "latin1").toString();
      for (const form of [each, bytes, letters, encode(each) ?? each].map(folded)) {
        forms.add(form);
        starts.add(form.slice(0, SHORTEST));
        lengths.add(form.length);
      }
    }
  }

  /** A text with stand-ins for all known secrets; wholly a stand-in where one is escaped or encoded. */
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

/** What stands in for a secret, of the same form where it has one: hexadecimal digits, a UUID, a URL, a path. */
export function standIn(secret: string): string {
  if (/^[0-9a-f-]{8,}$/i.test(secret)) return secret.replace(/[^-]/g, "0");
  if (/^https?:\/\//i.test(secret)) return "https://scrubbed.example/";
  return secret === "" ? "" : `${secret.startsWith("/") ? "/" : ""}scrubbed`;
}

/** Without case, and with the spaces of a form; of the same length, which `İ` alone has not in lower case. */
function folded(text: string): string {
  return text.replaceAll("İ", "i").replaceAll("+", " ").toLowerCase();
}

/** A text, what it says where it is escaped, in base64 or in hexadecimal digits, and what that says in turn. */
function readingsOf(text: string): string[] {
  const all = new Set(READABLE.test(text) ? [text] : []);
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const next = [...all].flatMap((each) => [
      ...ESCAPES.map((pattern) => unescaped(each, pattern)),
      // Where the first letter of an encoding is cannot be seen behind other letters.
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

/** Without the escapes of URLs, JSON and HTML. */
function unescaped(text: string, pattern = ESCAPES[0]!): string {
  return text.replace(pattern, (_, ...[byte, unit, hex, decimal, entity]: string[]) => {
    if (entity) return ENTITIES.get(entity.toLowerCase()) ?? "";
    const code = Number.parseInt(byte ?? unit ?? hex ?? "", 16) || Number(decimal);
    return code ? String.fromCharCode(code) : "";
  });
}
