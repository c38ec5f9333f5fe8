import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonError, offsetsIn, positionsIn, readJson } from "../../../src/contract/input/json.js";

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

/** Every value, by its pointer. */
function places(value: unknown, pointer = ""): [string, unknown][] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const inside = entries.flatMap(([key, each]) =>
    places(each, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [[pointer, value], ...inside];
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
    readJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
}

describe("readJson", () => {
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
    ['{"a": 1', 7, "is cut off: the JSON is incomplete"],
    ['{"a": "b', 8, "is cut off: the JSON is incomplete"],
    ['{"a": nul}', 6, 'is not valid JSON: unexpected "n"'],
    ["[1,]", 3, 'is not valid JSON: unexpected "]"'],
    ["[1] 😀", 4, 'is not valid JSON: unexpected "😀"'],
    ["[".repeat(300) + "]".repeat(300), 256, "is nested more than 256 levels deep"],
  ])("says where %s is not JSON", (text, offset, message) => {
    expect(failure(text)).toMatchObject({ offset, message });
  });
});

describe("readJson", () => {
  it.each<[string, string[]]>([
    ['{"a":1,"b":{"a":2}}', []],
    ['{"a":1,"\\u0061":2}', ["/a"]],
    ['[{"x":[{},{"a/b":1,"a/b":{"c":1,"c":2},"a/b":3}]}]', ["/0/x/1/a~1b", "/0/x/1/a~1b/c"]],
    ['["a","a",{"a":"a"}]', []],
  ])("finds the repeated keys of %s", (text, repeated) => {
    expect(readJson(text).repeated).toEqual(repeated);
  });

  it("reads text that nests deeply or is broken without exhausting the stack", () => {
    for (const part of ["[", '{"a":', "[}", "[,", '[{"a"'])
      expect(failure(part.repeat(200_000))).toBeInstanceOf(JsonError);
  });
});

describe("offsetsIn", () => {
  it("finds the value of each pointer", () => {
    fc.assert(
      fc.property(written, ([value, before, indent, after]) => {
        const text = before + JSON.stringify(value, null, indent) + after;
        const offsetOf = offsetsIn(text);
        for (const [pointer, expected] of places(readJson(text).value)) {
          const start = text.slice(offsetOf(pointer));
          const whole = JSON.stringify(expected, null, indent);
          const first = typeof expected === "object" ? whole.slice(0, 1) : whole;
          expect(start.startsWith(first)).toBe(true);
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

  it("returns the closest place around one that does not exist", () => {
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
});
