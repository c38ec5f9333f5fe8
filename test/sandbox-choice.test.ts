import { describe, expect, it } from "vitest";
import { chooseExchange } from "../src/sandbox/exchange.js";
import type { SandboxExchange } from "../src/sandbox/index.js";
import { createRoutes } from "../src/sandbox/routes.js";

const exchange = (
  name: string,
  path: string,
  query: Record<string, string>,
  status = 200,
): SandboxExchange => ({
  operation: "things.list",
  name,
  request: { method: "GET", path, query },
  response: { status, headers: {}, body: name },
});

describe("chooses between the recordings of an operation", () => {
  const cases = [
    exchange("a-failure", "/things/1", { lang: "de" }, 500),
    exchange("b-page", "/things/1", { page: "2" }),
    exchange("c-page-lang", "/things/1", { page: "2", lang: "de" }),
    exchange("d-gone", "/things/2", {}, 404),
    exchange("e-sorted", "/things/3", { sort: "up" }),
    exchange("f-limited", "/things/3", { sort: "down" }, 429),
    exchange("typical", "/things/1", {}),
  ];
  const chosen = (path: string, search: string) =>
    chooseExchange(cases, {
      path: path.split("/"),
      query: new URLSearchParams(search),
      body: undefined,
    })?.name;

  it.each([
    ["the typical case", "/things/1", "", "typical"],
    ["a case with the very query", "/things/1", "page=2", "b-page"],
    ["a case with the very query in another order", "/things/1", "lang=de&page=2", "c-page-lang"],
    [
      "the case that shares most with a longer query",
      "/things/1",
      "page=2&lang=de&x=1",
      "c-page-lang",
    ],
    ["a failure for its very request", "/things/1", "lang=de", "a-failure"],
    ["no failure for a longer query than its own", "/things/1", "lang=de&x=1", "typical"],
    ["a failure for any query of a path that only it has", "/things/2", "x=1", "d-gone"],
    ["a success of the path for a query that is not recorded", "/things/3", "sort=odd", "e-sorted"],
    ["the typical case for a path that is not recorded", "/things/4", "page=2", "typical"],
  ])("takes %s", (_, path, search, name) => {
    expect(chosen(path, search)).toBe(name);
  });

  it("prefers a literal segment to a parameter, whichever row comes first", () => {
    const rows = { param: ["get", "/a/{x}/c"], literal: ["get", "/a/b/c"] } as const;
    const reversed = Object.fromEntries(Object.entries(rows).toReversed());
    for (const find of [createRoutes(rows), createRoutes(reversed)]) {
      expect(find(["", "a", "b", "c"])?.get("GET")).toBe("literal");
      expect(find(["", "a", "z", "c"])?.get("GET")).toBe("param");
    }
  });
});
