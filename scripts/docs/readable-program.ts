import { join } from "node:path";
import ts from "typescript";

/**
 * The program of the package, with `src/generated/models.ts` written out: each name stands for its fields, and fields
 * refer to other names, where the file itself says `components["schemas"]["Genre"]`, which nobody can read.
 * @param files the entry points, relative to the project
 * @throws {Error} it does not compile
 */
export function createReadableProgram(project: string, files: readonly string[]): ts.Program {
  const { config } = ts.readConfigFile(join(project, "tsconfig.build.json"), ts.sys.readFile) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, project);
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  const generated = (name: string) => join(project, "src/generated", name);
  const schema = readFile(generated("schema.ts")) ?? "";
  const models = readFile(generated("models.ts")) ?? "";
  const written: Record<string, string> = {
    [generated("schema.ts")]: outlined(schema),
    [generated("models.ts")]: writtenOut(models, schema),
  };
  host.readFile = (file) => written[file] ?? readFile(file);
  const roots = files.map((file) => join(project, file));
  const program = ts.createProgram(roots, { ...options, noEmit: true }, host);
  const problems = ts.getPreEmitDiagnostics(program);
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, host));
  return program;
}

/** The interfaces of the description without their members: the models and the methods show them by name. */
function outlined(schema: string): string {
  return schema.replaceAll(/^(export interface \w+ \{)[^]*?^\}/gm, "$1}");
}

/** Each model with its fields; TypeDoc shows what is marked `@interface` as one. */
function writtenOut(models: string, schema: string): string {
  const types = new Map(modelTypes(schema).map((type) => [nameOf(type.parent), type]));
  return models.replaceAll(
    /( \*\/)?(\nexport type (\w+) = )components\["schemas"\]\["\w+"\]/g,
    (_, end: string | undefined, start: string, name: string) => {
      const type = types.get(name);
      if (!type) throw new Error(`src/generated/schema.ts has no ${name}; run npm run generate`);
      const hasFields = ts.isTypeLiteralNode(type) || ts.isIntersectionTypeNode(type);
      return `${end ? `${hasFields ? " @interface" : ""}${end}` : ""}${start}${textOf(type)}`;
    },
  );
}

/** The types under `components.schemas`. */
function modelTypes(schema: string): ts.TypeNode[] {
  const file = ts.createSourceFile("schema.ts", schema, ts.ScriptTarget.Latest, true);
  const components = file.statements
    .filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === "components");
  const schemas = typesIn(components).find(({ parent }) => nameOf(parent) === "schemas");
  return typesIn(schemas);
}

function typesIn(node: ts.Node | undefined): ts.TypeNode[] {
  if (!node || !(ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))) return [];
  return node.members.filter(ts.isPropertySignature).flatMap(({ type }) => type ?? []);
}

function nameOf(node: ts.Node): string {
  return ts.isPropertySignature(node) ? node.name.getText() : "";
}

/** A type with names in place of places, and comments in plain words. */
function textOf(type: ts.TypeNode): string {
  return type
    .getText()
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, "$1")
    .replaceAll(/^ *\* (Format: \w+|@enum .*|@constant.*)\n/gm, "")
    .replaceAll("@description ", "");
}
