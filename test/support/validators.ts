import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { description } from "./description.js";

/** Keywords of OpenAPI that JSON Schema does not know; ajv's strict mode wants them named. */
const OPENAPI_KEYWORDS =
  "openapi info servers security tags paths components discriminator x-source x-not-specified";

// An identifier in a path is a string or an integer: strict mode wants to be told that a type may be a union.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, verbose: true });
formats.default(ajv);
ajv.addVocabulary(OPENAPI_KEYWORDS.split(" "));

/** A validator for each place of a document, compiled once: JSON Schema 2020-12 over the document as it is written. */
export function validatorsOf(
  name: string,
  document: object,
): (pointer: string) => ValidateFunction {
  ajv.addSchema(document, name);
  return (pointer) => {
    const fragment = pointer.split("/").map(encodeURIComponent).join("/").replace("%23", "#");
    const validate = ajv.getSchema(`${name}${fragment}`);
    if (!validate) throw new Error(`${pointer} is not in ${name}`);
    return validate as ValidateFunction;
  };
}

/** The validator of the schema at a pointer of the description, its unions as plain `oneOf`. */
export const validatorAt = validatorsOf("catalogue", description);
