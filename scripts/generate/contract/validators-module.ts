import type AjvCore from "ajv/dist/core.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { defaultMediaType, isJson } from "../../../src/openapi/route.js";
import type { CheckedDescription } from "../description.js";
import { createAjv } from "./ajv.js";
import { isChecked } from "./compile.js";

const RUNTIME = fileURLToPath(new URL("../../../src/openapi/closest-branch.ts", import.meta.url));

/**
 * The validators of a description as one self-contained module: no library, no `eval`, no `require`. It exports
 * `validators`, by pointer of the schema, `requestValidators` for the sandbox, by operationId, and `responseValidators`, by operationId
 * and status.
 */
export async function validatorsModule(
  { document, validated, operations }: CheckedDescription,
  header: string,
  { hasRequests = false, ...options }: AjvCore.Options & { hasRequests?: boolean } = {},
): Promise<string> {
  const { ajv, nameOf } = createAjv(document, validated, options);
  const constants = new Map(validated.map((pointer, index) => [pointer, `c${index}`]));
  const byStatus = operations.map(({ id, operation }) => {
    const members = operation.responses.flatMap(({ status, content }) => {
      const schema = defaultMediaType(content)?.schema;
      return schema === undefined ? [] : [`${JSON.stringify(status)}: ${constants.get(schema)}`];
    });
    return `${JSON.stringify(id)}: { ${members.join(", ")} }`;
  });
  const byRequest = operations.map(({ id, operation }) => {
    const { parameters, requestContent, isBodyRequired = false } = operation;
    const body = requestContent.find(isJson)?.schema;
    const checked = parameters.filter((each) => each.schema && isChecked(document, each));
    const rows = checked.map(({ name, in: location, required = false, schema = "" }) => {
      const data = JSON.stringify({ name, in: location, required });
      return `{ ...${data}, validator: ${constants.get(schema)} }`;
    });
    const own =
      body === undefined ? "" : `body: ${constants.get(body)}, isBodyRequired: ${isBodyRequired}, `;
    return `${JSON.stringify(id)}: { ${own}parameters: [${rows.join(", ")}] }`;
  });
  const quoted = Array.from(constants, ([pointer, name]) => [JSON.stringify(pointer), name]);
  const exports = [
    `import { completeErrors } from ${JSON.stringify(RUNTIME)};`,
    "const list = (validate, pointer) => (value) => (validate(value) ? [] : completeErrors(validate.errors, 0, pointer));",
    ...Array.from(
      constants,
      ([pointer, name]) =>
        `const ${name} = /* @__PURE__ */ list(${nameOf(pointer)}, ${JSON.stringify(pointer)});`,
    ),
    `export const validators = { ${quoted.map((pair) => pair.join(": ")).join(", ")} };`,
    hasRequests ? `export const requestValidators = { ${byRequest.join(", ")} };` : "",
    `export const responseValidators = { ${byStatus.join(", ")} };`,
  ];
  return bundleValidators(ajv, [...new Set(validated.map(nameOf))], exports, header);
}

/**
 * Ajv's code as a module, minified by esbuild.
 * @param names of the schemas, and of their validators in the exports
 * @param exports statements that use the validators
 */
export async function bundleValidators(
  ajv: AjvCore.default,
  names: readonly string[],
  exports: readonly string[],
  header: string,
): Promise<string> {
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  const imports = [
    code.includes("fullFormats") && 'import { fullFormats } from "ajv-formats/dist/formats.js";',
    code.includes("keepClosest") && `import { keepClosest } from ${JSON.stringify(RUNTIME)};`,
  ];
  // Only the exports of this file are exported.
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
  return `/* eslint-disable */ // @ts-nocheck ${header.slice(3)}${outputFiles[0]?.text}`;
}
