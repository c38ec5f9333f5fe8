import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { description, descriptionFile } from "./description.js";

/** OpenAPI keywords that are not in JSON Schema. In strict mode, ajv rejects keywords that are not registered. */
const OPENAPI_KEYWORDS = "openapi info servers security tags paths components discriminator";
const EXTENSIONS = readFileSync(descriptionFile, "utf8").match(/\bx-[\w-]+(?=:)/g)!;

// Without `allowUnionTypes`, strict mode rejects the type of path identifiers, which are strings or integers.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, verbose: true });
formats.default(ajv);
ajv.addVocabulary([...new Set([...OPENAPI_KEYWORDS.split(" "), ...EXTENSIONS])]);

ajv.addSchema(description, "catalogue");

/** Returns a JSON Schema 2020-12 validator for the schema at a pointer in the description. */
export function validatorAt(pointer: string): ValidateFunction {
  const fragment = pointer.split("/").map(encodeURIComponent).join("/").replace("%23", "#");
  const validate = ajv.getSchema(`catalogue${fragment}`);
  if (!validate) throw new Error(`${pointer} is not in the description`);
  return validate as ValidateFunction;
}
