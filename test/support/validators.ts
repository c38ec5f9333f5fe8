import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { description } from "./description.js";

/** Keywords of OpenAPI that JSON Schema does not know; ajv's strict mode wants them named. */
const OPENAPI_KEYWORDS =
  "openapi info servers security tags paths components discriminator x-known-values x-not-specified x-open x-source";

// An identifier in a path is a string or an integer: strict mode wants to be told that a type may be a union.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, verbose: true });
formats.default(ajv);
ajv.addVocabulary(OPENAPI_KEYWORDS.split(" "));

ajv.addSchema(description, "catalogue");

/** The validator of the schema at a pointer: JSON Schema 2020-12 over the description as it is written. */
export function validatorAt(pointer: string): ValidateFunction {
  const fragment = pointer.split("/").map(encodeURIComponent).join("/").replace("%23", "#");
  const validate = ajv.getSchema(`catalogue${fragment}`);
  if (!validate) throw new Error(`${pointer} is not in the description`);
  return validate as ValidateFunction;
}
