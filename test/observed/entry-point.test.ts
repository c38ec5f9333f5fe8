import { describe, expect, it } from "vitest";
import * as plain from "../../src/index.js";
import * as observed from "../../src/observed/index.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { root } from "../support/paths.js";
import { bundle } from "../everywhere/bundle.js";

describe("media-catalogue/observed at run time", () => {
  it("has the same functions and classes, and the sandbox", () => {
    const own = new Map<string, unknown>(Object.entries({ ...plain, createSandbox }));
    expect(Object.keys(observed).toSorted()).toEqual([...own.keys()].toSorted());
    for (const [name, value] of Object.entries(observed)) expect(own.get(name)).toBe(value);
  });

  it("adds the sandbox only to the bundle of an app that imports it", async () => {
    const sizeOf = async (name: string, file: string) => {
      const contents = `export { ${name} } from "./src/${file}";`;
      const stdin = { contents, resolveDir: root, loader: "ts" } as const;
      return (await bundle({ stdin })).text.length;
    };
    const client = await sizeOf("createCatalogue", "index.ts");
    expect(await sizeOf("createCatalogue", "observed/index.ts")).toBe(client);
    expect(await sizeOf("createSandbox", "observed/index.ts")).toBeGreaterThan(client);
  });
});
