import { expect, it } from "vitest";
import { checkExchange } from "../../../src/contract/engine/check.js";
import type { Json } from "../../../src/openapi/description.js";
import { createDescription, exchange } from "./support.js";

const text = { type: "string" };

// A function cannot be called with so many arguments.
it("the gate finds 130,000 undeclared properties in one object", () => {
  const names = Array.from({ length: 130_000 }, (_, index) => [
    `field_${Math.floor(index / 1000)}_${index % 1000}`,
    1,
  ]);
  const body = Object.fromEntries(names) as Json;
  const by = createDescription({ type: "object", properties: { a: text } });
  expect(checkExchange(exchange("GET", "/one", { body }), by)).toHaveLength(130_000);
});

it("the gate finds 130,000 invalid values in one item of a union", () => {
  const by = createDescription({ anyOf: [{ type: "array", items: text }, text] });
  const body = Array.from({ length: 130_000 }, () => 1);
  const [finding] = checkExchange(exchange("GET", "/one", { body }), by);
  expect(finding?.occurrences).toHaveLength(130_000);
});
