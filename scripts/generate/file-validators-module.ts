import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json } from "../../src/openapi/description.js";
import { isObject } from "../../src/openapi/schema.js";
import { bundleValidators } from "./validators-module.js";

/**
 * Generates a self-contained module with validators for plans and configuration files.
 * @param schemas JSON Schemas by name; for `Plan`, the module exports `listPlanErrors`
 */
export async function fileValidatorsModule(
  schemas: Readonly<Record<string, Json>>,
  header: string,
): Promise<string> {
  const code = { source: true, esm: true };
  const options = { allowUnionTypes: true, allErrors: true, messages: false, code };
  const ajv = new Ajv2020({ strict: true, ...options });
  const names = Object.keys(schemas);
  for (const name of names) ajv.addSchema(nameKeys(schemas[name]!) as object, name);
  const functions = [
    "const list = (validate) => (value) => (validate(value) ? [] : validate.errors);",
    ...names.map((name) => `export const list${name}Errors = list(${name});`),
  ];
  return bundleValidators(ajv, names, functions, header);
}

/**
 * Changes a schema so that ajv's error about an unknown key contains the known keys. A message can then suggest one of
 * the known keys.
 */
function nameKeys(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(nameKeys);
  if (!isObject(schema)) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, each]) => [key, nameKeys(each)]),
  );
  if (copy["additionalProperties"] !== false) return copy;
  const { additionalProperties: _, ...others } = copy;
  return { ...others, propertyNames: { enum: Object.keys(copy["properties"] as object) } };
}
