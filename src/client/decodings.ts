import { resultOf } from "./text.js";

/** Text whose escape sequences have been decoded. */
interface Decoding {
  readonly text: string;
  /** Returns the position in the original text for a position in the decoded text. */
  readonly originOf: (position: number) => number;
}

/** The number of times that text is decoded. Leaves some rounds for secrets that contain escape sequences. */
const MAX_ROUNDS = 6;
/** Matches an escape sequence in JSON, a URL, a form, or HTML. */
const ESCAPE_SEQUENCE =
  /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|%[0-7][\da-fA-F]|%[c-fC-F][\da-fA-F](?:%[89abAB][\da-fA-F])+|\+|&(?:#\d+|#[xX][\da-fA-F]+|amp|lt|gt|quot|apos);/g;
/** The characters that JSON and HTML call by a name. A plus sign, which has none, stands for a space. */
const NAMES: Readonly<Record<string, string>> = {
  "": " ",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Returns text as it is, then decoded once, twice, and so on. */
export function* decodings(text: string): Generator<Decoding> {
  let current: Decoding | undefined = { text, originOf: (position) => position };
  for (let round = 0; current && round <= MAX_ROUNDS; round += 1) {
    yield current;
    current = decode(current);
  }
}

/** Decodes all escape sequences in text once. Returns undefined if there are none. */
function decode({ text, originOf }: Decoding): Decoding | undefined {
  // Where each sequence ends in the decoded text, and how many characters decoding has removed up to there.
  const ends: number[] = [];
  const shifts: number[] = [];
  let shift = 0;
  const decoded = text.replace(ESCAPE_SEQUENCE, (sequence, offset: number) => {
    const character = characterOf(sequence);
    ends.push(offset - shift + character.length);
    shifts.push((shift += sequence.length - character.length));
    return character;
  });
  if (decoded === text) return undefined;
  return {
    text: decoded,
    originOf: (position) => {
      let low = 0;
      for (let high = ends.length; low < high;) {
        const middle = (low + high) >> 1;
        if (ends[middle]! <= position) low = middle + 1;
        else high = middle;
      }
      return originOf(position + (shifts[low - 1] ?? 0));
    },
  };
}

/** Decodes an escape sequence. Returns an invalid sequence unchanged. */
function characterOf(sequence: string): string {
  const name = sequence.slice(1).replace(";", "");
  const decodeCode = () =>
    sequence.startsWith("%")
      ? decodeURIComponent(sequence)
      : String.fromCodePoint(Number(name.replace("u", "0x").replace("#", "0")));
  // After a backslash, a quotation mark, a backslash, or a slash stands for itself.
  return NAMES[name] ?? (name.length > 1 ? (resultOf(decodeCode) ?? sequence) : name);
}
