import { toReferenceToken } from "./pointer.js";
import type { SchemaError } from "./description.js";

/**
 * Completes the pointers in the errors of a generated validator, and appends the errors to earlier errors. A generated
 * validator knows only pointers within its own schema.
 * @param base pointer to the validator's schema; if it starts with `#`, an outer validator completes the pointer later
 * @param before earlier errors of the caller
 * @param key the validated property name, if the schema is in `propertyNames`
 */
export function completeErrors(
  errors: readonly SchemaError[] | null,
  base: string,
  before: SchemaError[] | null = null,
  key?: string,
): SchemaError[] {
  const all = before ?? [];
  for (const error of errors ?? []) {
    if (error.schemaPath.startsWith("#")) {
      const path = error.schemaPath.slice(1);
      // ajv percent-encodes the keys in `schemaPath`.
      error.schemaPath =
        base + (base.startsWith("#") ? path : decodeURIComponent(path.replaceAll("%2F", "~1")));
    }
    if (key !== undefined) error.propertyName ??= key;
    all.push(error);
  }
  return all;
}

/**
 * Returns a pointer to the invalid value, or to the property that is missing, is undeclared, or has an invalid name.
 */
export function locationOf({ instancePath, params, propertyName }: SchemaError): string {
  const name =
    params.missingProperty ??
    params.additionalProperty ??
    params.unevaluatedProperty ??
    propertyName;
  return name === undefined ? instancePath : instancePath + toReferenceToken(String(name));
}
