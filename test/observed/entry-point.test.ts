import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import * as plain from "../../src/index.js";
import * as observed from "../../src/observed/index.js";

describe("media-catalogue/observed at run time", () => {
  it("has the same functions and classes", () => {
    expect(Object.keys(observed).toSorted()).toEqual(Object.keys(plain).toSorted());
    const own = new Map<string, unknown>(Object.entries(plain));
    for (const [name, value] of Object.entries(observed)) expect(own.get(name)).toBe(value);
  });

  it("is the same file in the package", () => {
    expect(manifest.exports["./observed"].default).toBe(manifest.exports["."].default);
  });
});
