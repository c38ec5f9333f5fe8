import standalone from "ajv/dist/standalone/index.js";
import type { Ajv2020, Options } from "ajv/dist/2020.js";
import { build } from "esbuild";
import { defaultMediaType } from "../../../src/openapi/route.js";
import type { CheckedDescription } from "../description.js";
import { createAjv } from "./ajv.js";

/**
 * The validators of a description as one self-contained module: no library, no `eval`, no `require`. It exports
 * `validators`, by pointer of the schema, and `responseValidators`, by operationId and status.
 */
export async function validatorsModule(
  { document, unions, validated, operations }: CheckedDescription,
  header: string,
  options: Options = {},
): Promise<string> {
  const { ajv, nameOf } = createAjv(document, unions, options);
  const names = new Map(validated.map((pointer) => [pointer, nameOf(pointer)]));
  const byStatus = operations.map(({ id, operation }) => {
    const members = operation.responses.flatMap(({ status, content }) => {
      const schema = defaultMediaType(content)?.schema;
      return schema === undefined ? [] : [`${JSON.stringify(status)}: ${names.get(schema)}_`];
    });
    return `${JSON.stringify(id)}: { ${members.join(", ")} }`;
  });
  const members = Array.from(names, ([pointer, name]) => `${JSON.stringify(pointer)}: ${name}_`);
  const exports = [
    ...Array.from(names.values(), (name) => `const ${name}_ = list(${name});`),
    `export const validators = { ${members.join(", ")} };`,
    `export const responseValidators = { ${byStatus.join(", ")} };`,
  ];
  return bundleValidators(ajv, [...names.values()], exports, header);
}

/**
 * Ajv's code as a module, minified by esbuild.
 * @param names of the schemas, and of their validators in the exports
 * @param exports statements; `list` turns a validator into a function that returns its errors
 */
export async function bundleValidators(
  ajv: Ajv2020,
  names: readonly string[],
  exports: readonly string[],
  header: string,
): Promise<string> {
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  const contents = [
    `import { ${names.join(", ")} } from "data:text/javascript;base64,${btoa(code)}";`,
    "const list = (validate) => (value) => (validate(value) ? [] : validate.errors);",
    ...exports,
  ].join("\n");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: "js" },
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
  return `/* eslint-disable */ // @ts-nocheck ${header.slice(3)}${outputFiles[0]?.text}`;
}
