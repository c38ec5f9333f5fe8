/** The start of a value that is not one of the stand-ins. */
const REAL = String.raw`(?![0-]+"|\/?scrubbed"|https?:)`;
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
];
const RANDOM = /[A-Za-z]\d|\d[A-Za-z]{3}|\d{5}|[a-z][A-Z][a-z]+[A-Z]/;
/** Texts within texts within texts: deeper than a service would nest an echo. */
const DEPTH = 4;

/** Says what secrets a text holds, without any of it. It shares no code with the scrubber, and decodes deeper. */
export function scan(text: string, known: Iterable<string>): string[] {
  const needles = Array.from(known, (secret) => secret.toLowerCase());
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
  for (let depth = 0; depth < DEPTH; depth += 1) {
    for (const view of [...all].flatMap(decoded)) all.add(view);
  }
  return all;
}

/** Words and years are not random: a token has digits and letters in a row, or many digits, or capitals inside. */
function isRandom([, value = ""]: RegExpMatchArray): boolean {
  return RANDOM.test(value) && new Set(value).size > 4;
}

function decoded(view: string): string[] {
  return [
    view.replace(/\\+(?:u00|x)([\da-f]{2})/gi, byte).replace(/\\(.)/g, "$1"),
    view.replace(/%([\da-f]{2})/gi, byte),
    view.replace(/=([\da-f]{2})/gi, byte),
    view.replace(/&#x0*([\da-f]{1,2});/gi, byte),
    view.replace(/&#0*(\d{1,3});/g, (_, code: string) => String.fromCharCode(Number(code))),
    // Where the run of an encoding begins cannot be seen where it follows other letters: each way to cut it is tried.
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
