import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

/** The start of a value that is not a replacement. */
const REAL = String.raw`(?![0-]+"|\/?scrubbed"|placeholder"|https?:)`;
const NAMES = "token|secret|passw(?:or)?d|session_?id|api_?key|authorization|cookie";
const KINDS: [kind: string, pattern: RegExp][] = [
  ["a JSON Web Token", /(eyJ[\w-]{8,}\.[\w-]{4,})/g],
  ["credentials of a header", /\b(?:bearer|basic)\s+(?!scrubbed)([\w.~+/=-]{16,})/gi],
  [
    "a token in a URL",
    /[?&](?:\w*token|\w*session_id|api_key|key)=(?!scrubbed|0+\b)([^&"\s]{8,})/gi,
  ],
  [
    "a value with the name of a secret",
    new RegExp(String.raw`"[^"\\]*(?:${NAMES})"\s*:\s*"${REAL}([^"\s]{8,})"`, "gi"),
  ],
  [
    "a token with a well-known prefix",
    /((?<![a-z\d])A[KS]IA[A-Z\d]{12}|AIza[\w-]{20}|gh[oprsu]_\w{16}|github_pat_\w{16}|[rs]k_(?:live|test)_\w{8}|xox[a-z]-[\w-]{10})/gi,
  ],
  ["a private key", /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[\w+/=\s\\]{20}/g],
];
const RANDOM = /[A-Za-z]\d|\d[A-Za-z]{3}|\d{5}|[a-z][A-Z][a-z]+[A-Z]/;
/** Encodings within encodings that are undone. */
const DEPTH = 4;
const PART = 2 ** 18;
const OVERLAP = 2 ** 13;

/** A file that held secrets, and their kinds. */
export interface Leak {
  file: string;
  kinds: string[];
}

/**
 * Removes every file in a folder and below in which a secret is found.
 * @param known the secrets of this run
 */
export async function removeLeaks(folder: string, known: Iterable<string>): Promise<Leak[]> {
  const secrets = [...known];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const leaks: Leak[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const kinds = leaksIn(await readFile(file, "utf8"), secrets);
    if (kinds.length === 0) continue;
    await rm(file, { force: true });
    leaks.push({ file, kinds });
  }
  return leaks.toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

/** Names the kinds of secrets in a text, without quoting any. Shares no code with the scrubber. */
export function leaksIn(text: string, known: readonly string[]): string[] {
  const needles = known.map((secret) => secret.toLowerCase());
  const words = needles.filter((needle) => /^[a-z]+(?:[_-][a-z]+)*$/.test(needle));
  const others = needles.filter((needle) => !words.includes(needle));
  const found = new Set<string>();
  for (const part of partsOf(text)) {
    for (const view of viewsOf(part)) {
      const lower = view.toLowerCase();
      if (others.some((needle) => lower.includes(needle))) found.add("a known secret");
      for (const [kind, pattern] of KINDS)
        if ([...view.matchAll(pattern)].some(isRandom)) found.add(kind);
    }
  }
  // A password may be a word that is also the name of a field, so names do not count.
  const values = words.length > 0 ? valuesIn(text).toLowerCase() : "";
  if (words.some((word) => values.includes(word))) found.add("a known secret");
  return [...found];
}

/** The values of a JSON text, without the names of fields; any other text as it is. */
function valuesIn(text: string): string {
  const values: unknown[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      // The recorder writes these two itself.
      if (typeof value !== "object" && key !== "operation" && key !== "note") values.push(value);
      return value;
    });
    return values.join("\n");
  } catch {
    return text;
  }
}

/** Overlapping parts of a text: all views of a large one would fill the memory. */
function partsOf(text: string): string[] {
  const count = Math.max(1, Math.ceil(text.length / PART));
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * PART, (index + 1) * PART + OVERLAP),
  );
}

/** A text, everything that it encodes, and so on in turn. */
function viewsOf(text: string): Set<string> {
  const all = new Set([text]);
  for (let depth = 0; depth < DEPTH; depth += 1)
    for (const view of [...all].flatMap(decoded)) all.add(view);
  return all;
}

/** Tokens have digits among letters, many digits, or capitals inside; words and years do not. */
function isRandom([, value]: RegExpMatchArray): boolean {
  return value === undefined || (RANDOM.test(value) && new Set(value).size > 4);
}

function decoded(view: string): string[] {
  return [
    view.replace(/\\+(?:u00|x)([\da-f]{2})/gi, byte).replace(/\\(.)/g, "$1"),
    view.replace(/%([\da-f]{2})/gi, byte),
    view.replace(/=([\da-f]{2})/gi, byte),
    view.replace(/&#x0*([\da-f]{1,2});/gi, byte),
    view.replace(/&#0*(\d{1,3});/g, (_, code: string) => String.fromCharCode(Number(code))),
    // An encoding may follow other letters, so every offset is tried.
    ...[0, 1, 2, 3].map((skip) => runs(view, /[\w+/-]{11,}/g, skip, "base64")),
    ...[0, 1].map((skip) => runs(view, /[\da-f]{16,}/gi, skip, "hex")),
  ];
}

function runs(view: string, run: RegExp, skip: number, encoding: "base64" | "hex"): string {
  const texts = Array.from(view.matchAll(run), ([each]) => Buffer.from(each.slice(skip), encoding));
  return texts.map((text) => text.toString("latin1")).join("\n");
}

function byte(_: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
