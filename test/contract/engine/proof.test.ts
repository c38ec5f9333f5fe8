import { describe, expect, it } from "vitest";
import { mutants } from "../../../scripts/prove/mutants.js";
import { findMismatches, proveMutation } from "../../../scripts/prove/mutation.js";
import { checkExchange } from "../../../src/contract/engine/check.js";
import type { Json } from "../../../src/openapi/description.js";
import type { Exchange } from "../../../src/types/exchange.js";
import { description } from "../../../src/generated/description.js";
import { library, clean } from "./corpus.js";
import { exampleExchanges } from "./support.js";

const named = (name: string) => exampleExchanges.find((each) => each.name === name)!;
const withBody = ({ response, ...rest }: Exchange, change: object): Exchange => {
  const body = { ...(response.body as object), ...change } as Json;
  return { ...rest, response: { ...response, body } };
};
describe("example responses", () => {
  it("a finding in an example response names its file, or the operation if the file contains a whole response", () => {
    const path = "test/example-responses/networks.details/typical.json";
    expect(named("networks.details/typical").locate!("/name")).toMatchObject({
      file: path,
      column: 15,
    });
    const { locate } = named("movies.changes/night-ferry");
    expect(locate!("/id")).toMatchObject({ file: "openapi/catalogue.yaml", column: 5 });
  });
});

describe("proofs", () => {
  it("proveMutation lists the mutations that a gate without validators misses, and lists unnecessary waivers", () => {
    const blind = { ...description, validators: {} };
    const waiver = {
      operator: "extra key",
      descriptionPointer: "/components/schemas/GenreList",
      reason: "-",
    };
    const exchanges = [named("genres.tvList/typical")];
    const { survivors, problems } = proveMutation(exchanges, blind, [waiver]);
    expect(survivors).toContainEqual(
      expect.objectContaining({ operator: "drop required", location: "/genres" }),
    );
    expect(problems).toContain(
      `the waiver of extra key at ${waiver.descriptionPointer} is not needed; remove it`,
    );
  });

  it("the mutants contain more than 25 kinds of mutations, including a mutation that makes the request invalid", () => {
    const each = named("authentication.convertV4Session/typical");
    const operators = new Set(
      exampleExchanges.flatMap((one) => [...mutants(one, description)].map((m) => m.operator)),
    );
    expect(operators.size).toBeGreaterThan(25);
    expect([...mutants(each, description)].map(({ operator }) => operator)).toContain(
      "break request",
    );
  });

  it("for a different description, the gate finds over 95% of the mutations, and finds no mismatch in the unmodified exchanges", () => {
    const exchanges = clean.map(([, each]) => each);
    const { problems, total, killed } = proveMutation(exchanges, library);
    expect(problems.filter((each) => each.startsWith("finding"))).toEqual([]);
    expect(killed / total).toBeGreaterThan(0.95);
  });
});

describe("gaps", () => {
  it.each<[name: string, change: object, gap: string]>([
    ["people.combinedCredits/typical", { id: 62 }, "G14"],
    ["search.multi/typical", { took: 3 }, "G13"],
    ["movies.latest/typical", { status: "Rumored" }, "G08"],
    ["movies.latest/typical", { belongs_to_collection: {} }, "G06"],
    ["authentication.convertV4Session/no-write-permission", { status_code: 12 }, "G19"],
  ])(
    "if the response of %s contains %j, the gate reports a gap in the specification",
    (name, change, gap) => {
      const found = checkExchange(withBody(named(name), change), description);
      const here = found.filter(({ pointer }) => pointer === `/${Object.keys(change)[0]}`);
      expect(here).toMatchObject([{ category: "unspecified", gap: { id: gap } }]);
    },
  );

  it("the gate rejects another status_code than 13 in the response of movies.deleteRating", () => {
    const deleted = withBody(named("movies.deleteRating/typical"), { status_code: 12 });
    expect(checkExchange(deleted, description)).toMatchObject([
      { rule: "schema/const", pointer: "/status_code", category: "violation" },
    ]);
  });

  it("a gap in the specification does not hide a finding about an unrelated field", () => {
    const token = named("authentication.createRequestToken/typical");
    expect(checkExchange(withBody(token, { lifetime: 1 }), description)).toMatchObject([
      { rule: "undeclared/property", pointer: "/lifetime" },
    ]);
    const total = withBody(named("search.multi/typical"), { total_pages: "1" });
    expect(findMismatches(total, description)).toMatchObject([{ rule: "schema/type" }]);
  });
});
