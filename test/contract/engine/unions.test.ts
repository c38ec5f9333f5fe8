import { expect, it } from "vitest";
import { checkExchange } from "../../../src/contract/engine/check.js";
import type { Json } from "../../../src/openapi/description.js";
import { walkValues } from "../../../src/openapi/walk-values.js";
import { createDescription, exchange, ONE } from "./support.js";

const text = { type: "string" };
const branch = (kind: string, properties: object): Json =>
  ({
    type: "object",
    required: ["kind"],
    properties: { kind: { const: kind }, ...properties },
  }) as Json;
const inner = (secret: object) => ({ type: "object", properties: { id: { ...text, ...secret } } });
const owners = createDescription({
  oneOf: [
    branch("open", { owner: inner({}) }),
    branch("closed", { owner: inner({ "x-sensitive": true }) }),
  ],
});
const walk = (body: Json, description = owners) =>
  [...walkValues({ description, schema: ONE, body })].map(
    ({ pointer, schemas, isSensitive }) => [pointer, schemas.length > 0, isSensitive] as const,
  );

it("a value is sensitive if an enclosing value, or any branch of a union, is marked as sensitive", () => {
  const secret = createDescription({ ...inner({}), "x-sensitive": true });
  expect(walk({ id: "x" }, secret)).toContainEqual(["/id", true, true]);
  expect(walk({ kind: "open", owner: { id: "x" } })).toContainEqual(["/owner/id", true, true]);
  expect(walk({ kind: "open", owner: { id: "x" } })).toContainEqual(["/kind", true, false]);
});

it("an object with an unknown discriminator matches no branch", () => {
  expect(walk({ kind: "other", owner: { id: "x" } }).slice(1)).toEqual([
    ["/kind", false, false],
    ["/owner", false, false],
    ["/owner/id", false, true],
  ]);
});

it("a constant that only one branch declares is not a discriminator", () => {
  const success = {
    type: "object",
    required: ["id"],
    properties: { id: text, success: { type: "boolean" } },
  };
  const failure = {
    type: "object",
    required: ["code"],
    properties: { code: text, success: { const: false } },
  };
  const by = createDescription({ anyOf: [failure, success] });
  const found = checkExchange(exchange("GET", "/one", { body: { success: false, id: 1 } }), by);
  expect(found.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual(["schema/type /id"]);
});
