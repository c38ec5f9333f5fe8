import { expect, it } from "vitest";
import { checkExchange } from "../../../src/contract/engine/check.js";
import { groupFindings } from "../../../src/contract/engine/create-finding.js";
import type { Json } from "../../../src/openapi/description.js";
import type { Finding } from "../../../src/contract/engine/types.js";
import { createDescription, exchange } from "./support.js";

const text = { type: "string" };
const item = (tag: string, name: string) => ({
  type: "object",
  required: ["tag", name],
  properties: { tag: { const: tag }, [name]: text },
});
const film = { type: "object", required: ["title"], properties: { title: text, year: text } };

const branches = { oneOf: [item("a", "one"), item("b", "two")] };

// A quadratic algorithm would exceed the timeout of these tests.
it.each<[items: Json, item: Json, rule: string]>([
  [{ type: "object", properties: { a: text } }, { a: 1, more: 1 }, "schema/type"],
  [film, { titel: "A", titles: "B" }, "schema/required"],
  [branches, { tag: "a", two: "2" }, "schema/required"],
])("the gate can check 8,000 items with the schema %j", (items, each, rule) => {
  const body = Array.from({ length: 8000 }, () => each);
  const by = createDescription({ type: "array", items });
  const found = checkExchange(exchange("GET", "/one", { body }), by);
  const counts = found.map((one) => `${one.rule} × ${one.occurrences.length}`);
  expect(counts).toEqual([`${rule} × 8000`, "undeclared/property × 8000"]);
});

it("the gate rejects a body that is nested too deeply, and names the exchange", () => {
  let body: Json = 1;
  for (let depth = 0; depth < 20_000; depth++) body = { a: body };
  const by = createDescription({});
  const message = "GET /one: a body is nested more than 256 levels deep; leave it out";
  expect(() => checkExchange(exchange("GET", "/one", { body }), by)).toThrow(message);
});

it("the gate keeps all 300,000 occurrences of one finding", () => {
  const location = { file: "a.json", line: 1, column: 1, pointer: "/a" };
  const occurrences = Array.from({ length: 150_000 }, () => location);
  const finding = { fingerprint: "1", occurrences } as unknown as Finding;
  expect(groupFindings([finding, finding])[0]?.occurrences).toHaveLength(300_000);
});

it("the gate checks a recursive union with discriminators and sensitive values in linear time", () => {
  const end = { ...text, "x-sensitive": true };
  const node = (kind: string) => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { const: kind }, next: { $ref: "#/components/schemas/Node" }, end },
  });
  const Node = { oneOf: [node("a"), node("b")] };
  const by = createDescription({ $ref: "#/components/schemas/Node" }, { Node });
  let body: Json = { kind: "b", end: 1 };
  for (let depth = 0; depth < 60; depth++) body = { kind: depth % 2 === 0 ? "a" : "b", next: body };
  const found = checkExchange(exchange("GET", "/one", { body }), by);
  expect(found.map(({ rule, pointer }) => [rule, pointer.length])).toEqual([["schema/type", 304]]);
});
