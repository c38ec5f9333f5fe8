import { cached } from "./cached.js";
import type { Description, Json } from "./description.js";
import { reachSchemas } from "./keywords.js";
import { refToPointer, toReferenceToken } from "./pointer.js";
import {
  declareItems,
  declareProperty,
  itemSchemas,
  memberSchemas,
  schemaSetOf,
  selectSet,
  type SchemaSet,
} from "./schema-sets.js";
import { schemaAt, type ApplicableSchema } from "./schema.js";

/** A body and the pointer to its schema. */
export interface Subject {
  description: Description;
  schema: string;
  body: Json;
}

/** A value in a body, with all schemas that apply to it. */
export interface WalkedValue {
  /** RFC 6901 pointer into the body. */
  pointer: string;
  /** The pointer with `*` instead of indexes and map keys, so that all items of a list have the same template. */
  pointerTemplate: string;
  value: Json;
  /** Pointers to the schemas that declare the value as a property or an item. */
  declaring: readonly string[];
  /** The declaring schemas, plus all applicable schemas that they reference or combine. */
  schemas: readonly ApplicableSchema[];
  set: SchemaSet;
  /** Whether the value or an enclosing value is marked as sensitive, even in a schema that does not apply. */
  isSensitive: boolean;
  /**
   * Pointers to the declaring schemas that mark this value or an inner value as sensitive, including schemas in union
   * branches that do not apply.
   */
  marking: readonly string[];
  /** The enclosing object or list. */
  around: WalkedValue | undefined;
}

/** Yields every value in a body. An object or array comes before the values inside it. */
export function* walkValues({ description, schema, body }: Subject): Generator<WalkedValue> {
  const { document } = description;
  const set = schemaSetOf(description, [schema], body);
  const marking = marksAnything(document, schema) ? [schema] : [];
  const root: WalkedValue = {
    pointer: "",
    pointerTemplate: "",
    value: body,
    declaring: [schema],
    schemas: set.schemas,
    set,
    isSensitive: set.isMarked || isMarkedIn(document, marking),
    marking,
    around: undefined,
  };
  const waiting = [root];
  for (let walked = waiting.pop(); walked; walked = waiting.pop()) {
    yield walked;
    if (typeof walked.value !== "object" || walked.value === null) continue;
    const keys = Object.keys(walked.value);
    for (let index = keys.length - 1; index >= 0; index--)
      waiting.push(memberOf(description, walked, keys[index]!));
  }
}

function memberOf(description: Description, around: WalkedValue, key: string): WalkedValue {
  const { document } = description;
  const value = (around.value as { [key: string]: Json })[key] as Json;
  const isList = Array.isArray(around.value);
  const { declaring, step } = isList
    ? declareItems(document, around.set)
    : declareProperty(document, around.set, key);
  const token = toReferenceToken(key);
  const isNamed =
    declaring.length === 0 || declaring.some((each) => each.endsWith(`/properties${token}`));
  const set = selectSet(description, step, value);
  const marking = findMarking(document, around, key);
  return {
    pointer: around.pointer + token,
    pointerTemplate: around.pointerTemplate + (isNamed && !isList ? token : "/*"),
    value,
    declaring,
    schemas: set.schemas,
    set,
    isSensitive: around.isSensitive || set.isMarked || isMarkedIn(document, marking),
    marking,
    around,
  };
}

/** Returns pointers to the possible schemas of a property or an item that mark it or an inner value as sensitive. */
function findMarking(
  document: Json,
  { marking, value }: WalkedValue,
  key: string,
): readonly string[] {
  // Returns early, because this function runs for every value, and most bodies contain nothing sensitive.
  if (marking.length === 0) return marking;
  const found = marking.flatMap((each) => {
    const schemas = possibleSchemas(document, each);
    return Array.isArray(value) ? itemSchemas(schemas) : memberSchemas(schemas, key);
  });
  return [...new Set(found)].filter((each) => marksAnything(document, each));
}

function isMarkedSchema({ schema }: ApplicableSchema): boolean {
  return schema["x-sensitive"] === true;
}

function isMarkedIn(document: Json, pointers: readonly string[]): boolean {
  return pointers.some((each) => possibleSchemas(document, each).some(isMarkedSchema));
}

/** Checks whether a schema, or any schema that it contains or references, is marked as sensitive. */
export const marksAnything = /* @__PURE__ */ cached((document, pointer): boolean =>
  [...reachSchemas(document, [pointer])].some(
    (each) => schemaAt(document, each)["x-sensitive"] === true,
  ),
);

/** Returns a schema and all schemas that might apply to the same value. */
function possibleSchemas(
  document: Json,
  pointer: string,
  found: ApplicableSchema[] = [],
): ApplicableSchema[] {
  if (found.some((each) => each.pointer === pointer)) return found;
  const schema = schemaAt(document, pointer);
  found.push({ pointer, schema });
  for (const keyword of ["allOf", "oneOf", "anyOf"] as const)
    for (const index of schema[keyword]?.keys() ?? [])
      possibleSchemas(document, `${pointer}/${keyword}/${index}`, found);
  if (schema.$ref) possibleSchemas(document, refToPointer(schema.$ref), found);
  return found;
}
