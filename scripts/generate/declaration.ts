import ts from "typescript";

const { factory } = ts;

/**
 * Declares an interface for an object type or for an intersection of object types, so that editors show a name instead
 * of a list of fields. Declares a type alias for any other type.
 * @param types all types that the module declares, by name
 * @param appended the type of the names of appended parts, which become the type parameter `Name`
 */
export function declaration(
  name: string,
  type: ts.TypeNode,
  types: ReadonlyMap<string, ts.TypeNode>,
  appended?: string,
): ts.Node {
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const names = namesOf(type, types);
  if (names === undefined || new Set(names).size < names.length)
    return factory.createTypeAliasDeclaration(modifiers, name, undefined, type);
  const parts = partsOf(type);
  const bases = parts.filter(ts.isTypeReferenceNode).map(({ typeName }) => {
    return factory.createExpressionWithTypeArguments(typeName as ts.Identifier, undefined);
  });
  const clause = factory.createHeritageClause(ts.SyntaxKind.ExtendsKeyword, bases);
  const members = parts.filter(ts.isTypeLiteralNode).flatMap((each) => [...each.members]);
  const heritage = bases.length > 0 ? [clause] : undefined;
  const allowed = appended === undefined ? undefined : factory.createTypeReferenceNode(appended);
  const generic =
    allowed && factory.createTypeParameterDeclaration(undefined, "Name", allowed, allowed);
  return factory.createInterfaceDeclaration(
    modifiers,
    name,
    generic && [generic],
    heritage,
    members,
  );
}

/** Lists the property names of an object type or an intersection. Returns undefined for any other type. */
function namesOf(type: ts.TypeNode, types: ReadonlyMap<string, ts.TypeNode>): string[] | undefined {
  const names: string[] = [];
  for (const part of partsOf(type)) {
    const base = ts.isTypeReferenceNode(part) ? types.get(nameOf(part.typeName)) : undefined;
    const own = ts.isTypeLiteralNode(part)
      ? part.members.map((member) => (member.name ? nameOf(member.name) : ""))
      : base && namesOf(base, types);
    if (own === undefined) return undefined;
    names.push(...own);
  }
  // A reference alone stays an alias.
  return ts.isTypeReferenceNode(type) ? undefined : names;
}

function partsOf(type: ts.TypeNode): readonly ts.TypeNode[] {
  return ts.isIntersectionTypeNode(type) ? type.types : [type];
}

function nameOf(node: ts.Node): string {
  return ts.isIdentifier(node) || ts.isStringLiteral(node) ? node.text : "";
}
