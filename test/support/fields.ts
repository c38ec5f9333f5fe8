import { deref, type Schema } from "./description.js";

/**
 * The fields of a schema as rows `name: type`, in the notation of `listedFields`: `?` after the name of a field that may
 * be absent, `path` and `date` after the type of a string that must have that form.
 */
export function fieldsOf(schema: Schema, prefix = ""): string[] {
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
