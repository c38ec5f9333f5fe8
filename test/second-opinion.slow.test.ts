import { describe, expect, it } from "vitest";
import { askPrism, hasPrism } from "../scripts/prove/tools.js";
import { broken, clean } from "./contract/engine/corpus.js";
import { root } from "./support/paths.js";

const library = `${root}test/contract/engine/fixtures/library.yaml`;
const exchanges = [broken[0]!, clean[0]!].map(([, exchange]) => exchange);

describe.skipIf(!hasPrism())("Prism (npm ci --prefix test/second-opinion)", () => {
  it("handles two concurrent checks, each through a separate proxy", async () => {
    const both = await Promise.all([1, 2].map(() => askPrism(exchanges, library)));
    for (const said of both) expect(said).toEqual([expect.stringMatching(/./), ""]);
  });

  it("reports why it cannot start", async () => {
    await expect(askPrism([], `${root}nothing.yaml`)).rejects.toThrow(
      /Prism does not start:\n[^]*nothing\.yaml/,
    );
  });
});
