import type { ValidateFunction } from "ajv/dist/2020.js";
import { listOperations } from "../../../src/openapi/document.js";
import { schemaAt, unionsIn } from "../../../src/openapi/schema.js";
import type { Description, Json, Validator } from "../../../src/openapi/description.js";
import { createAjv } from "./ajv.js";
import { findUnsupported, reachSchemas, schemasIn } from "./schemas.js";
import { createSelectors } from "./unions.js";
import { readYaml, type Yaml } from "./yaml.js";

/** Everything that the generator derives from a document. */
export interface Analysis extends Pick<Description, "operations" | "unions"> {
  /** Pointers of the schemas that need a validator: bodies and headers. */
  validated: string[];
  /** Everything that the generator cannot handle, each with its fix. */
  problems: { pointer: string; text: string }[];
}

/** Finds the operations of a document, the selectors of its unions, and the schemas that need a validator. */
export function analyze(document: Json): Analysis {
  const operations = listOperations(document);
  const validated = new Set(
    operations.flatMap(({ responses, requestContent }) => [
      ...schemasIn(requestContent),
      ...responses.flatMap(({ content, headers }) => schemasIn([...content, ...headers])),
    ]),
  );
  const reached = reachSchemas(document, validated);
  const problems = findUnsupported(document, reached);
  const unions: Record<string, Description["unions"][string]> = {};
  for (const pointer of reached) {
    for (const union of unionsIn({ pointer, schema: schemaAt(document, pointer) })) {
      const selectors = createSelectors(document, pointer, union.keyword);
      if (selectors) unions[union.pointer] = selectors;
      else {
        const text = "the branches cannot be told apart; give each another type or a tag";
        problems.push({ pointer: union.pointer, text });
      }
    }
  }
  return { operations, unions, validated: [...validated].toSorted(), problems };
}

/** Makes the description in a file ready for validation; its validators are compiled on first use. */
export async function compileDescription(file: string, name = file): Promise<Description> {
  return compileDocument(await readYaml(file), name);
}

/** Makes a parsed document ready for validation. @throws {Error} it has a keyword that is not supported */
export function compileDocument({ document, positions }: Yaml, file = ""): Description {
  const { operations, unions, validated, problems } = analyze(document);
  for (const { pointer, text } of problems) throw new Error(`${file}: ${pointer}: ${text}`);
  const { ajv, nameOf } = createAjv(document, unions, { validateSchema: false });
  const validators: Record<string, Validator> = {};
  for (const pointer of validated) {
    let validate: ValidateFunction | undefined;
    validators[pointer] = (value) => {
      validate ??= ajv.getSchema(nameOf(pointer)) as ValidateFunction;
      return validate(value) ? [] : (validate.errors ?? []);
    };
  }
  return { file, document, positions, operations, unions, validators };
}
