import { Ajv2020, type Options } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { join } from "node:path";
import { reachSchemas } from "../../src/openapi/keywords.js";
import { ruleOf } from "../../src/openapi/parameter-rule.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { isJson, isSuccess } from "../../src/openapi/route.js";
import { isEqual, isObject, schemaAt } from "../../src/openapi/schema.js";
import { completeErrors } from "../../src/openapi/schema-errors.js";
import type {
  Description,
  Json,
  Operation,
  SchemaHolder,
  Validator,
} from "../../src/openapi/description.js";
import type { CheckedDescription } from "../description/description.js";
import { createAjv } from "../description/ajv.js";
import { isChecked } from "../description/compile.js";
import { schemasIn } from "../description/schema-pointers.js";
import { validatorName } from "../description/validator-name.js";
import { GENERATED_HEADER, jsdoc } from "./text.js";

/** Imports a function that generated validators call. */
const importRuntime = ({ name }: { name: string }, file: string) =>
  `import { ${name} } from ${JSON.stringify(join(import.meta.dirname, "../../src/openapi", file))};`;

/** The function with which ajv compares values. It throws an error for an object with a `valueOf` property. */
const AJV_EQUAL = 'require("ajv/dist/runtime/equal").default';

/** Runtime functions: one lists the errors of a validator, one accepts a response that one of several media types accepts. */
const LIST =
  "const list = (validate, pointer, value) => (validate(value) ? [] : completeErrors(validate.errors, pointer));";
const ANY = "const any = (...lists) => lists.find((list) => list.length === 0) ?? lists[0];";
/** The validator of a response without a body. Without it, the validator of `default` would apply. */
const NONE = `const none = (value) => value === undefined ? [] :
  [{ keyword: "false schema", instancePath: "", schemaPath: "", params: {} }];`;

/**
 * Generates a module with a description's validators. The module is self-contained: it needs no library, `eval`, or
 * `require`. The module exports `validators` by schema pointer, and an object for each operation with the validators of
 * its responses by status. The module calls no function while it loads, so bundlers can remove each unused validator.
 */
export async function validatorsModule(
  { document, schemasToCompile, operations }: CheckedDescription,
  options: Options = {},
): Promise<string> {
  return moduleOf(document, schemasToCompile, options, (validatorOf) => {
    const all = schemasToCompile.map(
      (pointer) => `${JSON.stringify(pointer)}: ${validatorOf(pointer)}`,
    );
    const byOperation = operations.map(({ id, responses }) => {
      const members = responses.flatMap((response) => {
        const { status, content } = response;
        if (content.length === 0 && isSuccess(response)) return [`${JSON.stringify(status)}: none`];
        const json = content.filter(isJson);
        const names = schemasIn(json.length > 0 ? json : content.slice(0, 1)).map(validatorOf);
        if (names.length === 0) return [];
        const lists = names.map((each) => `${each}(value)`).join(", ");
        const validator = names.length > 1 ? `(value) => any(${lists})` : names[0];
        return [`${JSON.stringify(status)}: ${validator}`];
      });
      return `export const ${validatorName(id)} = { ${members.join(", ")} };`;
    });
    return [ANY, NONE, `export const validators = { ${all.join(", ")} };`, ...byOperation];
  });
}

/**
 * Returns a description with its generated validators.
 * @param source the source code of the validators
 */
export async function importValidators(
  { document, operations }: CheckedDescription,
  source: string,
): Promise<Description> {
  const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    validators: Record<string, Validator>;
  };
  return { file: "", document, positions: {}, operations, ...module };
}

/** Generates a module that exports a validator for each operation, and a list of all validators. */
export function responseValidatorsModule(operations: readonly Operation[], prefix = ""): string {
  const names = operations.map(({ id }) => validatorName(id));
  const validators = operations.map(
    ({
      id,
    }) => `${jsdoc(`Validates the responses of \`${id}\`.`)}export const ${validatorName(id)}: OperationValidator = {
  operation: ${JSON.stringify(id)}, responses: responses.${validatorName(id)}, sensitive
};
`,
  );
  return `${GENERATED_HEADER}import type { OperationValidator } from "../types/operation-validator.js";
import { sensitive } from "./${prefix}sensitive.js";
import * as responses from "./${prefix}validators.js";

${validators.join("\n")}
/** The validators of all operations. */
export const responseValidators: readonly OperationValidator[] = [${names.join(", ")}];
`;
}

/** Generates a module with the validators that the sandbox uses for parameters and request bodies, by operationId. */
export async function requestValidatorsModule({
  document,
  operations,
}: CheckedDescription): Promise<string> {
  const requests = operations.map((each) => ({
    ...each,
    body: each.requestContent.find(isJson)?.schema,
    parameters: each.parameters.filter((one) => one.schema && isChecked(document, one)),
  }));
  const pointers = requests.flatMap(({ body, parameters }) => [
    ...(body === undefined ? [] : [body]),
    ...schemasIn(parameters),
  ]);
  return moduleOf(document, [...new Set(pointers)].toSorted(), {}, (validatorOf) => {
    const rows = requests.map(({ id, body, isBodyRequired, acceptsAnyQuery, parameters }) => {
      const list = parameters.map((each) => {
        const data = JSON.stringify(parameterRow(document, each));
        return `{ ...${data}, validator: ${validatorOf(each.schema!)} }`;
      });
      const own = JSON.stringify({
        isBodyRequired: isBodyRequired || undefined,
        acceptsAnyQuery: acceptsAnyQuery || undefined,
      });
      const bodyEntry = body === undefined ? "" : `body: ${validatorOf(body)}, `;
      return `${JSON.stringify(id)}: { ...${own}, ${bodyEntry}parameters: [${list.join(", ")}] }`;
    });
    return [`export const requestValidators = { ${rows.join(", ")} };`];
  });
}

/** Returns the data that the sandbox needs about a parameter, besides its validator. Omits everything that is false. */
function parameterRow(document: Json, parameter: SchemaHolder) {
  const { name, in: location, required, isSensitive, pointer } = parameter;
  const rule = ruleOf(document, parameter);
  const schemas = reachSchemas(document, schemasIn([parameter]));
  const hasPattern = [...schemas].some((each) => schemaAt(document, each).pattern !== undefined);
  return {
    name,
    in: location,
    ...(required && { required }),
    ...(getAtPointer(document, `${pointer}/explode`) === false && { commaSeparated: true }),
    ...(isSensitive && { isSensitive }),
    ...(rule && { rule }),
    ...(hasPattern && { description: getAtPointer(document, `${pointer}/description`) }),
  };
}

/**
 * Generates a module with validators.
 * @param createExports returns the export statements; `validatorOf` returns the name of a schema's validator
 */
async function moduleOf(
  document: Json,
  pointers: readonly string[],
  options: Options,
  createExports: (validatorOf: (pointer: string) => string) => string[],
): Promise<string> {
  const { ajv, nameOf } = createAjv(document, options);
  const functions = pointers.map(
    (pointer, index) =>
      `function c${index}(value) { return list(${nameOf(pointer)}, ${JSON.stringify(pointer)}, value); }`,
  );
  const exports = [
    importRuntime(completeErrors, "schema-errors.ts"),
    LIST,
    ...functions,
    ...createExports((pointer) => `c${pointers.indexOf(pointer)}`),
  ];
  return bundleValidators(ajv, [...new Set(pointers.map(nameOf))], exports);
}

/**
 * Generates a self-contained module with validators for plans and configuration files.
 * @param schemas JSON Schemas by name; for `Plan`, the module exports `listPlanErrors`. Each pattern in the schemas needs a
 *   message in words, in `patternErrorMessage`.
 */
export async function fileValidatorsModule(
  schemas: Readonly<Record<string, Json>>,
): Promise<string> {
  const code = { source: true, esm: true };
  const options = { allowUnionTypes: true, allErrors: true, messages: false, code };
  const ajv = new Ajv2020({ strict: true, ...options });
  // VS Code shows this message for an invalid value, too.
  ajv.addVocabulary(["patternErrorMessage"]);
  const names = Object.keys(schemas);
  for (const name of names) ajv.addSchema(nameKeys(schemas[name]!) as object, name);
  const functions = [
    "const list = (validate) => (value) => (validate(value) ? [] : validate.errors);",
    ...names.map((name) => `export const list${name}Errors = list(${name});`),
    `export const patternMessages = ${JSON.stringify(Object.fromEntries(listMessages(schemas)))};`,
  ];
  return bundleValidators(ajv, names, functions);
}

/** Lists the patterns in schemas, each with its message. */
function listMessages(schema: Json): [pattern: string, message: string][] {
  if (typeof schema !== "object" || schema === null) return [];
  const { pattern, patternErrorMessage: message } = schema as { [keyword: string]: Json };
  if (typeof pattern !== "string") return Object.values(schema).flatMap(listMessages);
  if (typeof message === "string") return [[pattern, message]];
  throw new Error(`add patternErrorMessage to the schema with the pattern ${pattern}`);
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

/**
 * Bundles the validators that ajv generates, and minifies the resulting module.
 * @param names the names of the schemas, which are also the names of their validators in `exports`
 * @param exports statements that use the validators
 */
async function bundleValidators(
  ajv: Ajv2020,
  names: readonly string[],
  exports: readonly string[],
): Promise<string> {
  const code = standalone
    .default(ajv, Object.fromEntries(names.map((name) => [name, name])))
    .replaceAll(AJV_EQUAL, isEqual.name);
  const imports = [
    code.includes("fullFormats") && 'import { fullFormats } from "ajv-formats/dist/formats.js";',
    code.includes(isEqual.name) && importRuntime(isEqual, "schema.ts"),
  ];
  // The module exports only what the statements in `exports` export.
  const validators = code.replaceAll(/\bexport const (v\d+|[A-Z]\w+) = /g, "const $1 = ");
  const { outputFiles } = await build({
    stdin: {
      contents: [...imports.filter(Boolean), validators, ...exports].join("\n"),
      resolveDir: import.meta.dirname,
      loader: "js",
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "silent",
  });
  return `/* eslint-disable */ // @ts-nocheck ${GENERATED_HEADER.slice(3)}${outputFiles[0]?.text}`;
}
