import { describe, expect, it } from "vitest";
import { coverageOf, isComplete } from "../../../scripts/prove/coverage.js";
import { mutants } from "../../../scripts/prove/mutants.js";
import { mutationScore } from "../../../scripts/prove/mutation.js";
import { faultsIn, reasons } from "../../../scripts/prove/project.js";
import { specScore } from "../../../scripts/prove/spec.js";
import { checkExchange } from "../../../src/contract/engine/check.js";
import type { Exchange, Json } from "../../../src/contract/engine/types.js";
import { description } from "../../../src/generated/description.js";
import { library, clean } from "./corpus.js";
import { describing, exchange, own } from "./support.js";

const named = (name: string) => own.find((each) => each.name === name)!;
const withBody = ({ response, ...rest }: Exchange, change: object): Exchange => {
  const body = { ...(response.body as object), ...change } as Json;
  return { ...rest, response: { ...response, body } };
};
const none = { coverage: {}, waivers: [] };

describe("the recordings", () => {
  it("hold no fault", () => {
    for (const each of own) expect(faultsIn(each, description), each.name).toEqual([]);
  });

  it("cover the description, or give a reason for each exception", () => {
    const dimensions = coverageOf(own, description, reasons);
    expect(dimensions.filter((each) => !isComplete(each))).toEqual([]);
    expect(dimensions).toHaveLength(13);
  });

  it("fail the coverage if one is missing or faulty, or if a reason is no longer needed", () => {
    const short = (exchanges: Exchange[], coverage = reasons.coverage) =>
      coverageOf(exchanges, description, { coverage })
        .filter((each) => !isComplete(each))
        .map(({ name }) => name);
    const others = own.filter(({ operation }) => operation !== "networks.details");
    expect(short(others)).toContain("property");
    const isLatest = ({ operation }: Exchange) => operation === "movies.latest";
    expect(short(own.map((each) => (isLatest(each) ? withBody(each, { x: 1 }) : each)))).toContain(
      "known value",
    );
    expect(short(own, { ...reasons.coverage, operation: { "movies.lists": "Later." } })).toEqual([
      "operation",
    ]);
  });

  it("reveal every planted fault as exactly one finding (a sample; `npm run prove` plants all)", () => {
    const sample = own.filter((_, index) => index % 9 === 0);
    const score = mutationScore(sample, description, reasons);
    expect(score).toMatchObject({ untouched: [], survivors: [] });
    const { total, killed, single, waived } = score;
    expect(killed + waived).toBe(total);
    expect(total).toBeGreaterThan(10 * sample.length);
    expect(single / killed).toBeGreaterThan(0.99);
  });
});

describe("a proof", () => {
  it("names the faults that a blind gate misses, and unnecessary waivers", () => {
    const blind = { ...description, validators: {} };
    const waiver = { operator: "extra key", spec: "/components/schemas/GenreList", reason: "-" };
    const exchanges = [named("genres.tvList/typical")];
    const { survivors, stale } = mutationScore(exchanges, blind, { waivers: [waiver] });
    expect(survivors).toContainEqual(
      expect.objectContaining({ operator: "drop required", place: "/genres" }),
    );
    expect(stale).toEqual([waiver]);
  });

  it("plants faults in requests, HTTP and the body", () => {
    const each = named("authentication.convertV4Session/typical");
    const operators = new Set(
      own.flatMap((one) => [...mutants(one, description)].map((m) => m.operator)),
    );
    expect(operators.size).toBeGreaterThan(25);
    expect([...mutants(each, description)].map(({ operator }) => operator)).toContain(
      "break request",
    );
  });

  it("names every undetected statement of a description", () => {
    const { document } = describing({
      type: "object",
      required: ["a"],
      properties: { a: { type: "integer" } },
    });
    const without = specScore(document, none, []);
    expect(without.survivors).toHaveLength(without.total);
    const recorded = specScore(document, none, [exchange("GET", "/one", { body: { a: 1 } })]);
    expect(recorded.total).toBe(without.total);
    expect(recorded.survivors).toEqual([]);
  });

  it("works for another description", () => {
    const exchanges = clean.map(([, each]) => each);
    const { untouched, total, killed } = mutationScore(exchanges, library, none);
    expect(untouched).toEqual([]);
    expect(killed / total).toBeGreaterThan(0.95);
  });
});

describe("a gap", () => {
  it.each<[string, string, object, string, string]>([
    [
      "a further field of combined credits",
      "people.combinedCredits/typical",
      { id: 62 },
      "/id",
      "G14",
    ],
    ["a further field of a search", "search.multi/typical", { took: 3 }, "/took", "G13"],
    [
      "an unknown status of a movie",
      "movies.latest/typical",
      { status: "Rumored" },
      "/status",
      "G08",
    ],
    [
      "a collection",
      "movies.latest/typical",
      { belongs_to_collection: {} },
      "/belongs_to_collection",
      "G06",
    ],
    ["an unknown code", "movies.deleteRating/typical", { status_code: 12 }, "/status_code", "G19"],
  ])("is observed in %s", (_, name, change, pointer, gap) => {
    const found = checkExchange(withBody(named(name), change), description);
    expect(found.filter((each) => each.pointer === pointer)).toMatchObject([
      { verdict: "gap-observed", gap },
    ]);
  });

  it("does not excuse an unrelated field", () => {
    const token = named("authentication.createRequestToken/typical");
    expect(checkExchange(withBody(token, { lifetime: 1 }), description)).toMatchObject([
      { rule: "drift/field", pointer: "/lifetime" },
    ]);
    const total = withBody(named("search.multi/typical"), { total_pages: "1" });
    expect(faultsIn(total, description)).toMatchObject([{ rule: "value/type" }]);
  });
});
