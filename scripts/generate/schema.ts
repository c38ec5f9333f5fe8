import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import type { Description } from "./description.js";
import { jsdoc } from "./models.js";
import { header } from "./readme.js";

/** The types of the description, by openapi-typescript. */
export async function schemaModule({ document }: Description): Promise<string> {
  const nodes = await openapiTS(document as unknown as OpenAPI3, {
    defaultNonNullable: false,
    silent: true,
  });
  const types = astToString(nodes.map(freeFormQuery));
  return header + types.replaceAll(/^export interface (\w+)/gm, documented);
}

/** What openapi-typescript leaves without documentation. */
const DOCS: Readonly<Record<string, string>> = {
  paths: "The path items of the description, by path template, as openapi-fetch takes them.",
  components: "The components of the description; each schema has a name of its own, too.",
  operations: "The operations of the description, by operationId.",
};

function documented(line: string, name: string): string {
  const text = DOCS[name];
  return text === undefined ? line : `${jsdoc(text)}${line}`;
}

/** A free-form query parameter is generated as `query: { query: … }`, but its values stand in the query itself. */
function freeFormQuery(node: ts.Node): ts.Node {
  const visit = (each: ts.Node): ts.Node => {
    if (
      ts.isPropertySignature(each) &&
      nameOf(each) === "query" &&
      each.type &&
      ts.isTypeLiteralNode(each.type) &&
      each.type.members.length === 1
    ) {
      const member = each.type.members[0]!;
      if (ts.isPropertySignature(member) && nameOf(member) === "query") {
        return ts.factory.updatePropertySignature(
          each,
          each.modifiers,
          each.name,
          each.questionToken,
          member.type,
        );
      }
    }
    return ts.visitEachChild(each, visit, undefined);
  };
  return visit(node);
}

function nameOf(node: ts.PropertySignature): string | undefined {
  return ts.isIdentifier(node.name) ? node.name.text : undefined;
}
