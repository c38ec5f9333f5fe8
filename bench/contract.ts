/** `tsx bench/contract.ts`: checks a second of a page of 20 items, beside plain ajv, closed schemas and JSON.parse. */
import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { parse } from "yaml";
import { judge } from "../src/contract/judge.js";
import type { Exchange, Json } from "../src/contract/types.js";
import { description } from "../src/generated/description.js";
import { recordings } from "../src/generated/recordings.js";

const SCHEMA = "/components/schemas/MultiSearchResults";
const ROUNDS = 15;

/** Checks a second of each contender, the median of interleaved rounds, and its ratio to plain ajv. */
export async function benchContract(
  rounds = ROUNDS,
): Promise<{ name: string; perSecond: number; ratio: number }[]> {
  const page = pageOf(20);
  const text = JSON.stringify(page);
  const exchange = exchangeOf(page);
  const validate = description.validators[SCHEMA]!;
  const contenders: [name: string, check: () => boolean][] = [
    ["ajv, unions by tag", await plainAjv(page, "tagged")],
    ["ajv, as it is written", await plainAjv(page, "as written")],
    ["compiled ahead", () => validate(page).length === 0],
    ["closed schemas", await plainAjv(page, "closed")],
    ["the whole gate", () => judge(exchange, description).length === 0],
    ["JSON.parse alone", () => JSON.parse(text) !== null],
  ];
  for (const [name, check] of contenders) if (!check()) throw new Error(`${name} refuses the page`);
  const times = contenders.map((): number[] => []);
  // One after the other in every round, so that what else the machine does weighs on all alike.
  for (let round = 0; round < rounds; round++) {
    contenders.forEach(([, check], index) => times[index]!.push(perSecond(check)));
  }
  const medians = times.map((each) => each.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!);
  return contenders.map(([name], index) => ({
    name,
    perSecond: medians[index]!,
    ratio: medians[index]! / medians[0]!,
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
    origin: "foreign",
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const { name, perSecond: checks, ratio } of await benchContract()) {
    console.log(
      `${name.padEnd(28)} ${Math.round(checks).toLocaleString("en").padStart(11)} / s  ${ratio.toFixed(2)} × ajv`,
    );
  }
}
