import * as fc from "fast-check";

// prettier-ignore
const MEANINGFUL = [
  "..", ".", "/", "\\", "?", "#", "%", "%2e", "%2F", "%00", "&", "=", "+", ";", ":", "@", " ", "\r\n", "\n", "\t",
  "\0", "\u007f", "a", "é", "𝒳", "\u2028", "\ufeff", "[", "]", "{", "}", "$&", "|",
];

/** Well-formed text with many characters that have a meaning in URLs. */
export const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  {
    weight: 5,
    arbitrary: fc
      .array(fc.constantFrom(...MEANINGFUL), { minLength: 1, maxLength: 8 })
      .map((parts) => parts.join("")),
  },
);

/** Runs a function for all items, some of them concurrently. */
export async function eachOf<Item>(
  items: readonly Item[],
  run: (item: Item, index: number) => Promise<void>,
  atOnce = 50,
): Promise<void> {
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) await run(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
