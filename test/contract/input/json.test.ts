import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { childrenOf, JsonError, offsetsIn, parseJson } from "../../../src/contract/input/json.js";
import { offsetsInString, positionsIn } from "../../../src/contract/input/locate.js";

const name = fc.oneof(
  fc.string(),
  fc.constantFrom("a/b", "m~n", "", "__proto__", "0", "~1", "é😀"),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue(),
    fc.string({ unit: "binary" }),
    fc.array(tie("value")),
    fc.array(fc.tuple(name, tie("value"))).map((entries) => Object.fromEntries(entries)),
  ),
})).value;
const space = fc.constantFrom("", " ", "\n", "\r\n", "\t \n");
const written = fc.tuple(json, space, fc.constantFrom(undefined, 2, "\t"), space);

/** Every value below another, with its pointer, that of its parent and its key. */
function children(value: unknown, parent = ""): [string, string, string, unknown][] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return entries.flatMap(([key, each]) => {
    const pointer = `${parent}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return [[pointer, parent, key, each], ...children(each, pointer)];
  });
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function failure(text: string): JsonError | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
}

describe("parseJson", () => {
  it("accepts exactly what JSON.parse accepts", () => {
    const damaged = fc
      .tuple(
        written,
        fc.nat(),
        fc.constantFrom(",", "}", "]", '"', "\\", "0", "-", "e", "\u0001", "", "tru"),
      )
      .map(([[value, before, indent, after], at, insert]) => {
        const text = before + JSON.stringify(value, null, indent) + after;
        const index = at % (text.length + 1);
        return text.slice(0, index) + insert + text.slice(index + (at % 3));
      });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string()), (text) => {
        expect(failure(text) === undefined).toBe(parses(text));
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    ['{"a": 1', 7, "ends in the middle"],
    ['{"a": "b', 8, "ends in the middle"],
    ['{"a": nul}', 6, 'has an unexpected "n"'],
    ["[1,]", 3, 'has an unexpected "]"'],
    ["[1] 😀", 4, 'has an unexpected "😀"'],
    ["[".repeat(300) + "]".repeat(300), 256, "nests deeper than 256 levels"],
  ])("says where %s is no JSON", (text, offset, message) => {
    expect(failure(text)).toMatchObject({ offset, message });
  });
});

describe("offsetsIn", () => {
  it("finds for every pointer the text that JSON.parse made its value of", () => {
    fc.assert(
      fc.property(written, ([value, before, indent, after]) => {
        const text = before + JSON.stringify(value, null, indent) + after;
        const offsetOf = offsetsIn(text);
        for (const [pointer, parent, key, expected] of children(parseJson(text))) {
          const { start, end } = childrenOf(text, offsetOf(parent)).get(key)!;
          expect(offsetOf(pointer)).toBe(start);
          expect(JSON.parse(text.slice(start, end))).toEqual(expected);
          expect(text.slice(start, end)).toMatch(/^\S.*\S$|^\S$/s);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("takes the last of a repeated key, as JSON.parse does", () => {
    const text = '{"a":{"b":1},"a":{"c":2}}';
    expect(offsetsIn(text)("/a/c")).toBe(text.indexOf("2"));
    expect(offsetsIn(text)("/a/b")).toBe(text.lastIndexOf("{"));
  });

  it("gives the nearest place around one that is not there", () => {
    const text = '{"a":[{"b":1}]}';
    expect(offsetsIn(text)("/a/0/missing/deeper")).toBe(text.indexOf('{"b"'));
  });
});

describe("positionsIn", () => {
  it("counts lines, and columns in UTF-16 code units, from the place where the text begins", () => {
    const text = 'a😀b\r\nc\n\n"d"';
    const positionOf = positionsIn({ file: "f", text, line: 5, column: 3 });
    const at = (part: string) => {
      const { line, column } = positionOf(text.indexOf(part));
      return [line, column];
    };
    expect([at("a"), at("b"), at("c"), at('"d"')]).toEqual([
      [5, 3],
      [5, 6],
      [6, 1],
      [8, 1],
    ]);
  });

  it("finds a character of a decoded string where it stands escaped", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(), fc.boolean(), (decoded, at, ascii) => {
        const plain = JSON.stringify(decoded);
        const literal = ascii
          ? plain.replace(
              /[^\0-~]/g,
              (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
            )
          : plain;
        const index = at % (decoded.length + 1);
        const offset = offsetsInString(`  ${literal}`, 2)(index) - 2;
        expect(JSON.parse(`"${literal.slice(offset)}`)).toBe(decoded.slice(index));
      }),
    );
  });
});
