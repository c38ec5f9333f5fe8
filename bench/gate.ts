import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { parse } from "yaml";
import type * as Gate from "../src/contract/index.js";
import type { Json } from "../src/openapi/description.js";
import type { Exchange } from "../src/types/exchange.js";
import { exampleResponses } from "../src/generated/example-responses.js";
import { interleave, spreadOf, type Spread } from "./statistics.js";

const SCHEMA = "/components/schemas/MultiSearchResults";
const PLAIN = "ajv";
const BUILT = new URL("../dist/contract/index.js", import.meta.url);
const FULL = new URL("../dist/full/contract.js", import.meta.url);

/** Measures how many pages with 20 items the gate checks per second, compared with plain ajv and JSON.parse. */
export async function measureGate(rounds: number) {
  const { checkExchange, description } = (await import(BUILT.href)) as typeof Gate;
  const body = createPage();
  const text = JSON.stringify(body);
  const exchange: Exchange = {
    operation: "search.multi",
    name: "page",
    request: { method: "GET", path: "/3/search/multi" },
    response: { status: 200, headers: { "content-type": "application/json" }, body },
    locate: () => ({ file: "page", line: 1, column: 1 }),
  };
  const plain = await plainAjv();
  const compiled = description.validators[SCHEMA]!;
  const checks: Record<string, () => boolean> = {
    [PLAIN]: () => plain(body) === true,
    "the compiled validator": () => compiled(body).length === 0,
    "the whole gate": () => checkExchange(exchange, description).length === 0,
    "JSON.parse alone": () => JSON.parse(text) !== null,
  };
  for (const [name, check] of Object.entries(checks)) {
    if (!check()) throw new Error(`${name} finds an error in the page`);
  }
  const measured = await interleave(Object.keys(checks), rounds, async (name) => {
    const start = performance.now();
    let count = 0;
    for (; performance.now() < start + 60; count += 50) {
      for (let each = 0; each < 50; each += 1) checks[name]!();
    }
    return (count * 1000) / (performance.now() - start);
  });
  return Object.entries(measured).map(([name, rates]) => {
    const ratios = rates.map((rate, round) => rate / measured[PLAIN]![round]!);
    return { name, rate: spreadOf(rates), ratio: spreadOf(ratios) };
  });
}

/** Measures how long the gate takes to check correct exchanges, compared with parsing their bodies. */
export async function measureCorrect(rounds: number) {
  const { checkExchange, description } = (await import(BUILT.href)) as typeof Gate;
  const full = (await import(FULL.href)) as typeof Gate;
  const measured: { description: string; exchanges: number; ratio: Spread }[] = [];
  for (const [name, by] of Object.entries({ catalogue: description, full: full.description })) {
    const correct = exampleResponses.filter(
      (each) => each.response.body !== undefined && checkExchange(each, by).length === 0,
    );
    const texts = correct.map(({ response }) => JSON.stringify(response.body));
    const tasks: Record<string, () => void> = {
      check: () => correct.forEach((each) => checkExchange(each, by)),
      parse: () => texts.forEach((each) => JSON.parse(each) as Json),
    };
    const times = await interleave(Object.keys(tasks), rounds, async (task) => {
      const start = performance.now();
      let count = 0;
      for (; performance.now() < start + 60; count += 1) tasks[task]!();
      return (performance.now() - start) / count;
    });
    const ratios = times["check"]!.map((time, round) => time / times["parse"]![round]!);
    measured.push({ description: name, exchanges: correct.length, ratio: spreadOf(ratios) });
  }
  return measured;
}

/** Returns a page of 20 search results that repeat the items of the example response. */
function createPage(): Json {
  const example = exampleResponses.find(
    ({ operation, name }) => operation === "search.multi" && name === "typical",
  )!;
  const { results } = example.response.body as { results: Json[] };
  const items = Array.from({ length: 20 }, (_, index) => results[index % results.length]!);
  return { page: 1, results: items, total_pages: 1, total_results: 20 };
}

/** Compiles the schemas in the YAML with plain ajv, and lets ajv select union branches by discriminator. */
async function plainAjv() {
  const yaml = await readFile(new URL("../openapi/catalogue.yaml", import.meta.url), "utf8");
  const { components } = parse(yaml) as { components: { schemas: Record<string, object> } };
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: true });
  formats.default(ajv);
  for (const schema of Object.values(components.schemas)) {
    if (!("discriminator" in schema)) continue;
    Object.assign(schema, { type: "object", discriminator: { propertyName: "media_type" } });
  }
  ajv.addSchema({ $id: "catalogue", components });
  return ajv.getSchema(`catalogue#${SCHEMA}`)!;
}
