import { expect, it } from "vitest";
import { askPrism, hasPrism } from "../scripts/prove/tools.js";
import { broken, clean } from "./contract/engine/corpus.js";
import { root } from "./support/paths.js";

const library = `${root}test/contract/engine/fixtures/library.yaml`;

// Needs `npm ci --prefix test/tools`.
it.skipIf(!hasPrism())(
  "Prism complains about a broken exchange, and not about a clean one",
  async () => {
    const exchanges = [broken[0]!, clean[0]!].map(([, exchange]) => exchange);
    expect(await askPrism(exchanges, library)).toEqual([expect.stringMatching(/./), ""]);
  },
);
