import { fileURLToPath } from "node:url";
import { judge } from "../../../src/contract/index.js";
import { isKilled } from "../../../src/contract/mutate.js";
import { broken, clean, library } from "../../../test/contract/engine/corpus.js";
import { askPrism } from "./prism.js";
import { askRedocly } from "./redocly.js";

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
  const complains = {
    ours: exchanges.map((each) => isKilled(judge(each, library))),
    prism: prism.map(Boolean),
    redocly: redocly.map(Boolean),
  };
  const row = (title: string, from: number, count: number) => {
    const counts = Object.values(complains).map(
      (each) => each.slice(from, from + count).filter(Boolean).length,
    );
    return title.padEnd(32) + [count, ...counts].map((each) => String(each).padStart(8)).join("");
  };
  const names = ["asked", ...Object.keys(complains)].map((name) => name.padStart(8));
  return [
    "complaints about".padEnd(32) + names.join(""),
    row("corpus: one fault each", 0, broken.length),
    row("corpus: nothing wrong", broken.length, clean.length),
  ].join("\n");
}
