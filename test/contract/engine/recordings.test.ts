import { describe, expect, it } from "vitest";
import { scoreWeakenings } from "../../../scripts/contract/spec-mutants.js";
import { compileDocument, readConfig } from "../../../scripts/generate/contract/compile.js";
import { readYaml } from "../../../scripts/generate/contract/yaml.js";
import { coverage } from "../../../src/contract/coverage.js";
import { checkExchange } from "../../../src/contract/engine/check.js";
import { mutationScore } from "../../../src/contract/mutate.js";
import type { Exchange, Json } from "../../../src/contract/engine/types.js";
import { description } from "../../../src/generated/description.js";
import { ENDPOINTS } from "../../support/endpoints.js";
import { root } from "../../support/paths.js";
import { own } from "./support.js";

const judged = own.map((exchange) => ({
  exchange,
  findings: checkExchange(exchange, description),
}));
const named = (name: string) => own.find((each) => each.name === name) as Exchange;
const withBody = (exchange: Exchange, change: object): Exchange => ({
  ...exchange,
  response: {
    ...exchange.response,
    body: { ...(exchange.response.body as object), ...change } as Json,
  },
});

describe("the recordings", () => {
  it("hold nothing but what is described, and what the source leaves open", () => {
    const found = judged.flatMap(({ findings }) => findings);
    expect(found.filter(({ verdict }) => verdict !== "gap-observed")).toEqual([]);
    expect([...new Set(found.map(({ gap }) => gap))].toSorted()).toEqual([
      "G02",
      "G03",
      "G04",
      "G06",
      "G09",
      "G11",
      "G12",
      "G18",
      "G19",
    ]);
  });

  it("cover the description in each dimension, or say why not", () => {
    const { dimensions, operations } = coverage(judged, description);
    expect(dimensions).toHaveLength(13);
    for (const { name, ratio, missing } of dimensions) {
      expect(
        missing.filter(({ reason }) => !reason),
        name,
      ).toEqual([]);
      expect(ratio, name).toBe(1);
    }
    expect(Object.keys(operations)).toHaveLength(ENDPOINTS.length);
    expect(JSON.parse(JSON.stringify({ dimensions, operations }))).toEqual({
      dimensions,
      operations,
    });
  });

  it("cover less when one is missing, or fails, or when a reason is needed no longer", () => {
    const name = "certifications.movieList/region-without-entries";
    const short = (each: typeof judged, of = description) =>
      coverage(each, of)
        .dimensions.filter(({ ratio, threshold }) => ratio < threshold)
        .map((dimension) => dimension.name);
    expect(
      short(judged.filter(({ exchange }) => exchange.operation !== "networks.details")),
    ).toContain("property");
    const failing = judged.map(({ exchange, findings }) =>
      exchange.operation === "movies.latest"
        ? { exchange, findings: checkExchange(withBody(exchange, { x: 1 }), description) }
        : { exchange, findings },
    );
    expect(short(failing)).toContain("known value");
    const reasons = {
      ...description.config.coverage.reasons,
      operation: { [name.split("/")[0]!]: "Not there yet." },
    };
    const config = { ...description.config, coverage: { thresholds: {}, reasons } };
    expect(short(judged, { ...description, config })).toEqual(["operation"]);
  });

  it("give away every planted fault, nearly always by one finding", () => {
    const { total, killed, oneRoot, waived, survivors, stale, untouched } = mutationScore(
      own,
      description,
    );
    expect({ survivors, stale, untouched }).toEqual({ survivors: [], stale: [], untouched: [] });
    expect(total).toBeGreaterThan(10_000);
    expect(killed + waived.length).toBe(total);
    expect(waived.every(({ reason }) => /^G\d\d: /.test(reason))).toBe(true);
    expect(oneRoot / killed).toBeGreaterThan(0.999);
  }, 180_000);

  it("notice when a statement of the description is missing", async () => {
    const { document } = await readYaml(`${root}/openapi/catalogue.yaml`);
    const score = scoreWeakenings(document, await readConfig(root), own);
    expect({ survivors: score.survivors, stale: score.stale }).toEqual({
      survivors: [],
      stale: [],
    });
    expect(score.total).toBeGreaterThan(700);
    expect(score.noticed / score.total).toBeGreaterThanOrEqual(0.95);
  }, 300_000);

  it("say so when they prove nothing: without them, nothing is noticed", async () => {
    const { document } = await readYaml(`${root}/openapi/catalogue.yaml`);
    const config = {
      ...(await readConfig(root)),
      coverage: {
        thresholds: Object.fromEntries(
          coverage([], description).dimensions.map(({ name }) => [name, 0]),
        ),
        reasons: {},
      },
    };
    const { Account } = (document as { components: { schemas: { [name: string]: Json } } })
      .components.schemas;
    const small = {
      paths: {
        "/a": {
          get: {
            operationId: "a",
            responses: { "200": { content: { "application/json": { schema: Account! } } } },
          },
        },
      },
    } as unknown as Json;
    const score = scoreWeakenings(small, { ...config, occurs: {}, open: [] }, []);
    expect(score.noticed).toBe(0);
    expect(score.survivors).toHaveLength(score.total);
  });
});

describe("gaps", () => {
  it.each<[string, string, object, string, string]>([
    [
      "a further field of combined credits",
      "people.combinedCredits/typical",
      { id: 62 },
      "/id",
      "G14",
    ],
    ["a further field of a search", "search.multi/typical", { took: 3 }, "/took", "G13"],
    ["a further field of popular people", "people.popular/typical", { took: 3 }, "/took", "G13"],
    [
      "a status that was never shown",
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
    [
      "a code that was never shown",
      "movies.deleteRating/typical",
      { status_code: 12 },
      "/status_code",
      "G19",
    ],
    [
      "an answer to session convert",
      "authentication.convertV4Session/typical",
      { session_id: "1" },
      "",
      "G09",
    ],
  ])("are observed in %s", (_, name, change, pointer, gap) => {
    const found = checkExchange(withBody(named(name), change), description).filter(
      (each) => each.pointer === pointer && each.gap === gap,
    );
    expect(found).toMatchObject([{ verdict: "gap-observed" }]);
  });

  it("are observed once where a code has no meaning, and never where it is known", () => {
    const typical = named("trending.people/typical");
    const { results } = typical.response.body as { results: object[] };
    const genders = (gender: number) =>
      checkExchange(
        withBody(typical, { results: results.map((each) => ({ ...each, gender })) }),
        description,
      ).filter(({ gap }) => gap === "G05");
    expect([0, 1, 2].flatMap(genders)).toEqual([]);
    expect(genders(3)).toMatchObject([{ rule: "gap/value", recording: results.map(() => ({})) }]);
  });

  it("do not excuse a field beside them that has nothing to do with them", () => {
    const token = named("authentication.createRequestToken/typical");
    expect(checkExchange(withBody(token, { lifetime: 1 }), description)).toMatchObject([
      { rule: "drift/field", pointer: "/lifetime" },
    ]);
    const total = checkExchange(
      withBody(named("search.multi/typical"), { total_pages: "1" }),
      description,
    );
    expect(total.filter(({ gap }) => gap === undefined)).toMatchObject([
      { rule: "value/type", pointer: "/total_pages" },
    ]);
  });
});

it("refuses a configuration that names a place which is not there", async () => {
  const yaml = await readYaml(`${root}/openapi/catalogue.yaml`);
  const config = { ...(await readConfig(root)), open: ["/components/schemas/Nothing"] };
  expect(() => compileDocument(yaml, config)).toThrow(
    "contract.config.json: /components/schemas/Nothing is not in the description",
  );
});
