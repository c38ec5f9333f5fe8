import { describe, expect, it } from "vitest";
import { checkExchange } from "../../../src/contract/engine/check.js";
import { mutationScore } from "../../../src/contract/mutate.js";
import { operationOf } from "../../../src/contract/engine/route.js";
import type { Json } from "../../../src/contract/engine/types.js";
import { exchange, fixture } from "./support.js";

const shown = (findings: ReturnType<typeof checkExchange>) =>
  findings.map(({ rule, pointer }) => `${rule} ${pointer}`);

const animals = (...body: Json[]) => exchange("GET", "/animals", { body });

describe("a zoo: inheritance by allOf, discriminator, recursion, ranges of statuses", async () => {
  const zoo = await fixture("zoo.yaml");
  const cat = { name: "Tom", species: "cat", lives: 9 };
  const owl = { name: "Ada", species: "owl", wingspan: 1.1, keeper: { name: "Eva" } };
  const headers = { "content-type": "application/vnd.zoo+json" };
  const family = (body: Json) => exchange("GET", "/animals/Tom/family", { headers, body });
  const tree = { of: cat, parents: [{ of: cat }], byYear: { "1999": { of: cat } } };

  it("passes what is described", () => {
    expect(checkExchange(animals(cat, owl, { ...cat, keeper: null }), zoo)).toEqual([]);
    expect(operationOf(family(tree), zoo)).toBe("GET /animals/{name}/family");
  });

  it.each<[Json, string[]]>([
    [{ ...cat, lives: 10 }, ["value/range /0/lives"]],
    [{ ...cat, wingspan: 1 }, ["drift/field /0/wingspan"]],
    [{ ...cat, species: "dog" }, ["value/tag /0/species"]],
    [{ ...owl, species: "cat" }, ["value/tag /0/species"]],
    [{ ...owl, keeper: { name: "Eva", age: 3 } }, ["drift/field /0/keeper/age"]],
    [{ ...owl, keeper: "Eva" }, ["value/type /0/keeper"]],
    [{ ...owl, name: "" }, ["value/range /0/name"]],
  ])("finds the fault of %j", (animal, found) => {
    expect(shown(checkExchange(animals(animal), zoo))).toEqual(found);
  });

  it("goes down into a recursive tree, which knows of every creature only what all have", () => {
    const creature = { name: "Tom", species: "cat" };
    const deep = { of: creature, parents: [{ of: creature, parents: [{ of: { name: "x" } }] }] };
    expect(shown(checkExchange(family(deep), zoo))).toEqual([
      "value/required /parents/0/parents/0/of/species",
    ]);
    expect(
      shown(checkExchange(family({ of: creature, byYear: { "99": { of: creature } } }), zoo)),
    ).toEqual(["value/closed /byYear/99"]);
    expect(shown(checkExchange(family({ of: cat }), zoo))).toEqual(["drift/field /of/lives"]);
  });
});

describe("payments: shared headers, unions by type, if and then, unevaluated members", async () => {
  const payments = await fixture("payments.yaml");
  const headers = { "content-type": "application/json", "request-id": "req_1" };
  const charge = {
    id: "ch_1",
    object: "charge",
    amount: 1,
    currency: "usd",
    source: null,
    refunds: { data: [], has_more: false },
  };
  const get = (body: object, more = {}) =>
    exchange("GET", "/v1/charges/ch_1", { headers, body: { ...charge, ...body } as Json, ...more });

  it("passes what is described", () => {
    const refunds = {
      data: [
        { id: "re_1", charge: "ch_1" },
        { id: "re_2", charge },
      ],
      has_more: true,
    };
    const bodies = [
      {},
      { source: "src_1" },
      { source: { brand: "v", last4: "4242" } },
      { currency: "eur", iban: "DE" },
      { refunds },
    ];
    for (const body of bodies) expect(checkExchange(get(body), payments)).toEqual([]);
    const problem = {
      status: 402,
      headers: { "content-type": "application/problem+json" },
      body: { type: "card" },
    };
    expect(checkExchange(get({}, problem), payments)).toEqual([]);
  });

  it.each<[object, string[]]>([
    [{ amount: 0 }, ["value/range /amount"]],
    [{ source: "card" }, ["value/pattern /source"]],
    [{ currency: "eur" }, ["value/required /iban"]],
    [{ fee: 1 }, ["value/closed /fee"]],
    [{ metadata: { a: 1 } }, ["value/type /metadata/a"]],
    [{ source: { brand: "v", last4: "4242", cvc: "1" } }, ["drift/field /source/cvc"]],
  ])("finds the fault of %j", (body, found) => {
    expect(shown(checkExchange(get(body), payments))).toEqual(found);
  });

  it("kills every mutant but those that the schema cannot tell", () => {
    const score = mutationScore(
      [get({ source: { brand: "v", last4: "4242" }, metadata: { a: "b" } })],
      payments,
    );
    expect(score.untouched).toEqual([]);
    expect(score.total).toBeGreaterThan(80);
    // A map takes any key.
    expect(score.survivors.map(({ operator, place }) => `${operator} ${place}`)).toEqual([
      "rename key /metadata/a",
    ]);
  });
});
