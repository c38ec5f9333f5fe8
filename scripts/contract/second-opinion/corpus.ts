import { fileURLToPath } from "node:url";
import { checkExchange } from "../../../src/contract/index.js";
import { isKilled } from "../../../src/contract/mutate.js";
import { broken, clean, library } from "../../../test/contract/engine/corpus.js";
import { askPrism } from "./prism.js";
import { askRedocly } from "./redocly.js";
import { tableOf } from "./table.js";

const YAML = fileURLToPath(
  new URL("../../../test/contract/engine/fixtures/library.yaml", import.meta.url),
);

/**
 * Who complains of how many exchanges that are known to be broken, and of how many with nothing wrong. jest-openapi is
 * not asked: 0.14.2 takes no description of OpenAPI 3.1 that uses its keywords, such as `propertyNames`.
 */
export async function corpusTable(): Promise<string> {
  const exchanges = [...broken.map(([, each]) => each), ...clean.map(([, each]) => each)];
  const [prism, redocly] = await Promise.all([
    askPrism(exchanges, YAML),
    askRedocly(exchanges, YAML),
  ]);
  const ours = exchanges.map((each) => isKilled(checkExchange(each, library)));
  const all = [...exchanges.keys()];
  return tableOf({ ours, prism, redocly }, [
    ["corpus: one fault each", all.slice(0, broken.length)],
    ["corpus: nothing wrong", all.slice(broken.length)],
  ]);
}
