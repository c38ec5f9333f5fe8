import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "../../text.js";
import { at } from "../engine/pointer.js";

const NAMES = "token|secret|passw(?:or)?d|session_?id|api_?key|authorization|cookie";
/** Patterns of secrets from other runs. Replacements written by the recorder and variables of a plan do not count. */
const KINDS: [kind: string, pattern: RegExp][] = [
  ["a JSON Web Token", /eyJ[\w-]{8,}\.[\w-]{4,}/g],
  ["credentials of a header", /\b(?:bearer|basic)\s+([\w.~+/=-]{16,})/gi],
  ["a token in a URL", /[?&](?:\w*token|\w*session_id|api_key|key)=([^&"\s]{8,})/gi],
  [
    "a value whose name marks a secret",
    new RegExp(
      String.raw`"[^"\\]*(?:${NAMES})"\s*:\s*"(?!https?:|\$CATALOGUE_\w+")([^"\s]{8,})"`,
      "gi",
    ),
  ],
  [
    "a token with a well-known prefix",
    /(?<![a-z\d])A[KS]IA[A-Z\d]{12}|gh[oprsu]_\w{16}|github_pat_\w{16}|[rs]k_(?:live|test)_\w{8}|xox[a-z]-[\w-]{10}/gi,
  ],
  ["a private key", /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[\w+/=\s\\]{20}/g],
];
/** Tokens have digits among letters, many digits, or capitals inside; words, years and zeros do not. */
const RANDOM = /[A-Za-z]\d|\d[A-Za-z]{3}|(?!00000)\d{5}|[a-z][A-Z][a-z]+[A-Z]/;
/** Field names, and two strings that the recorder itself writes. */
const OWN = /"(?:operation|note)":\s*"[^"]*"|"[^"\\]*"\s*:/g;
const PART = 2 ** 18;
const OVERLAP = 2 ** 13;

/** A file that contains secrets, and their kinds. */
export interface Leak {
  file: string;
  kinds: string[];
  /** Whether the file was deleted, because it is a recording. */
  isRemoved: boolean;
}

/**
 * Finds every file in a folder and its subfolders that contains a secret. Deletes recordings; other files, such as a
 * plan, belong to the user.
 * @param known the secrets of this run
 */
export async function removeLeaks(folder: string, known: readonly string[]): Promise<Leak[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile());
  const leaks: Leak[] = [];
  for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()) {
    const text = await readFile(file, "utf8");
    const kinds = leaksIn(text, known);
    if (kinds.length === 0) continue;
    const isRemoved = isRecording(parseJson(text));
    if (isRemoved) await rm(file, { force: true });
    leaks.push({ file, kinds, isRemoved });
  }
  return leaks;
}

function isRecording(value: unknown): boolean {
  return ["/request", "/response"].every((each) => typeof at(value, each) === "object");
}

/** Names the kinds of secrets in a text, without quoting any. Shares no code with the scrubber. */
export function leaksIn(text: string, known: readonly string[]): string[] {
  const needles = known.map((secret) => secret.toLowerCase());
  const found = new Set<string>();
  // All decodings of a large text would exhaust the memory.
  for (let from = 0; from === 0 || from < text.length; from += PART) {
    for (const view of viewsOf(text.slice(from, from + PART + OVERLAP))) {
      const lower = view.toLowerCase();
      const values = lower.replace(OWN, "");
      // A password may be a word that is also a field name.
      const isIn = (each: string) => (/^[a-z_-]+$/.test(each) ? values : lower).includes(each);
      if (needles.some(isIn)) found.add("a known secret");
      for (const [kind, pattern] of KINDS)
        for (const [all, value = all] of view.matchAll(pattern))
          if (RANDOM.test(value) || kind === "a private key") found.add(kind);
    }
  }
  return [...found];
}

/** A text and everything encoded in it, up to four encodings deep. */
function viewsOf(text: string): Set<string> {
  const all = new Set([text]);
  for (let depth = 0; depth < 4; depth += 1)
    for (const view of [...all].flatMap(decoded)) all.add(view);
  return all;
}

function decoded(view: string): string[] {
  return [
    view.replace(/\\+u00([\da-f]{2})/gi, byte).replace(/\\(.)/g, "$1"),
    view.replace(/%([\da-f]{2})/gi, byte),
    // Other characters may precede the encoded ones, so every offset is tried.
    ...[0, 1, 2, 3].map((skip) =>
      Array.from(view.matchAll(/[\w+/-]{11,}/g), ([run]) => atLatin1(run.slice(skip))).join("\n"),
    ),
  ];
}

function atLatin1(run: string): string {
  return Buffer.from(run, "base64").toString("latin1");
}

function byte(_: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
