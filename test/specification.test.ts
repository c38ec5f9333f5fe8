import { describe, expect, it } from "vitest";
import {
  deref,
  description,
  operations,
  type Response,
  type Schema,
} from "./support/description.js";
import {
  families,
  specifiedFields,
  specifiedOperations,
  operationRows,
} from "./support/specification.js";

describe("description", () => {
  it("the description has the specified operations in order, with the specified methods, paths, and schemas", () => {
    const documented = specifiedOperations.map(({ method, path, operation }) => [
      operation.operationId,
      method.toUpperCase(),
      path,
      schemaNameOf(operation.responses),
    ]);
    const rows = operationRows.map(({ id, method, path, schema }) => [id, method, path, schema]);
    expect(documented).toEqual(rows);
  });

  it("test/specification.yaml has a row for each operation of catalogue.yaml, and the fields of its schema", () => {
    const fix = "transcribe it from the specification into test/specification.yaml";
    const transcribed = new Map(operationRows.map(({ id, schema }) => [id, schema]));
    const missing = operations.flatMap(({ operation: { operationId: id } }) => {
      const schema = transcribed.get(id);
      if (!transcribed.has(id)) return [`${id}: ${fix}`];
      return schema === undefined || schema in description.components.schemas
        ? []
        : [`${id}: ${schema}: ${fix}`];
    });
    expect(missing).toEqual([]);
  });

  it("the description has a tag for each family of the specification, in the same order", () => {
    const names = families.split(", ");
    const tags = description.tags.map(({ name }) => name);
    expect(tags.filter((name) => names.includes(name))).toEqual(names);
  });

  it.each(Object.entries(specifiedFields))(
    "the %s schema has the specified fields and types",
    (name, rows) => {
      expect(fieldsOf(description.components.schemas[name]!)).toEqual(rows);
    },
  );
});

/** Returns the name of the schema of the first response. */
function schemaNameOf(responses: Record<string, Response>): string | undefined {
  const [{ content } = {}] = Object.values(responses);
  return content?.["application/json"]?.schema.$ref?.split("/").at(-1);
}

/**
 * Returns a schema's fields as `name: type` rows, in the notation of test/specification.yaml. `?` follows the name of a
 * field that can be absent. `path` or `date` follows the type of a string that must be an image path or a date.
 */
function fieldsOf(schema: Schema, prefix = ""): string[] {
  const { allOf = [], required = [], properties = {} } = deref(schema);
  return [
    ...allOf.flatMap((part) => fieldsOf(part, prefix)),
    ...Object.entries(properties).flatMap(([name, property]) =>
      rowsOf(`${prefix}${name}${required.includes(name) ? "" : "?"}`, deref(property)),
    ),
  ];
}

function rowsOf(name: string, schema: Schema): string[] {
  const { type = "any", properties, items } = schema;
  if (properties) {
    const own = type === "object" ? [] : [`${name}: ${[type].flat().join("|")}`];
    return [...own, ...fieldsOf(schema, `${name}.`)];
  }
  if (!items) return [`${name}: ${[type].flat().join("|")}${formOf(schema)}`];
  const item = deref(items);
  if (item.properties) return fieldsOf(item, `${name}[].`);
  return [`${name}: ${item.type === undefined ? "array" : `${String(item.type)}[]`}`];
}

function formOf({ pattern }: Schema): string {
  if (typeof pattern !== "string") return "";
  const accepts = (text: string) => new RegExp(pattern, "u").test(text);
  if (accepts("/a.jpg") && !accepts("a.jpg") && !accepts("")) return " path";
  if (accepts("2025-12-31") && accepts("") && !accepts("31.12.2025")) return " date";
  return "";
}
