import { getAtPointer, toReferenceToken } from "../../openapi/pointer.js";
import { didYouMean } from "../engine/suggest.js";
import type { Json, SchemaError } from "../../openapi/description.js";
import { InputError } from "./json.js";

/** What a value must be, by JSON Schema keyword. */
const EXPECTED: Record<string, (params: SchemaError["params"]) => string> = {
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as string[]).join(", ")}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  pattern: ({ pattern }) => `must match ${String(pattern)}`,
  required: ({ missingProperty }) => `must have "${String(missingProperty)}"`,
  type: ({ type }) => `must be of type ${[type].flat().join(" or ")}`,
};

/**
 * Rejects a file that does not satisfy its published schema. The message never quotes a value.
 * @throws {InputError} if there is an error; the message is about the first one
 */
export function assertValid([error]: readonly SchemaError[], file: Json): void {
  if (!error) return;
  const { keyword, instancePath, params, propertyName } = error;
  const allowed = (params.allowedValues ?? []) as string[];
  if (propertyName !== undefined) {
    const hint = didYouMean(propertyName, allowed) || `; valid keys are ${allowed.join(", ")}`;
    throw new InputError(`is unknown${hint}`, instancePath + toReferenceToken(propertyName));
  }
  const value = getAtPointer(file, instancePath);
  const hint = didYouMean(String(value), allowed);
  throw new InputError(`${EXPECTED[keyword]!(params)}${hint}`, instancePath);
}
