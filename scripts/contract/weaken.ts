import { at, parentOf, step, stepsOf } from "../../src/contract/engine/pointer.js";
import { schemaAt } from "../../src/contract/engine/schema.js";
import type { Json } from "../../src/contract/engine/types.js";
import { operationsOf, schemasOf } from "../generate/contract/operations.js";

/** A description in which one statement is missing. */
export interface Weakening {
  /** Such as `spec:required`. */
  operator: string;
  /** Pointer of the statement. */
  spec: string;
  /** The weakened description. */
  document(): Json;
}

/** Every single statement of the schemas and headers, left out once. */
export function* weakenings(document: Json): Generator<Weakening> {
  const without = (operator: string, spec: string): Weakening => ({
    operator: `spec:${operator}`,
    spec,
    document: () => changed(document, spec, undefined),
  });
  const operations = operationsOf(document);
  for (const pointer of schemasOf(operations)) {
    const schema = schemaAt(document, pointer);
    for (const index of (schema.required ?? []).keys())
      yield without("required", `${pointer}/required/${index}`);
    for (const key of Object.keys(schema.properties ?? {})) {
      yield without("property", `${pointer}/properties${step(key)}`);
    }
    for (const keyword of ["pattern", "format", "const", "propertyNames", "minItems"] as const) {
      const value = schema[keyword];
      // `int64`, `double` and `password` restrict nothing, nor does a least number of 0.
      if (value === undefined || value === 0 || (keyword === "format" && value !== "uri")) continue;
      yield without(keyword, `${pointer}/${keyword}`);
    }
    if (schema.type === undefined) continue;
    yield without("type", `${pointer}/type`);
    const index = [schema.type].flat().indexOf("null");
    if (index >= 0) yield without("null", `${pointer}/type/${index}`);
    if (schema.type === "integer") {
      const widened = () => changed(document, `${pointer}/type`, "number");
      yield { operator: "spec:integer", spec: `${pointer}/type`, document: widened };
    }
  }
  for (const { pointer, required, schema } of operations.flatMap(({ responses }) =>
    responses.flatMap(({ headers }) => headers),
  )) {
    if (required) yield without("header", `${pointer}/required`);
    if (schema !== undefined && at(document, `${schema}/format`) !== undefined)
      yield without("header", `${schema}/format`);
  }
}

/** A copy with another value at a pointer, or without it. */
function changed(document: Json, pointer: string, value: Json | undefined): Json {
  const copy = structuredClone(document);
  const key = stepsOf(pointer).at(-1) ?? "";
  const holder = at(copy, parentOf(pointer)) as { [key: string]: Json };
  if (value !== undefined) holder[key] = value;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
  return copy;
}
