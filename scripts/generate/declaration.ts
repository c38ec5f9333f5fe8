import { astToString } from "openapi-typescript";
import ts from "typescript";

const { factory } = ts;

/**
 * Declares an interface for an object type or for an intersection of object types, so that editors show a name instead
 * of a list of fields. Declares a type alias for any other type.
 * @param types all types that the module declares, by name
 * @param extended the names of interfaces that the type also extends
 */
export function declaration(
  name: string,
  type: ts.TypeNode,
  types: ReadonlyMap<string, ts.TypeNode>,
  extended: readonly string[] = [],
): ts.Node {
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  if (!canBeInterface(type, types))
    return factory.createTypeAliasDeclaration(modifiers, name, undefined, type);
  const parts = partsOf(type);
  const named = parts
    .filter(ts.isTypeReferenceNode)
    .map(({ typeName }) => typeName as ts.Identifier);
  const bases = [...named, ...extended.map((each) => factory.createIdentifier(each))].map((each) =>
    factory.createExpressionWithTypeArguments(each, undefined),
  );
  const clause = factory.createHeritageClause(ts.SyntaxKind.ExtendsKeyword, bases);
  const members = parts.filter(ts.isTypeLiteralNode).flatMap((each) => [...each.members]);
  const heritage = bases.length > 0 ? [clause] : undefined;
  return factory.createInterfaceDeclaration(modifiers, name, undefined, heritage, members);
}

/**
 * Returns whether a type is an object type or an intersection, of which an interface can extend all types that have
 * names: common properties are the same in all of them, or the interface's own is as narrow.
 */
function canBeInterface(type: ts.TypeNode, types: ReadonlyMap<string, ts.TypeNode>): boolean {
  // A reference alone stays an alias.
  if (ts.isTypeReferenceNode(type)) return false;
  const literals = partsOf(type).filter(ts.isTypeLiteralNode);
  const names = literals.flatMap(({ members }) => members.map(keyOf));
  const own = new Set(names);
  if (own.size < names.length) return false;
  if (literals.length === partsOf(type).length) return true;
  const all = membersOf(type, types);
  if (all === undefined) return false;
  const inherited = partsOf(type).flatMap((part) => [...membersOf(part, types)!]);
  return inherited.every(([key, member]) => {
    const first = all.get(key)!;
    return isAssignable(first, member) && (own.has(key) || isAssignable(member, first));
  });
}

/** Returns whether a property is required where another one is, and has no type in its union that the other lacks. */
function isAssignable(narrow: ts.TypeElement, wide: ts.TypeElement): boolean {
  const allowed = new Set(unionOf(wide));
  const isRequired = (member: ts.TypeElement) => !member.questionToken;
  return (
    (isRequired(narrow) || !isRequired(wide)) && unionOf(narrow).every((each) => allowed.has(each))
  );
}

/** Lists the types in a property's union, as text. */
function unionOf(member: ts.TypeElement): string[] {
  const type = ts.isPropertySignature(member) ? member.type : undefined;
  const types = type && ts.isUnionTypeNode(type) ? [...type.types] : (type ?? []);
  return [types].flat().map((each) => astToString(each));
}

/**
 * Returns the properties of an object type or an intersection, by name. Of properties with the same name, it returns
 * the first, which comes from the type itself if the type declares it. Returns undefined for any other type.
 */
function membersOf(
  type: ts.TypeNode,
  types: ReadonlyMap<string, ts.TypeNode>,
): Map<string, ts.TypeElement> | undefined {
  const members = new Map<string, ts.TypeElement>();
  for (const part of partsOf(type)) {
    const base = ts.isTypeReferenceNode(part) ? types.get(nameOf(part.typeName)) : undefined;
    const found = ts.isTypeLiteralNode(part)
      ? new Map(part.members.map((each) => [keyOf(each), each]))
      : base && membersOf(base, types);
    if (found === undefined || found.has("[string]")) return undefined;
    for (const [key, each] of found) if (!members.has(key)) members.set(key, each);
  }
  return members;
}

/** Returns a property's name, or the names that an index signature allows, in brackets. */
function keyOf(member: ts.TypeElement): string {
  if (!ts.isIndexSignatureDeclaration(member)) return member.name ? nameOf(member.name) : "";
  return `[${member.parameters.map(({ type }) => (type ? astToString(type).trim() : "")).join()}]`;
}

function partsOf(type: ts.TypeNode): readonly ts.TypeNode[] {
  return ts.isIntersectionTypeNode(type) ? type.types : [type];
}

function nameOf(node: ts.Node): string {
  return ts.isIdentifier(node) || ts.isStringLiteral(node) ? node.text : "";
}
