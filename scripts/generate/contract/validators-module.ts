import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import ts from "typescript";
import { usual } from "../../../src/contract/engine/route.js";
import type { Json } from "../../../src/contract/engine/types.js";
import { createAjv } from "./ajv.js";
import { analyze } from "./compile.js";

/** The validators of the gate, by pointer of the schema; each error says where it stands in the description. */
export async function validatorsModule(document: Json, header: string): Promise<string> {
  const { unions, validated } = analyze(document);
  const { ajv, nameOf } = createAjv(document, unions);
  const rows = validated.map((pointer) => [pointer, nameOf(pointer)] as const);
  const code = codeOf(ajv, Object.values(Object.fromEntries(rows)));
  const table = rows.map(([pointer, name]) => `${JSON.stringify(pointer)}: checked(${name})`);
  return bundled(`${code}\nexport const validators = { ${table.join(",")} };`, header);
}

/** The validators of responses, by operationId and status, for apps: small, so without places in the description. */
export async function responseValidatorsModule(document: Json, header: string): Promise<string> {
  const { unions, operations } = analyze(document);
  const { ajv, nameOf } = createAjv(document, unions, { loopRequired: 1 });
  const used = new Set<string>();
  const rows = operations.map(({ id, responses }) => {
    const cells = responses.flatMap(({ status, media }) => {
      const schema = usual(media)?.schema;
      if (schema === undefined) return [];
      used.add(nameOf(schema));
      return `${JSON.stringify(status)}: checked(${nameOf(schema)})`;
    });
    return `${JSON.stringify(id)}: { ${cells.join(", ")} }`;
  });
  const code = withoutPlaces(codeOf(ajv, [...used]));
  return bundled(`${code}\nexport const responseValidators = { ${rows.join(",")} };`, header);
}

function codeOf(ajv: ReturnType<typeof createAjv>["ajv"], names: readonly string[]): string {
  const exported = Object.fromEntries(names.map((name) => [name, name]));
  const code = standalone.default(ajv, exported).replaceAll("export const ", "const ");
  return `${code}\nconst checked = (validate) => (value) => (validate(value) ? [] : validate.errors);`;
}

/** Code of ajv without `schemaPath`, and with the parts of schemas that it quotes in place of the whole schemas. */
function withoutPlaces(code: string): string {
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
    const visit = (node: ts.Node): ts.Node | undefined => {
      if (ts.isVariableDeclaration(node) && node.name.getText().startsWith("schema"))
        schemas.set(node.name.getText(), JSON.parse(node.initializer!.getText()));
      if (ts.isPropertyAssignment(node) && node.name.getText() === "schemaPath") return undefined;
      const value = ts.isIdentifier(node) ? undefined : quoted(node);
      if (value !== undefined) return ts.factory.createIdentifier(JSON.stringify(value));
      return ts.visitEachChild(node, visit, context);
    };
    return ts.visitNode(file, visit) as ts.SourceFile;
  };
  const [file] = ts.transform(source, [transform]).transformed;
  return ts.createPrinter().printFile(file!);
}

/** One module that needs nothing: no library, no `eval`, no `require`. */
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
