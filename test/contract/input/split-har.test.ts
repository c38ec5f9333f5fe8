import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { splitHar } from "../../../src/contract/input/split-har.js";

/** Splits a text that arrives in parts of the given size. Returns the entries, and the text with a mark for each. */
async function split(text: string, size: number): Promise<{ entries: string[]; frame: string }> {
  const bytes = Buffer.from(text);
  // Like a file, the source reads every part into the same buffer.
  const buffer = Buffer.alloc(size);
  const parts = async function* () {
    for (let at = 0; at < bytes.length; at += size)
      yield buffer.subarray(0, bytes.copy(buffer, 0, at));
  };
  const entries: string[] = [];
  let frame = "";
  for await (const piece of splitHar(parts)) {
    if (piece.isEntry) entries.push(piece.bytes.toString());
    frame += piece.isEntry ? "<>" : piece.bytes.toString();
  }
  return { entries, frame };
}

const entries = [
  String.raw`{"a":"}]{[\\","b":[{"c":[]}],"\"":"\u007d"}`,
  "{}",
  `{"name":"Žižkov {","log":{"entries":[{"inner":1}]}}`,
];

it.each([1, 2, 3, 7, 64, 1000])(
  "the gate finds the entries of a HAR that arrives in parts of %d bytes",
  async (size) => {
    const before = String.raw`{"entries":[{}],"x":{"entries":[{}]},"log":{"pages":[{}],"c":"\"entries\":[{"`;
    const text = `${before},\n"entries" : [ ${entries.join(" ,\n")}, 1 ] , "z":[{}]},"y":[[{}]]}\n`;
    expect(await split(text, size)).toEqual({
      entries,
      frame: `${before},\n"entries" : [ <> ,\n<> ,\n<>, 1 ] , "z":[{}]},"y":[[{}]]}\n`,
    });
  },
);

it("the gate finds entries whose keys contain escape sequences", async () => {
  const text = String.raw`{"\u006cog":{"\u0065ntries":[{"a":1}]}}`;
  expect((await split(text, 5)).entries).toEqual(['{"a":1}']);
});

it("the gate takes an entry without an end as text", async () => {
  const text = '{"log":{"entries":[{"a":1},{"b":[';
  expect(await split(text, 4)).toEqual({
    entries: ['{"a":1}'],
    frame: '{"log":{"entries":[<>,{"b":[',
  });
});
