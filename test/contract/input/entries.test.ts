import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitEntries } from "../../../src/contract/input/entries.js";
import { har } from "./support.js";

async function split(chunks: string[]) {
  const found = [];
  for await (const each of splitEntries(chunks)) found.push(each);
  return found;
}

const entries = fc.array(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), {
  maxLength: 5,
});

describe("splitEntries", () => {
  it("gives every entry whole and where it begins, however the text arrives", async () => {
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.constantFrom(undefined, 1),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        async (values, indent, sizes) => {
          const text = JSON.stringify(har(...values), null, indent);
          const chunks = [];
          for (let at = 0; at < text.length;) {
            const size = sizes.next().value ?? 1;
            chunks.push(text.slice(at, at + size));
            at += size;
          }
          const found = await split(chunks);
          expect(found.map((each) => "text" in each && JSON.parse(each.text ?? ""))).toEqual(
            JSON.parse(JSON.stringify(values)),
          );
          for (const each of found) {
            const rest = text
              .split("\n")
              .slice(each.line - 1)
              .join("\n")
              .slice(each.column - 1);
            expect("text" in each && each.text && rest.startsWith(each.text)).toBeTruthy();
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it("looks for entries in log alone", async () => {
    const text =
      '{"entries":[{"a":1}],"x":{"entries":[{"b":2}]},"log":{"pages":[{"entries":[{}]}],"entries":[{"c":3}]}}';
    expect((await split([text])).map((each) => "text" in each && each.text)).toEqual(['{"c":3}']);
  });

  it("gives the whole entries of a text that breaks off, and says where it does", async () => {
    const found = await split(['{"log":{"entries":[{"a":1},\n{"b":']);
    expect(found).toEqual([
      { number: 1, text: '{"a":1}', line: 1, column: 20 },
      { problem: "ends in the middle", line: 2, column: 6 },
    ]);
  });
});
