import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import ts from "typescript";
import { usual } from "../../../src/contract/engine/route.js";
import type { Description } from "../description.js";
import { createAjv } from "./ajv.js";

/**
 * The validators of a description as one self-contained module: no library, no `eval`, no `require`. It exports
 * `validators`, by pointer of the schema, and `responseValidators`, by operationId and status.
 * @param isSmall checks required fields in loops, which take a tenth less code and twice the time
 */
export async function validatorsModule(
  { document, unions, validated, operations }: Description,
  header: string,
  isSmall = false,
): Promise<string> {
  const { ajv, nameOf } = createAjv(document, unions, isSmall ? { loopRequired: 1 } : {});
  const names = new Map(validated.map((pointer) => [pointer, nameOf(pointer)]));
  const exported = Object.fromEntries([...names.values()].map((name) => [name, name]));
  const code = standalone.default(ajv, exported).replaceAll("export const ", "const ");
  const byStatus = operations.map(({ id, described }) => {
    const cells = described.responses.flatMap(({ status, media }) => {
      const schema = usual(media)?.schema;
      return schema === undefined ? [] : [`${JSON.stringify(status)}: ${names.get(schema)}_`];
    });
    return `${JSON.stringify(id)}: { ${cells.join(", ")} }`;
  });
  return bundled(
    [
      HELPERS,
      withoutSchemas(shortened(code)),
      ...Object.keys(exported).map(
        (name) => `const ${name}_ = (value) => (${name}(value) ? [] : ${name}.errors);`,
      ),
      `export const validators = { ${Array.from(names, ([pointer, name]) => `${JSON.stringify(pointer)}: ${name}_`).join(", ")} };`,
      `export const responseValidators = { ${byStatus.join(", ")} };`,
    ].join("\n"),
    header,
  );
}

/**
 * Ajv repeats the same few lines for every error, which would make up half of the module. Its `concat` in `joined` would
 * take quadratic time for long lists.
 */
const HELPERS = `
const isObject = (value) => value !== null && typeof value == "object" && !Array.isArray(value);
const joined = (errors, others) => {
  if (errors === null) return others;
  for (const each of others) errors.push(each);
  return errors;
};
const noted = (errors, instancePath, place, keyword, params) => {
  const schemaPath = (place[0] === "/" ? "" : "/components/schemas/") + place + "/" + keyword;
  const error = { instancePath, schemaPath, keyword, params };
  if (errors === null) return [error];
  errors.push(error);
  return errors;
};
const notedMember = (errors, path, name, place, keyword, value) =>
  noted(errors, path + "/" + name, place + "/properties/" + name, keyword, { [keyword]: value });`;
const NOTES =
  /const (err\d+) = \{instancePath(?::([^;]*?))?,schemaPath:"([^";]*)\/(\w+)",keyword:"\4",params:(\{(?:[^{};"]|"(?:[^"\\]|\\.)*")*\})\};\s*if\(vErrors === null\)\{\s*vErrors = \[\1\];\s*\}\s*else \{\s*vErrors\.push\(\1\);\s*\}/g;
/** Checks and string joins that ajv repeats inline. */
const INNER = /vErrors === null \? (\w+)\.errors : vErrors\.concat\(\1\.errors\)/g;
const INTEGER =
  /\(\(typeof (\w+) == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)/g;
const OBJECT = /(\w+) && typeof \1 == "object" && !Array\.isArray\(\1\)/g;
/** Validator arguments that no supported keyword reads. */
const UNUSED =
  /"use strict";|, parentData, parentDataProperty, rootData=data|,parentData[^{}]*?,rootData(?=\})/g;

/** Ajv's code, changed to use the helpers and to take only the value and the path as arguments. */
function shortened(code: string): string {
  return code
    .replaceAll(NOTES, note)
    .replaceAll(UNUSED, "")
    .replaceAll(INNER, "joined(vErrors, $1.errors)")
    .replaceAll(INTEGER, "Number.isInteger($1)")
    .replaceAll(OBJECT, "isObject($1)")
    .replaceAll('{instancePath=""}={}', 'instancePath=""')
    .replaceAll(/\{instancePath(?::([^{}]*))?\}/g, (_, path?: string) => path ?? "instancePath");
}

function note(_: string, __: string, path: string, at: string, keyword: string, params: string) {
  const place = at.replace("/components/schemas/", "");
  const [, base, name] = /^(.*)\/properties\/([^/]+)$/.exec(place) ?? [];
  const [, key, value] = /^\{(\w+): ?(.*)\}$/.exec(params) ?? [];
  const isMember = name !== undefined && path === `instancePath+"/${name}"` && key === keyword;
  return isMember
    ? `vErrors = notedMember(vErrors, instancePath, "${name}", "${base}", "${keyword}", ${value});`
    : `vErrors = noted(vErrors, ${path ?? "instancePath"}, "${place}", "${keyword}", ${params});`;
}

/** Ajv's code, with whole schemas reduced to the parts that it reads. */
function withoutSchemas(code: string): string {
  const source = ts.createSourceFile("code.js", code, ts.ScriptTarget.ES2022, true);
  const schemas = new Map<string, unknown>();
  const quoted = (node: ts.Node): unknown => {
    if (ts.isIdentifier(node)) return schemas.get(node.text);
    const isElement = ts.isElementAccessExpression(node);
    if (!isElement && !ts.isPropertyAccessExpression(node)) return undefined;
    const holder = quoted(node.expression) as Record<string, unknown> | undefined;
    const key = isElement ? node.argumentExpression : node.name;
    return holder?.[(key as ts.Identifier | ts.StringLiteral).text];
  };
  const transform = (context: ts.TransformationContext) => (file: ts.SourceFile) => {
    const visit = (node: ts.Node): ts.Node => {
      if (ts.isVariableDeclaration(node) && node.name.getText().startsWith("schema"))
        schemas.set(node.name.getText(), JSON.parse(node.initializer!.getText()));
      const value = ts.isIdentifier(node) ? undefined : quoted(node);
      if (value !== undefined) return ts.factory.createIdentifier(JSON.stringify(value));
      return ts.visitEachChild(node, visit, context);
    };
    return ts.visitNode(file, visit) as ts.SourceFile;
  };
  const [file] = ts.transform(source, [transform]).transformed;
  return ts.createPrinter().printFile(file!);
}

async function bundled(contents: string, header: string): Promise<string> {
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
