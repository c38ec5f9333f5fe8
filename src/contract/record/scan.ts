/** The start of a value that is not one of the stand-ins. */
const REAL = String.raw`(?![0-]+"|\/?scrubbed"|https?:)`;
const KINDS: [kind: string, pattern: RegExp][] = [
  ["a JSON Web Token", /(eyJ[\w-]{8,}\.[\w-]{4,})/g],
  ["credentials of a header", /\b(?:bearer|basic)\s+(?!scrubbed)([\w.~+/=-]{16,})/gi],
  [
    "a token in a URL",
    /[?&](?:\w*token|\w*session_id|api_key|key)=(?!scrubbed|0+\b)([^&"\s]{8,})/gi,
  ],
  [
    "a value with the name of a secret",
    new RegExp(
      String.raw`"[^"\\]*(?:token|secret|passw(?:or)?d|session_?id|api_?key|authorization|cookie)"\s*:\s*"${REAL}([^"\s]{8,})"`,
      "gi",
    ),
  ],
];
/** Texts within texts within texts: deeper than a service would nest an echo. */
const DEPTH = 4;

/**
 * Looks for secrets in a text. It shares no code with the scrubber, and decodes deeper: what it sees, until a
 * secret shows.
 * @param known secrets that must not be there, in whatever encoding
 * @returns what was found, without any of it; empty where there is nothing
 */
export function scan(text: string, known: readonly string[]): string[] {
  const needles = known.map((secret) => secret.toLowerCase());
  const found = new Set<string>();
  for (const view of viewsOf(text)) {
    const lower = view.toLowerCase();
    if (needles.some((needle) => lower.includes(needle))) found.add("a known secret");
    for (const [kind, pattern] of KINDS) {
      if ([...view.matchAll(pattern)].some(isRandom)) found.add(kind);
    }
  }
  return [...found];
}

/** A text, what it encodes, what that encodes, and so on. */
function viewsOf(text: string): Set<string> {
  const all = new Set([text]);
  let latest = [text];
  for (let depth = 0; depth < DEPTH; depth += 1) {
    latest = latest.flatMap(decoded).filter((view) => !all.has(view));
    for (const view of latest) all.add(view);
  }
  return all;
}

/** Words are not random: a token has digits, or capitals inside. */
function isRandom([, value = ""]: RegExpMatchArray): boolean {
  return /\d/.test(value) ? new Set(value).size > 4 : /[a-z][A-Z]/.test(value);
}

function decoded(view: string): string[] {
  return [
    view.replace(/\\+(?:u00|x)([\da-f]{2})/gi, byte).replace(/\\(.)/g, "$1"),
    view.replace(/%([\da-f]{2})/gi, byte),
    view.replace(/=([\da-f]{2})/gi, byte),
    view.replace(/&#(?:x0*([\da-f]{1,2})|0*(\d{1,3}));/gi, (_, hex?: string, decimal?: string) =>
      String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    ),
    ...[0, 1, 2, 3].map((skip) => runs(view, /[\w+/-]{11,}/g, skip, "base64")),
    ...[0, 1].map((skip) => runs(view, /[\da-f]{16,}/gi, skip, "hex")),
  ];
}

/** Where the run of an encoding begins cannot be seen where it follows other letters: each way to cut it is tried. */
function runs(view: string, run: RegExp, skip: number, encoding: "base64" | "hex"): string {
  const texts = [...view.matchAll(run)].map(([text]) => Buffer.from(text.slice(skip), encoding));
  return texts.map((text) => text.toString("latin1")).join("\n");
}

function byte(_: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
