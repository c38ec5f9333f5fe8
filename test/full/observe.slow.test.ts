import fc from "fast-check";
import { expect, it } from "vitest";
import { compileDocument } from "../../scripts/description/compile.js";
import { compareExchange } from "../../scripts/learn/deviations.js";
import { getAtPointer, parentPointer } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/contract/index.js";
import { observing, SECRETS, seen } from "./support.js";

const secret = fc.constantFrom(...SECRETS);
const value = fc.oneof(
  secret,
  fc.constantFrom<Json>(null, 1, 1.5, true, "", "/a.jpg", "2026-01-02", [], {}),
  secret.map((key) => ({ [key]: key })),
  secret.map((each) => [{ id: 1, name: each }, each]),
  secret.map((each) => ({ name: each, deep: { [each]: { deeper: each } } })),
) as fc.Arbitrary<Json>;
const original = seen("people.popular").exchange.response.body;
const pointers = ["", "/results", "/results/0", "/results/0/known_for/0", "/results/1"]
  .flatMap((each) =>
    ["title", "media_type", "extra", "gender", "Jane Doe", "constructor"].map(
      (key) => `${each}/${key}`,
    ),
  )
  .filter((each) => getAtPointer(original, parentPointer(each)) !== undefined);
const evidence = fc
  .record({
    changes: fc.dictionary(
      fc.constantFrom(...pointers),
      fc.option(value, { nil: undefined }) as fc.Arbitrary<Json | undefined>,
      { maxKeys: 4 },
    ),
    status: fc.constantFrom(200, 200, 200, 404, 418),
    source: fc.constantFrom("a/b", "c/d", "e/f"),
    query: fc.dictionary(fc.constantFrom("page", "language", ...SECRETS), secret, { maxKeys: 2 }),
  })
  .map(({ changes, ...options }) => seen("people.popular", changes, options));

it("the overlay does not depend on the order of the exchanges, and covers every deviation that is not listed as undecided", () => {
  fc.assert(
    fc.property(fc.array(evidence, { minLength: 1, maxLength: 6 }), (all) => {
      const { text, document, undecided } = observing(all);
      expect(observing(all.toReversed()).text).toBe(text);
      expect(observing(all, text).text).toBe(text);

      const written = text + JSON.stringify(undecided.map(({ subject }) => subject));
      for (const each of SECRETS) expect(written).not.toContain(each);

      const description = compileDocument({ document, positions: {} });
      const listed = undecided.flatMap(({ locations }) => locations);
      for (const { exchange } of all) {
        const { deviations, undecided: findings } = compareExchange(exchange, description);
        const locations = [
          ...deviations.map(({ location }) => location),
          ...findings.flatMap(({ occurrences }) => occurrences.map(({ pointer }) => pointer)),
        ];
        for (const each of locations) expect(listed).toContain(`${exchange.locate(each).file}:1:1`);
      }
    }),
    { numRuns: 20 },
  );
});
