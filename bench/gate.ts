import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { parse } from "yaml";
import type * as Gate from "../src/contract/index.js";
import type { Exchange, Json } from "../src/contract/engine/types.js";
import { recordings } from "../src/generated/recordings.js";
import { interleave, spreadOf, type Spread } from "./statistics.js";

const SCHEMA = "/components/schemas/MultiSearchResults";
const PLAIN = "ajv, unions by tag";
/** As it is published, for the same reason as the client. */
const BUILT = new URL("../dist/contract/index.js", import.meta.url);

export interface GateSpeed {
  name: string;
  /** Checks of a page a second. */
  rate: Spread;
  /** The rate as a part of that of plain ajv in the same round. */
  ratio: Spread;
}

/** How often a second a page of 20 items can be checked, beside plain ajv, closed schemas and JSON.parse. */
export async function measureGate(
  rounds: number,
  tell: (done: number) => void,
): Promise<GateSpeed[]> {
  const { checkExchange, description } = (await import(BUILT.href)) as typeof Gate;
  const page = pageOf(20);
  const text = JSON.stringify(page);
  const exchange = exchangeOf(page);
  const validate = description.validators[SCHEMA]!;
  const checks: Record<string, () => boolean> = {
    [PLAIN]: await plainAjv(page, "tagged"),
    "ajv, as it is written": await plainAjv(page, "as written"),
    "compiled ahead": () => validate(page).length === 0,
    "closed schemas": await plainAjv(page, "closed"),
    "the whole gate": () => checkExchange(exchange, description).length === 0,
    "JSON.parse alone": () => JSON.parse(text) !== null,
  };
  for (const [name, check] of Object.entries(checks)) {
    if (!check()) throw new Error(`${name} refuses the page`);
  }
  const rateOf = async (name: string) => perSecond(checks[name]!);
  const measured = await interleave(Object.keys(checks), rounds, rateOf, tell);
  return Object.entries(measured).map(([name, rates]) => ({
    name,
    rate: spreadOf(rates),
    ratio: spreadOf(rates.map((rate, round) => rate / measured[PLAIN]![round]!)),
  }));
}

function perSecond(check: () => boolean): number {
  const end = performance.now() + 60;
  let checks = 0;
  const start = performance.now();
  do {
    for (let each = 0; each < 50; each++) check();
    checks += 50;
  } while (performance.now() < end);
  return (checks * 1000) / (performance.now() - start);
}

/** A page of search results with every kind of item that was recorded. */
function pageOf(length: number): Json {
  const { response } = recordings.find(
    ({ operation, name }) => operation === "search.multi" && name === "typical",
  )!;
  const { results } = response.body as { results: Json[] };
  const items = Array.from({ length }, (_, index) => results[index % results.length]!);
  return { page: 1, results: items, total_pages: 1, total_results: length };
}

function exchangeOf(body: Json): Exchange {
  return {
    operation: "search.multi",
    name: "page",
    request: { method: "GET", path: "/3/search/multi" },
    response: { status: 200, headers: { "content-type": "application/json" }, body },
    locate: () => ({ file: "page", line: 1, column: 1 }),
  };
}

/** ajv over the YAML; by tag, as it can be told to choose; closed, as validators do that report every further field, by `unevaluatedProperties`. */
async function plainAjv(
  page: Json,
  form: "tagged" | "as written" | "closed",
): Promise<() => boolean> {
  const file = fileURLToPath(new URL("../openapi/catalogue.yaml", import.meta.url));
  const document = parse(await readFile(file, "utf8")) as {
    components: { schemas: Record<string, object> };
  };
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: form === "tagged" });
  formats.default(ajv);
  for (const schema of Object.values(document.components.schemas)) {
    if (form === "closed" && "properties" in schema) {
      Object.assign(schema, { unevaluatedProperties: false });
    } else if (form === "tagged" && "discriminator" in schema) {
      Object.assign(schema, { type: "object", discriminator: { propertyName: "media_type" } });
    }
  }
  ajv.addSchema({ $id: "catalogue", components: document.components });
  const validate = ajv.getSchema(`catalogue#${SCHEMA}`)!;
  return () => validate(page) === true;
}
