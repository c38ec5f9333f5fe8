import type { SchemaError } from "./description.js";

/**
 * Completes the pointers in the errors of a generated validator, and appends these to earlier errors. A generated
 * validator knows only pointers within its own schema and its own value. Drops the errors of `if`, which repeat others.
 * @param base pointer to the validator's schema
 * @param path pointer to the value; relative to the value of the caller
 * @param before earlier errors of the caller
 * @param key the validated property name, if the schema is in `propertyNames`
 */
export function completeErrors(
  errors: readonly SchemaError[] | null,
  base: string,
  path = "",
  before: SchemaError[] | null = null,
  key?: string,
): SchemaError[] {
  const all = before ?? [];
  for (const error of errors ?? []) {
    if (error.keyword === "if") continue;
    if (error.schemaPath.startsWith("#")) {
      // ajv percent-encodes the keys in `schemaPath`.
      const encoded = error.schemaPath.slice(1).replaceAll("%2F", "~1");
      error.schemaPath = base + decodeURIComponent(encoded);
    }
    error.instancePath = path + error.instancePath;
    if (key !== undefined) error.propertyName ??= key;
    all.push(error);
  }
  return all;
}
