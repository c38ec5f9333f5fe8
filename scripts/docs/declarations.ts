import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

/** An export of the package. */
export interface Declaration {
  name: string;
  /** The first sentence of the doc comment. */
  summary: string;
  /** The declaration with its doc comment, as in a declaration file. */
  code: string;
}

/** The source file of each module of the package, without `src/` and `.ts`. */
const MODULES: Readonly<Record<string, string>> = {
  "media-catalogue": "index",
  "media-catalogue/full": "full/index",
  "media-catalogue/validate": "contract/validate-response",
  "media-catalogue/full/validate": "full/validate",
  "media-catalogue/sandbox": "sandbox/index",
  "media-catalogue/contract": "contract/index",
};

/**
 * Reads the handwritten exports of each module. A declaration that two modules export is listed only under the first
 * module.
 * @throws {Error} if an export has no doc comment
 */
export function readDeclarations(project: string): Map<string, Declaration[]> {
  const source = join(project, "src");
  const files = Object.values(MODULES).map((name) => join(source, `${name}.ts`));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const seen = new Set<ts.Node>();
  const problems: string[] = [];
  const modules = Object.keys(MODULES).map((module, index): [string, Declaration[]] => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(files[index]!)!)!;
    const declarations = checker.getExportsOfModule(symbol).flatMap((each) => {
      const target = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each;
      const nodes = (target.declarations ?? []).map(statementOf).filter((node) => {
        const file = relative(source, node.getSourceFile().fileName);
        return !/^\.\.|^generated/.test(file) && !seen.has(node);
      });
      const [first] = nodes;
      if (!first) return [];
      for (const node of nodes) seen.add(node);
      const declaration = declarationOf(each.name, nodes);
      if (!declaration.summary) problems.push(`${locationOf(project, first)}: ${each.name}`);
      return [declaration];
    });
    return [module, declarations];
  });
  if (problems.length > 0)
    throw new Error(`these exports have no doc comment; add one to each:\n${problems.join("\n")}`);
  return new Map(modules);
}

/** Returns the node to which the doc comment belongs. For a constant, returns the whole statement. */
function statementOf(node: ts.Node): ts.Node {
  return ts.isVariableDeclaration(node) ? node.parent.parent : node;
}

function locationOf(project: string, node: ts.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${relative(project, file.fileName)}:${line + 1}`;
}

function declarationOf(name: string, nodes: readonly ts.Node[]): Declaration {
  const comment = nodes.flatMap((node) => ts.getJSDocCommentsAndTags(node)).find(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? "";
  const [summary = ""] = text.replaceAll(/\{@link (\w+)\}/g, "`$1`").split(/\n\n|(?<=\.)\s/);
  return { name, summary, code: nodes.map(documentedCodeOf).join("\n\n") };
}

/** Returns the types and classes in a file with their doc comments, by name. */
export function declarationsIn(file: string): Map<string, string> {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const named = source.statements.filter(
    (each) =>
      ts.isInterfaceDeclaration(each) ||
      ts.isTypeAliasDeclaration(each) ||
      ts.isClassDeclaration(each),
  );
  return new Map(named.map((each) => [each.name!.text, documentedCodeOf(each)]));
}

function documentedCodeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return source.text.slice(node.getStart(source, true), node.getStart(source)) + codeOf(node);
}

/** Returns the code of a declaration, without a function's body or a class's constructor and methods. */
function codeOf(node: ts.Node): string {
  const text = node.getText();
  if (ts.isFunctionDeclaration(node) && node.body)
    return `${text.slice(0, node.body.pos - node.getStart())};`.replace(
      /^export (async )?/,
      "export declare ",
    );
  if (!ts.isClassDeclaration(node)) return text;
  const hidden = node.members.filter((member) => !ts.isPropertyDeclaration(member));
  return hidden
    .reduce((rest, member) => rest.replace(member.getFullText(), ""), text)
    .replace(/^export class/, "export declare class");
}
