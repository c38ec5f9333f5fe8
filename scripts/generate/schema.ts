import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import type { Description } from "./description.js";
import { header } from "./readme.js";

/** The types of the description, by openapi-typescript. */
export async function schemaModule({ document }: Description): Promise<string> {
  const nodes = await openapiTS(document as unknown as OpenAPI3, {
    defaultNonNullable: false,
    silent: true,
  });
  return header + astToString(nodes.map(freeFormQuery));
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
