import { describe, expect, it } from "vitest";
import { fileSource, InputError, parseJson } from "../../../src/contract/input/json.js";

/** Returns the error that a function throws, or undefined if it throws none. */
function failure(call: () => unknown): unknown {
  try {
    call();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("parseJson", () => {
  it.each([
    ['{"a": 1', 7, "is truncated JSON"],
    ['{"a": nul}', 6, "is not valid JSON"],
    ["[1,]", 3, "is not valid JSON"],
    ["[1] 😀", 4, "is not valid JSON"],
    ["[".repeat(257) + "]".repeat(257), "", "is nested more than 256 levels deep"],
  ])("parseJson rejects %s, and reports the location of the error", (text, location, message) => {
    expect(failure(() => parseJson(text))).toMatchObject({ location, message });
  });

  it("parseJson reads JSON that is nested 256 levels deep", () => {
    expect(parseJson("[".repeat(256) + "]".repeat(256))).toEqual([expect.any(Array)]);
  });

  it("parseJson rejects deeply nested, broken text without overflowing the stack", () => {
    for (const part of ["[", '{"a":', "[}", "[,", '[{"a"'])
      expect(failure(() => parseJson(part.repeat(200_000)))).toBeInstanceOf(InputError);
  });
});

describe("sources", () => {
  it("offsetOf finds the last value of a repeated key and, for a missing value, the closest enclosing value", () => {
    const text = '{"a":{"b":1},"a":{"c":2}}';
    const { offsetOf } = fileSource("f", text);
    expect(offsetOf("/a/c")).toBe(text.indexOf("2"));
    expect(offsetOf("/a/b/deeper")).toBe(text.lastIndexOf("{"));
  });

  it("positionOf returns the line and the column, and counts columns in UTF-16 code units", () => {
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
