import { describe, expect, it } from "vitest";
import * as gate from "../../src/contract/index.js";
import * as fullGate from "../../src/full/contract.js";
import * as plain from "../../src/index.js";
import * as full from "../../src/full/index.js";
import { root } from "../support/paths.js";
import { bundle } from "../everywhere/bundle.js";

describe("media-catalogue/full at run time", () => {
  it("media-catalogue/full exports the same functions and classes as media-catalogue, except `createCatalogue`, `imageUrls`, and `MAX_PAGE`", () => {
    const { createCatalogue, imageUrls, MAX_PAGE } = full;
    const known = { ...plain, createCatalogue, imageUrls, MAX_PAGE };
    const own = new Map<string, unknown>(Object.entries(known));
    expect(Object.keys(full).toSorted()).toEqual([...own.keys()].toSorted());
    for (const [name, value] of Object.entries(full)) expect(own.get(name), name).toBe(value);
  });

  it("`paginate` has the same size in the bundle of either module", async () => {
    const sizeOf = async (name: string, file: string) => {
      const contents = `export { ${name} } from "./src/${file}";`;
      const stdin = { contents, resolveDir: root, loader: "ts" } as const;
      return (await bundle({ stdin })).text.length;
    };
    expect(await sizeOf("paginate", "full/index.ts")).toBe(await sizeOf("paginate", "index.ts"));
  });
});

it("media-catalogue/full/contract checks exchanges against the full description, with the exports of media-catalogue/contract", () => {
  expect({ ...fullGate, description: gate.description }).toEqual({ ...gate });
  const review = {
    name: "review",
    request: { method: "GET", path: "/3/review/1" },
    response: { status: 200, headers: { "content-type": "application/json" }, body: { id: 1 } },
    locate: () => ({}),
  };
  const rulesIn = ({ checkExchange, description }: typeof gate) =>
    checkExchange(review, description).map(({ rule, operation }) => `${rule} ${operation}`);
  expect(rulesIn(gate)).toEqual(["http/unknown-path "]);
  expect(rulesIn(fullGate)).toContain("schema/type reviews.details");
});
