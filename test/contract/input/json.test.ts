import { describe, expect, it } from "vitest";
import { fileSource, InputError, parseJson } from "../../../src/contract/input/json.js";

/** The error of a function, if it throws one. */
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
  ])("parseJson reports where %s is not valid JSON", (text, location, message) => {
    expect(failure(() => parseJson(text))).toMatchObject({ location, message });
  });

  it("parseJson reads 256 levels", () => {
    expect(parseJson("[".repeat(256) + "]".repeat(256))).toEqual([expect.any(Array)]);
  });

  it("parseJson reads text that is broken or nested deeply without exhausting the stack", () => {
    for (const part of ["[", '{"a":', "[}", "[,", '[{"a"'])
      expect(failure(() => parseJson(part.repeat(200_000)))).toBeInstanceOf(InputError);
  });
});

describe("sources", () => {
  it("a source uses the last of a repeated key, and the closest value around a missing one", () => {
    const text = '{"a":{"b":1},"a":{"c":2}}';
    const { offsetOf } = fileSource("f", text);
    expect(offsetOf("/a/c")).toBe(text.indexOf("2"));
    expect(offsetOf("/a/b/deeper")).toBe(text.lastIndexOf("{"));
  });

  it("a source counts lines, and columns in UTF-16 code units", () => {
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
