import type { ValidateFunction } from "ajv/dist/2020.js";
import { operationsOf } from "../../../src/contract/engine/document.js";
import { schemaAt, unionsOf } from "../../../src/contract/engine/schema.js";
import type { Description, Json, Validator } from "../../../src/contract/engine/types.js";
import { createAjv } from "./ajv.js";
import { reachable, schemasIn, unsupported } from "./schemas.js";
import { testsOf } from "./unions.js";
import { readYaml, type Yaml } from "./yaml.js";

/** Everything that the generator derives from a document. */
export interface Analysis extends Pick<Description, "operations" | "unions"> {
  /** Pointers of the schemas that need a validator: bodies and headers. */
  validated: string[];
  /** Everything that the generator cannot handle, each with its fix. */
  problems: { pointer: string; text: string }[];
}

/** Finds the operations of a document, the tests of its unions and the schemas that need a validator. */
export function analyze(document: Json): Analysis {
  const operations = operationsOf(document);
  const validated = new Set(
    operations.flatMap(({ responses, body }) => [
      ...schemasIn(body),
      ...responses.flatMap(({ media, headers }) => schemasIn([...media, ...headers])),
    ]),
  );
  const reached = reachable(document, validated);
  const problems = unsupported(document, reached).map((pointer) => ({
    pointer,
    text: `the keyword ${pointer.slice(pointer.lastIndexOf("/") + 1)} is not supported; remove it`,
  }));
  const unions: Record<string, NonNullable<ReturnType<typeof testsOf>>> = {};
  for (const pointer of reached) {
    for (const union of unionsOf({ pointer, schema: schemaAt(document, pointer) })) {
      const tests = testsOf(document, pointer, union.keyword);
      if (tests) unions[union.pointer] = tests;
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
