import type { ValidateFunction } from "ajv/dist/core.js";
import { completeErrors } from "../../src/openapi/schema-errors.js";
import { listOperations } from "../../src/openapi/document.js";
import { reachSchemas } from "../../src/openapi/keywords.js";
import { isFreeForm, listUnions, schemaAt } from "../../src/openapi/schema.js";
import { branchesToValidate, constantsIn } from "../../src/openapi/unions.js";
import type { Description, Json, SchemaHolder, Validator } from "../../src/openapi/description.js";
import { createAjv } from "./ajv.js";
import { findUnsupported, type SchemaProblem } from "./find-unsupported.js";
import { listOuterSchemas, schemasIn } from "./schema-pointers.js";
import { readYaml, type Yaml } from "./yaml.js";

/** Lists the problems with the schemas of a document, each with its pointer and a fix. */
export function findSchemaProblems(document: Json): SchemaProblem[] {
  const schemas = reachSchemas(document, listOuterSchemas(document));
  const problems = findUnsupported(document, schemas);
  return problems.length > 0 ? problems : findInvalidDefaults(document, schemas);
}

/** Lists the defaults that their own schemas reject. */
function findInvalidDefaults(document: Json, schemas: Iterable<string>): SchemaProblem[] {
  const { ajv, nameOf } = createAjv(document);
  return [...schemas].flatMap((each) => {
    const { default: value } = schemaAt(document, each);
    if (value === undefined || ajv.getSchema(nameOf(each))!(value)) return [];
    const text = `the schema does not allow its default ${JSON.stringify(value)}; correct the default, or the schema`;
    return { pointer: `${each}/default`, text };
  });
}

/**
 * Lists the operations of a document without problems, and the schemas that need a validator: those of bodies and
 * headers, and the branches of unions that only a validator can select.
 */
export function analyze(document: Json) {
  const operations = listOperations(document);
  const roots = operations.flatMap(({ responses, requestContent }) => [
    ...schemasIn(requestContent),
    ...responses.flatMap(({ content, headers }) => schemasIn([...content, ...headers])),
  ]);
  return { operations, schemasToCompile: withBranches(document, roots) };
}

function withBranches(document: Json, roots: readonly string[]): string[] {
  const branches = [...reachSchemas(document, roots)].flatMap((pointer) =>
    listUnions({ pointer, schema: schemaAt(document, pointer) }).flatMap((union) =>
      branchesToValidate(document, union),
    ),
  );
  return [...new Set([...roots, ...branches])].toSorted();
}

/**
 * Returns whether the sandbox validates a parameter. The sandbox does not validate cookies or free-form objects. Which
 * IDs a path can have depends on the examples and on overrides.
 */
export function isChecked(document: Json, parameter: SchemaHolder): boolean {
  if (parameter.in === "path")
    return constantsIn(schemaAt(document, parameter.schema ?? "")).length > 0;
  return /^(query|header)$/.test(parameter.in ?? "") && !isFreeForm(document, parameter);
}

/** Prepares the description in a file for validation. */
export async function compileDescription(file: string, name = file): Promise<Description> {
  return compileDocument(await readYaml(file), name);
}

/**
 * Prepares a parsed document for validation. Each validator is compiled on first use.
 * @throws {Error} if a schema uses an unsupported keyword
 */
export function compileDocument({ document, positions }: Yaml, file = ""): Description {
  for (const { pointer, text } of findSchemaProblems(document))
    throw new Error(`${file}: ${pointer}: ${text}`);
  const { operations, schemasToCompile } = analyze(document);
  const { ajv, nameOf } = createAjv(document);
  const validators = schemasToCompile.map((pointer): [string, Validator] => {
    let validate: ValidateFunction | undefined;
    return [
      pointer,
      (value) => {
        validate ??= ajv.getSchema(nameOf(pointer)) as ValidateFunction;
        return validate(value) ? [] : completeErrors(validate.errors ?? null, pointer);
      },
    ];
  });
  return { file, document, positions, operations, validators: Object.fromEntries(validators) };
}
