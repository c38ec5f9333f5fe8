import { jsdoc } from "./text.js";
import {
  ANY_NAME,
  findMap,
  partsOf,
  propertyText,
  unionOf,
  type Property,
  type TypeContext,
  type TypeParts,
} from "./type-text.js";

/**
 * Declares the type of a named schema, with a doc comment. Declares an interface if possible, because editors show the
 * name of an interface instead of its properties.
 */
export function declarationText(context: TypeContext, pointer: string, text: string): string {
  const name = context.names.get(pointer)!;
  const parts = partsOf(context, pointer);
  const { references, properties, signatures } = parts;
  const isObjectType = properties.length + signatures.length > 0 || references.length > 1;
  if (!isObjectType || !canExtend(context, parts))
    return `${jsdoc(text)}export type ${name} = ${unionOf(context, parts).join(" | ")};\n`;
  const bases = references.map((each) => context.names.get(each)!);
  return jsdoc(text) + interfaceText(name, bases, [...properties.map(propertyText), ...signatures]);
}

/** Declares an interface. */
export function interfaceText(name: string, bases: readonly string[], members: readonly string[]) {
  const heritage = bases.length > 0 ? ` extends ${bases.join(", ")}` : "";
  return `export interface ${name}${heritage} {\n${members.join("\n")}\n}\n`;
}

/**
 * Returns whether an interface can extend the referenced types: object types whose common properties have the same type.
 * The interface itself can restrict these properties, but not the values of a pattern. The type of a map's values would
 * apply to all properties.
 */
function canExtend(context: TypeContext, parts: TypeParts): boolean {
  const { references, properties, others } = parts;
  const inherited = inheritedFrom(context, references);
  if (others.length > 0 || inherited === undefined) return false;
  if (references.length > 0 && findMap(parts.signatures) !== undefined) return false;
  const hasPatterns = ({ signatures }: TypeParts) => signatures.some((each) => each !== ANY_NAME);
  if (hasPatterns(parts) && references.some((each) => hasPatterns(partsOf(context, each))))
    return false;
  const own = new Map(properties.map((each) => [each.name, each]));
  const first = new Map(inherited.toReversed().map((each) => [each.name, each]));
  return inherited.every((each) => {
    const narrow = own.get(each.name);
    const other = narrow ?? first.get(each.name)!;
    return isAssignable(other, each) && (narrow !== undefined || isAssignable(each, other));
  });
}

function isAssignable(narrow: Property, wide: Property): boolean {
  const isRequired = !narrow.isOptional || wide.isOptional;
  return isRequired && narrow.types.every((type) => wide.types.includes(type));
}

/**
 * Lists the properties of object types, with inherited ones. Returns undefined if a map or another type is among the
 * types.
 */
function inheritedFrom(
  context: TypeContext,
  pointers: readonly string[],
): readonly Property[] | undefined {
  const all = pointers.map((pointer) => {
    const parts = partsOf(context, pointer);
    const { references, properties, signatures, others } = parts;
    const isUnknown = references.length + properties.length + signatures.length === 0;
    const isObjectType = others.length === 0 && !isUnknown && findMap(signatures) === undefined;
    const inherited = isObjectType ? inheritedFrom(context, references) : undefined;
    if (inherited === undefined) return undefined;
    // A property is required if one of the types requires it.
    const own = properties.map((each) => {
      const bases = inherited.filter(({ name }) => name === each.name);
      return { ...each, isOptional: [each, ...bases].every(({ isOptional }) => isOptional) };
    });
    const names = new Set(own.map(({ name }) => name));
    return [...own, ...inherited.filter(({ name }) => !names.has(name))];
  });
  return all.includes(undefined) ? undefined : all.flatMap((each) => each!);
}
