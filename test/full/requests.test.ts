import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Json } from "../../src/openapi/description.js";
import { listOperations } from "../../src/openapi/document.js";
import { getAtPointer, refToPointer } from "../../src/openapi/pointer.js";
import { root } from "../support/paths.js";

interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  items?: Schema;
  enum?: string[];
  pattern?: string;
  maximum?: number;
}

interface Parameter {
  description?: string;
  style?: string;
  explode?: boolean;
  schema: Schema;
  "x-appends"?: Record<string, string>;
}

const document = parse(readFileSync(join(root, "openapi/full.yaml"), "utf8")) as Json;
const operations = listOperations(document);
const queries = operations.flatMap(({ id, parameters }) =>
  parameters
    .filter((each) => each.in === "query")
    .map((each) => ({
      id: `${id} ${each.name}`,
      parameter: getAtPointer(document, each.pointer) as Parameter,
    })),
);

function resolve(schema: Schema): Schema {
  return schema.$ref === undefined
    ? schema
    : resolve(getAtPointer(document, refToPointer(schema.$ref)) as Schema);
}

/** Returns a schema, or the branches of a union. */
function branches(schema: Schema): Schema[] {
  const { anyOf } = resolve(schema);
  return anyOf ? anyOf.flatMap(branches) : [resolve(schema)];
}

describe("requests of the full description", () => {
  it("each query parameter has a name, a type, and a description", () => {
    expect(queries.length).toBeGreaterThan(100);
    for (const { id, parameter } of queries) {
      expect(parameter.description ?? "", id).toMatch(/^[A-Z`].*\.$/s);
      for (const { type, enum: [value] = [] } of branches(parameter.schema))
        expect(type ?? typeof value, id).toMatch(/^(string|integer|number|boolean|array)$/);
    }
  });

  it("a list is separated with commas, and a filter of `discover` also accepts a single value and alternatives", () => {
    for (const { id, parameter } of queries) {
      const types = new Set(branches(parameter.schema).map(({ type }) => type));
      const isList = types.has("array");
      expect([parameter.style ?? "form", parameter.explode], id).toEqual([
        "form",
        isList ? false : undefined,
      ]);
      if (!/^discover.* with(out)?_(?!runtime)/.test(id)) continue;
      expect([types.has("string"), isList], id).toEqual([true, true]);
    }
  });

  it("a year is a number, and a page number is at most 500", () => {
    for (const { id, parameter } of queries) {
      if (id.endsWith("year")) expect(parameter.schema.type, id).toBe("integer");
      if (id.endsWith(" page")) expect(parameter.schema.maximum, id).toBe(500);
    }
  });

  const appending = operations.flatMap(({ id, path, parameters }) => {
    const own = parameters.find(({ name }) => name === "append_to_response");
    return own ? { id, path, parameter: getAtPointer(document, own.pointer) as Parameter } : [];
  });

  it("`x-appends` has an entry for each name that `append_to_response` accepts", () => {
    expect(appending).toHaveLength(8);
    for (const { id, parameter } of appending) {
      const items = branches(parameter.schema.items!);
      const names = items.flatMap((each) => each.enum ?? []);
      const templates = Object.keys(parameter["x-appends"]!).filter((name) => name.includes("{"));
      expect(Object.keys(parameter["x-appends"]!), id).toEqual([...names, ...templates]);
      const patterns = items.flatMap(({ pattern }) => pattern ?? []);
      expect(patterns, id).toEqual(
        templates.map((each) => `^${each.replace(/\{[^}]*\}/, String.raw`\d+`)}$`),
      );
    }
  });

  it("each appended part is the response of an operation at the same path, except for a company's movies", () => {
    const paths = new Set(operations.map(({ path }) => path));
    const others = appending.flatMap(({ id, path, parameter }) =>
      Object.keys(parameter["x-appends"]!)
        .filter((name) => !paths.has(`${path}/${name}`))
        .map((name) => `${id} ${name}`),
    );
    expect(others).toEqual(["companies.details movies"]);
  });
});
