import type { Json } from "../../src/openapi/description.js";
import { lastKey, parentPointer } from "../../src/openapi/pointer.js";
import { combined, hasType, schemaAt, type Schema } from "../../src/openapi/schema.js";
import { itemSchemas, memberSchemas } from "../../src/openapi/schema-sets.js";
import { overlap, typesIn } from "../../src/openapi/unions.js";
import { ABOUT_OBJECTS, listInPlace, schemasAround } from "./schema-pointers.js";

/** Lists the schemas whose type TypeScript and a validator would understand differently, each with a fix. */
export function findAmbiguousTypes(document: Json, pointer: string) {
  const disjoint = findDisjoint(document, pointer);
  const excluded = disjoint.length > 0 ? [] : findExcluded(document, pointer);
  return [...findUntyped(document, pointer), ...excluded, ...disjoint];
}

/**
 * Lists values in `enum` and `const` that `type` excludes, and a type `null` that `enum` excludes. Every validator would
 * reject them, which is rarely intended.
 */
export function findContradictions(pointer: string, schema: Schema) {
  const { type, enum: values = [] } = schema;
  if (type === undefined) return [];
  const places = values.map((value, index) => ({ pointer: `${pointer}/enum/${index}`, value }));
  if (schema.const !== undefined) places.push({ pointer: `${pointer}/const`, value: schema.const });
  const problems = places
    .filter(({ value }) => !hasType(value, schema))
    .map(({ pointer: place, value }) => ({
      pointer: place,
      text: `type does not allow ${JSON.stringify(value)}; remove the value, or add its type`,
    }));
  if (values.length === 0 || !hasType(null, schema) || values.includes(null)) return problems;
  const text = 'enum lacks null, which type allows; add null, or remove "null" from type';
  return [...problems, { pointer: `${pointer}/enum`, text }];
}

/** Lists keywords without `type`, if the type of their schema would depend on the schemas around. */
function findUntyped(document: Json, pointer: string) {
  const around = schemasAround(pointer).flatMap((each) => combined(document, each));
  const types = [...new Set(typesIn(document, around))];
  const list = types.map((each) => (each === "null" ? '"null"' : each)).join(", ");
  const fix = types.length === 1 ? `\`type: ${list}\`` : `\`type: [${list}]\``;
  const report = (place: string, type: string, restricted: string) => ({
    pointer: place,
    text: `${lastKey(place)} restricts only ${restricted}, but ${
      types.includes(type)
        ? `this schema allows other types, too; add ${fix}`
        : `the value is never an ${type}; remove it`
    }`,
  });
  return combined(document, pointer).flatMap(({ pointer: place, schema }) => {
    if (schema.type !== undefined || types.length === 0) return [];
    const keyword = ABOUT_OBJECTS.find((each) => each in schema);
    return [
      ...(keyword !== undefined && types.some((each) => each !== "object")
        ? [report(`${place}/${keyword}`, "object", "objects")]
        : []),
      ...("items" in schema ? [report(`${place}/items`, "array", "arrays")] : []),
    ];
  });
}

/**
 * Lists the schemas that allow other types than the `type` beside them, if one of both allows objects. TypeScript would
 * accept these types, too: an object type without required properties accepts scalars, and the generated types have no
 * part for an object without properties of its own, which would exclude null.
 */
function findExcluded(document: Json, pointer: string) {
  const schema = schemaAt(document, pointer);
  const types = [schema.type ?? []].flat();
  const hasParts = ["patternProperties", "properties", "required"].some(
    (each) => Object.keys(schema[each] ?? {}).length > 0,
  );
  const others = types.includes("object") ? (hasParts ? /^(?!null)/ : /./) : /^object$/;
  if (types.length === 0) return [];
  return listInPlace(document, pointer).flatMap((place) => {
    const excluded = typesIn(document, combined(document, place)).find(
      (each) => others.test(each) && !types.some((type) => overlap(type, each)),
    );
    return excluded === undefined
      ? []
      : {
          pointer: place,
          text: `this schema allows ${excluded}, but the type next to ${lastKey(parentPointer(place))} does not; add ${excluded} to that type, or remove it here`,
        };
  });
}

/**
 * Reports schemas in `allOf` that exclude each other's types: for the whole value, for a property, or for the items.
 * TypeScript would accept text for the type of text that is also an object, unless the object requires a property.
 */
function findDisjoint(document: Json, pointer: string) {
  const seen = new Set<string>();
  const find = (pointers: readonly string[], text: string): string | undefined => {
    const key = pointers.toSorted().join("\n");
    if (seen.has(key)) return undefined;
    seen.add(key);
    const all = pointers.flatMap((each) => combined(document, each));
    const parts = [...new Map(all.map((each) => [each.pointer, each])).values()];
    if (parts.length === 1) return undefined;
    const isTyped = parts.some((each) => typesIn(document, [each]).length > 0);
    if (isTyped && typesIn(document, parts).length === 0)
      return `${text}the schemas in allOf have no type in common; correct their types`;
    const names = new Set(parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})));
    const members = [...names].map((name) => ({
      inner: memberSchemas(parts, name),
      what: `no value of ${name} can match: `,
    }));
    members.push({ inner: itemSchemas(parts), what: "no item can match: " });
    for (const { inner, what } of members) {
      // A schema alone is checked by itself.
      const found = inner.length > 1 ? find(inner, text + what) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const { $ref, allOf } = schemaAt(document, pointer);
  // The target of a reference is checked by itself.
  const text = $ref === undefined ? find([pointer], "") : undefined;
  return text === undefined ? [] : [{ pointer: allOf ? `${pointer}/allOf` : pointer, text }];
}
