import * as fc from "fast-check";
import { expect, it } from "vitest";
import { driftOf } from "../../../src/contract/engine/drift.js";
import { resolved } from "../../../scripts/generate/contract/schemas.js";
import { violationsOf } from "../../../src/contract/engine/values.js";
import { interpreter, undeclared } from "./oracle.js";
import { components, schemas, values } from "./random.js";
import { describing, ONE } from "./support.js";

const SCHEMAS = 500;
const VALUES = 40;

it("agrees with ajv's interpreter and with a slow oracle on 20 000 random pairs of schema and value", () => {
  let [pairs, invalid, drifting] = [0, 0, 0];
  const isValid = interpreter(components);
  const pair = fc.tuple(schemas, fc.array(values, { minLength: VALUES, maxLength: VALUES }));
  fc.assert(
    fc.property(pair, ([schema, bodies]) => {
      const description = describing(schema, components);
      // A `$ref` alone is judged by what it refers to.
      const root = resolved(description.document, ONE);
      for (const body of bodies) {
        pairs += 1;
        const violations = violationsOf(description.validators[root]!(body), body);
        expect(violations.length === 0).toBe(isValid(schema, body));
        expect(new Set(violations.map((each) => each.pointer)).size).toBe(violations.length);
        const drift = driftOf({ description, schema: root, body }).map((each) => each.pointer);
        expect(drift.toSorted()).toEqual(undeclared(schema, components, body, isValid));
        if (violations.length > 0) invalid += 1;
        if (drift.length > 0) drifting += 1;
      }
    }),
    { numRuns: SCHEMAS, seed: 4 },
  );
  expect(pairs).toBe(SCHEMAS * VALUES);
  // The comparison is worth something only where both sides often have something to say.
  expect(Math.min(invalid, pairs - invalid)).toBeGreaterThan(pairs / 5);
  expect(drifting).toBeGreaterThan(pairs / 20);
}, 180_000);
