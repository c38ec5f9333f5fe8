import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileSource, InputError, readJson } from "../../../src/contract/input/json.js";

const key = fc.oneof(fc.string(), fc.constantFrom("a/b", "m~n", "", "__proto__", "0", "~1", "é😀"));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue(),
    fc.string({ unit: "binary" }),
    fc.array(tie("value")),
    fc.array(fc.tuple(key, tie("value"))).map((entries) => Object.fromEntries(entries)),
  ),
})).value;
const written = fc
  .tuple(json, fc.constantFrom("", "\r\n", "\t \n"), fc.constantFrom(undefined, 2, "\t"))
  .map(([value, space, indent]) => ({
    value,
    indent,
    text: space + JSON.stringify(value, null, indent) + space,
  }));

/** Every value, by its pointer. */
function places(value: unknown, pointer = ""): [string, unknown][] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const inside = entries.flatMap(([name, each]) =>
    places(each, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [[pointer, value], ...inside];
}

/** The error of a function, if it throws one. */
function failure(call: () => unknown): unknown {
  try {
    call();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("readJson", () => {
  it("accepts exactly what JSON.parse accepts", () => {
    const insert = fc.constantFrom(",", "}", "]", '"', "\\", "0", "-", "e", "\u0001", "", "tru");
    const damaged = fc.tuple(written, fc.nat(), insert).map(([{ text }, at, inserted]) => {
      const index = at % (text.length + 1);
      return text.slice(0, index) + inserted + text.slice(index + (at % 3));
    });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string()), (text) => {
        const error = failure(() => readJson(text));
        expect(error instanceof InputError).toBe(failure(() => JSON.parse(text)) !== undefined);
      }),
      { numRuns: 1000 },
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
    expect(failure(() => readJson(text))).toMatchObject({ place: offset, message });
  });

  it.each<[string, string[]]>([
    ['{"a":1,"b":{"a":2}}', []],
    ['{"a":1,"\\u0061":2}', ["/a"]],
    ['[{"x":[{},{"a/b":1,"a/b":{"c":1,"c":2},"a/b":3}]}]', ["/0/x/1/a~1b", "/0/x/1/a~1b/c"]],
    ['["a","a",{"a":"a"}]', []],
  ])("finds the repeated keys of %s", (text, repeated) => {
    expect(readJson(text).repeated.toSorted()).toEqual(repeated);
  });

  it("reads text that is broken or nested deeply without exhausting the stack", () => {
    for (const part of ["[", '{"a":', "[}", "[,", '[{"a"'])
      expect(failure(() => readJson(part.repeat(200_000)))).toBeInstanceOf(InputError);
  });
});

describe("a source", () => {
  it("finds the value at each pointer", () => {
    fc.assert(
      fc.property(written, ({ text, indent }) => {
        const { offsetOf } = fileSource("f", text);
        for (const [pointer, expected] of places(JSON.parse(text))) {
          const whole = JSON.stringify(expected, null, indent);
          const first = typeof expected === "object" ? whole.slice(0, 1) : whole;
          expect(text.slice(offsetOf(pointer)).startsWith(first)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("uses the last of a repeated key, and the closest value around a missing one", () => {
    const text = '{"a":{"b":1},"a":{"c":2}}';
    const { offsetOf } = fileSource("f", text);
    expect(offsetOf("/a/c")).toBe(text.indexOf("2"));
    expect(offsetOf("/a/b/deeper")).toBe(text.lastIndexOf("{"));
  });

  it("counts lines, and columns in UTF-16 code units", () => {
    const text = 'a😀b\r\nc\n\n"d"';
    const { positionOf } = fileSource("f", text);
    const at = (part: string) => Object.values(positionOf(text.indexOf(part)));
    expect(["a", "b", "c", '"d"'].map(at)).toEqual([
      ["f", 1, 1],
      ["f", 1, 4],
      ["f", 2, 1],
      ["f", 4, 1],
    ]);
  });
});
