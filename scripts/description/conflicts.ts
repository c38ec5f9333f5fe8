import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json } from "../../src/openapi/description.js";
import { kindOfKeyword } from "../../src/openapi/keywords.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import {
  combined,
  hasType,
  isEqual,
  jsonType,
  listUnions,
  schemaAt,
  type ApplicableSchema,
  type Schema,
} from "../../src/openapi/schema.js";
import { itemSchemas, memberSchemas } from "../../src/openapi/schema-sets.js";
import { constantsIn, excludes, overlap, typesIn } from "../../src/openapi/unions.js";

/** Schemas that apply to the same value, such as a schema and the schemas that it combines with `allOf`. */
type Parts = readonly ApplicableSchema[];

/** Why no value matches all parts, and the keyword to correct. */
interface Conflict {
  keyword: string;
  text: string;
}

/** What to compare. */
interface Scope {
  /** Whether the parts contain a branch of a union. A branch can exclude an optional property. */
  isBranch: boolean;
  /** The results for the properties and items that were compared before, by `isBranch` and pointers. */
  compared: Map<string, Conflict | undefined>;
}

/** Reports schemas that no value can match together, or that no value of a property can match together. */
export function findConflicts(document: Json, pointer: string) {
  const schema = schemaAt(document, pointer);
  // The target of a reference is checked by itself.
  if (schema.$ref !== undefined) return [];
  const parts = combined(document, pointer);
  const scope: Scope = { isBranch: false, compared: new Map() };
  const conflict = findConflict(document, parts, parts, scope);
  if (conflict === undefined) return [];
  const place = schema.allOf ? "allOf" : conflict.keyword;
  return [{ pointer: `${pointer}/${place}`, text: conflict.text }];
}

/** @param added the parts whose unions have not been compared with the other parts */
function findConflict(
  document: Json,
  parts: Parts,
  added: Parts,
  scope: Scope,
): Conflict | undefined {
  const schemas = parts.map(({ schema }) => schema);
  return (
    conflictOfValues(schemas) ??
    conflictOfLimits(schemas) ??
    conflictOfRequired(document, parts) ??
    conflictOfMembers(document, parts, scope) ??
    conflictOfUnions(document, parts, added, scope)
  );
}

function conflictOfValues(schemas: readonly Schema[]): Conflict | undefined {
  const values = schemas.map(constantsIn).filter(({ length }) => length > 0);
  const types = schemas.flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
  const keyword = schemas[0]?.const === undefined ? "enum" : "const";
  const conflict = (text: string) => ({ keyword, text });
  if (!hasCommon([...types, ...values.map((list) => list.map(jsonType))], overlap))
    return conflict("the schemas in allOf have no type in common; correct their types");
  if (!hasCommon(values, isEqual))
    return conflict("the schemas in allOf have no value in common; correct enum or const");
  // A constant must have each of the types, of which `integer` excludes some numbers.
  const typed = values.map((list) =>
    list.filter((value) => types.every((type) => hasType(value, { type }))),
  );
  const fix = "correct one of them";
  if (!hasCommon(typed, isEqual))
    return conflict(
      `the types in allOf exclude the values that enum and const have in common; ${fix}`,
    );
  const allowed = typed.map((list) => list.filter((value) => isWithinLimits(value, schemas)));
  return hasCommon(allowed, isEqual)
    ? undefined
    : conflict(`other keywords exclude the values of enum and const; ${fix}`);
}

/** Returns whether the lists have an item in common. */
function hasCommon<T>(
  [first, ...others]: readonly (readonly T[])[],
  isSame: (a: T, b: T) => boolean,
) {
  return (
    first?.some((each) => others.every((list) => list.some((other) => isSame(each, other)))) ?? true
  );
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, multipleOfPrecision: 7 });

/** Returns whether a constant matches the other keywords that do not contain schemas. */
function isWithinLimits(value: Json, schemas: readonly Schema[]): boolean {
  return schemas.every((schema) => {
    const limits = Object.entries(schema).filter(
      ([keyword]) =>
        kindOfKeyword(keyword) === "value" && !/^(\$ref|type|const|enum)$/.test(keyword),
    );
    return limits.length === 0 || ajv.validate(Object.fromEntries(limits), value);
  });
}

/** Keywords for limits. With `isOpen`, a value cannot equal both limits. */
const LIMITS = [
  { low: "minimum", high: "maximum" },
  { low: "exclusiveMinimum", high: "maximum", isOpen: true },
  { low: "minimum", high: "exclusiveMaximum", isOpen: true },
  { low: "exclusiveMinimum", high: "exclusiveMaximum", isOpen: true },
  { low: "minLength", high: "maxLength" },
  { low: "minItems", high: "maxItems" },
  { low: "minProperties", high: "maxProperties" },
];

function conflictOfLimits(schemas: readonly Schema[]): Conflict | undefined {
  const listLimits = (keyword: string) =>
    schemas.flatMap(({ [keyword]: limit }) => (typeof limit === "number" ? limit : []));
  const conflicts = LIMITS.flatMap(({ low, high, isOpen = false }) => {
    const [from, to] = [Math.max(...listLimits(low)), Math.min(...listLimits(high))];
    const text = `no value has ${low} ${from} and ${high} ${to}; correct one of them`;
    return from > to || (isOpen && from === to) ? [{ keyword: low, text }] : [];
  });
  return conflicts[0];
}

/** Returns whether a value that matches the parts can also have another type. */
function allowsOthers(document: Json, parts: Parts, type: string): boolean {
  return typesIn(document, parts).some((each) => each !== type);
}

/** Finds a required property that a part excludes, if the value must be an object. */
function conflictOfRequired(document: Json, parts: Parts): Conflict | undefined {
  if (allowsOthers(document, parts, "object")) return undefined;
  const required = new Set(parts.flatMap(({ schema }) => schema.required ?? []));
  const limits = parts.flatMap(({ schema: { maxProperties = Infinity } }) => Number(maxProperties));
  const texts = [...required].flatMap((name) =>
    parts.flatMap((part) => {
      const [what, fix] = exclusionOf(document, part, name) ?? [];
      const text = `${what} excludes ${name}, which is required; ${fix}, or do not require it`;
      return what === undefined ? [] : text;
    }),
  );
  if (required.size > Math.min(...limits))
    texts.push(`maxProperties is smaller than the number of required properties; raise it`);
  return texts[0] === undefined ? undefined : { keyword: "required", text: texts[0] };
}

/** Returns what excludes a property from a schema, and a fix. */
function exclusionOf(document: Json, part: ApplicableSchema, name: string) {
  const { pointer, schema } = part;
  const members = memberSchemas([part], name);
  if (schema.additionalProperties === false && members.length === 0)
    return ["additionalProperties: false", "declare it in the same schema"];
  if (members.some((each) => getAtPointer(document, each) === false))
    return ["the schema `false`", "replace the schema"];
  if (excludes(schema, name)) return ["not", "remove it from not"];
  if (schema.propertyNames === undefined) return undefined;
  const names = combined(document, `${pointer}/propertyNames`).map((each) => each.schema);
  return conflictOfValues([...names, { const: name }])
    ? ["propertyNames", "allow the name"]
    : undefined;
}

/** Finds a property or items that several parts describe, but whose values cannot match all of these parts. */
function conflictOfMembers(document: Json, parts: Parts, scope: Scope): Conflict | undefined {
  const { isBranch, compared } = scope;
  const required = new Set(parts.flatMap(({ schema }) => schema.required ?? []));
  const names = parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
  const isObject = !allowsOthers(document, parts, "object");
  const members = [...new Set(names)].map((name) => ({
    keyword: "properties",
    text: `no value of ${name} can match`,
    pointers: memberSchemas(parts, name),
    isRequired: isObject && required.has(name),
  }));
  const isArray = !allowsOthers(document, parts, "array");
  members.push({
    keyword: "items",
    text: "no item can match",
    pointers: itemSchemas(parts),
    isRequired: isArray && parts.some(({ schema: { minItems = 0 } }) => minItems > 0),
  });
  for (const { keyword, text, pointers, isRequired } of members) {
    // A schema alone is checked by itself.
    if (pointers.length === 1 || (isBranch && !isRequired)) continue;
    const key = [isBranch, ...pointers.toSorted()].join("\n");
    if (!compared.has(key)) {
      // A property can contain itself, and then adds no conflict of its own.
      compared.set(key, undefined);
      const found = pointers.flatMap((each) => combined(document, each));
      const inner = [...new Map(found.map((each) => [each.pointer, each])).values()];
      compared.set(key, findConflict(document, inner, inner, scope));
    }
    const conflict = compared.get(key);
    if (conflict) return { keyword, text: `${text}: ${conflict.text}` };
  }
  return undefined;
}

/** Finds a union of the added parts without a branch that can match together with all parts. */
function conflictOfUnions(
  document: Json,
  parts: Parts,
  added: Parts,
  { compared }: Scope,
): Conflict | undefined {
  for (const { keyword, branches } of added.flatMap(listUnions)) {
    const conflicts = branches.map((each) => {
      const branch = combined(document, each);
      return findConflict(document, [...parts, ...branch], branch, { isBranch: true, compared });
    });
    if (!conflicts.includes(undefined))
      return { keyword, text: `no branch of ${keyword} can match: ${conflicts[0]!.text}` };
  }
  return undefined;
}
