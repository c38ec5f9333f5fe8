import { checkBody, isUnconstrained } from "../../src/contract/engine/body.js";
import { walkPointers } from "../../src/openapi/document.js";
import { getAtPointer, lastKey, parentPointer } from "../../src/openapi/pointer.js";
import { jsonType, type Schema } from "../../src/openapi/schema.js";
import type { Description, Json } from "../../src/openapi/description.js";
import { compileSchemas } from "../description/compile.js";

/** A value and its origin. */
export interface Sample {
  value: Json;
  /** The repository or site that the value comes from. */
  origin: string;
}

/** The schemas, patterns, and names in a description that new fields can reuse. */
export interface Vocabulary {
  document: Json;
  /** Returns pointers to the properties with the given name. */
  fieldsNamed(name: string): string[];
  /** Pointers to the component schemas, with the unions last. */
  components: string[];
  patterns: string[];
  /** Patterns for the keys of maps, shortest first. */
  keyPatterns: string[];
  /**
   * Returns how well a schema fits a value: `exact` if the schema accepts the value and declares everything in it;
   * `near` if the only problems are missing or undeclared properties; `no` if there is any other mismatch.
   */
  fit(pointer: string, value: Json): "exact" | "near" | "no";
  /** Returns whether a key is a property name, which the overlay can contain, rather than data. */
  isName(key: string): boolean;
  /**
   * Returns whether `x-known-values` can contain a value that the evidence shows, such as a single word or a small
   * number.
   */
  isListable(value: Json): boolean;
  /** A property that every object has is required only if the objects come from at least this many origins. */
  minRequired: number;
}

const UNKNOWN = "Its meaning is not documented.";
/** The maximum nesting depth of objects whose properties are inferred. */
const MAX_DEPTH = 3;
/** Matches names in camel case or snake case, including names with short numbers, such as `iso_3166_1`. */
const NAME = /^_?[a-z]{1,20}([A-Z][a-z]{1,20}|_[a-z]{1,20}|_\d{1,4}){0,5}$/;
const WORD = /^[A-Za-z][a-z]{1,20}$/;
const MAX_LISTED_NUMBER = 9999;

/** Matches the IDs of rules about missing, undeclared, or unspecified properties. */
const EXTENDABLE = /^(undeclared|unspecified)\/|^schema\/required$/;

/** Collects the vocabulary of a description. @param sensitive strings that must not be treated as names */
export function createVocabulary(
  description: Description,
  sensitive: readonly string[],
  minRequired: number,
): Vocabulary {
  const { document } = description;
  const secrets = new Set(sensitive);
  const schemas = (getAtPointer(document, "/components/schemas") ?? {}) as Record<string, Schema>;
  const all = [...walkPointers(schemas as Json)].map((each) => `/components/schemas${each}`);
  const fields = all.filter((each) => lastKey(parentPointer(each)) === "properties");
  const patterns = all.filter((each) => lastKey(each) === "pattern");
  const isForKeys = (each: string) => lastKey(parentPointer(each)) === "propertyNames";
  const readTexts = (pointers: string[]) =>
    pointers.map((each) => getAtPointer(document, each) as string);
  const ofStrings = readTexts(patterns.filter((each) => !isForKeys(each)));
  const components = Object.keys(schemas).map((name) => `/components/schemas/${name}`);
  const validators = compileSchemas(document, [...components, ...fields]);
  return {
    document,
    minRequired,
    fieldsNamed: (name) => fields.filter((each) => lastKey(each) === name),
    components: Object.keys(schemas)
      .toSorted((a, b) => countAlternatives(schemas[a]!) - countAlternatives(schemas[b]!))
      .map((name) => `/components/schemas/${name}`),
    // A pattern that occurs only once is specific to one property, so new fields do not use it.
    patterns: [...new Set(ofStrings)].filter(
      (each) => ofStrings.indexOf(each) !== ofStrings.lastIndexOf(each),
    ),
    keyPatterns: readTexts(patterns.filter(isForKeys)).toSorted((a, b) => a.length - b.length),
    fit(pointer, body) {
      const subject = { description: { ...description, validators }, schema: pointer, body };
      const found = new Set(checkBody(subject).map(({ rule }) => rule));
      if (found.size === 0) return "exact";
      return [...found].every((rule) => EXTENDABLE.test(rule)) ? "near" : "no";
    },
    isName: (key) => isPropertyName(key) && !secrets.has(key),
    isListable(value) {
      if (typeof value === "string") return WORD.test(value) && !secrets.has(value);
      return typeof value !== "number" || Math.abs(value) <= MAX_LISTED_NUMBER;
    },
  };
}

/**
 * Returns whether a key is a property name rather than data. Rejects inherited names, such as `constructor`, because
 * validators would find them in every object.
 */
export function isPropertyName(key: string): boolean {
  return NAME.test(key) && !(key in {});
}

function countAlternatives({ oneOf, anyOf }: Schema): number {
  return (oneOf ?? anyOf ?? [{}]).length;
}

/** Infers the schema of a field from the values in its samples. */
export function inferField(
  name: string,
  samples: readonly Sample[],
  vocabulary: Vocabulary,
  depth = 1,
): Schema {
  const { document } = vocabulary;
  const values = samples.flatMap(({ value }) => (value === null ? [] : [value]));
  const known = vocabulary
    .fieldsNamed(name)
    .filter((each) => fitsValues(each, values, vocabulary))
    .map((each) => getAtPointer(document, each) as Schema)
    .find((schema) => !isUnusable(schema));
  const schema = known
    ? makeNullable(stripNotes(known), values.length < samples.length)
    : inferSchema(samples, vocabulary, depth);
  return schema.$ref === undefined ? { description: UNKNOWN, ...schema } : schema;
}

/**
 * Returns whether a schema suits values: `fit` must return `exact` for at least one nonempty value, if there is one,
 * and must never return `no`.
 */
function fitsValues(pointer: string, values: readonly Json[], { fit }: Vocabulary): boolean {
  const full = values.filter(
    (each) => Object.keys(Object(each)).length > 0 || typeof each !== "object",
  );
  const hasExact = full.length === 0 || full.some((each) => fit(pointer, each) === "exact");
  return hasExact && values.every((each) => fit(pointer, each) !== "no");
}

/** Returns whether a schema is too specific or too general for other properties with the same name. */
function isUnusable(schema: Schema): boolean {
  return (
    "const" in schema ||
    schema["x-sensitive"] === true ||
    isUnconstrained([{ pointer: "", schema }])
  );
}

function stripNotes(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([key]) => !/^(x-.*|description|title)$/.test(key));
  // Without a copy, two facts in the YAML would share this schema through an alias, and an edit of one fact would
  // change both.
  return structuredClone(Object.fromEntries(kept));
}

/**
 * Infers a schema that accepts the given values. Marks strings and numbers without a known pattern as sensitive,
 * because a person must decide whether the values are public.
 */
export function inferSchema(samples: readonly Sample[], vocabulary: Vocabulary, depth = 1): Schema {
  const others = samples.filter(({ value }) => value !== null);
  const types = collectTypes(others.map(({ value }) => value));
  const isNullable = others.length < samples.length;
  const [type] = types;
  if (type === "object" && types.length === 1)
    return makeNullable(inferObject(others, vocabulary, depth), isNullable);
  if (type === "array" && types.length === 1) {
    const items = others.flatMap(({ value, origin }) =>
      (value as Json[]).map((each) => ({ value: each, origin })),
    );
    const schema = { type, items: inferSchema(items, vocabulary, depth) };
    return makeNullable(schema, isNullable);
  }
  // For objects or lists mixed with values of other types, no useful schema exists, so the schema accepts any value.
  if (types.includes("object") || types.includes("array")) return {};
  if (type === undefined) return isNullable ? { type: "null" } : {};
  const pattern = vocabulary.patterns.find((each) => isMatch(others, each));
  const isPublic = pattern !== undefined || (type === "boolean" && types.length === 1);
  return makeNullable(
    {
      type: toTypeKeyword(types),
      ...(pattern !== undefined && { pattern }),
      ...(!isPublic && { "x-sensitive": true }),
    },
    isNullable,
  );
}

function inferObject(samples: readonly Sample[], vocabulary: Vocabulary, depth: number): Schema {
  const objects = samples.map(({ value }) => value as { [key: string]: Json });
  const keys = [...new Set(objects.flatMap(Object.keys))].toSorted();
  const open = { type: "object", additionalProperties: true };
  if (keys.length === 0 || depth > MAX_DEPTH) return open;
  const same = vocabulary.components.find((each) =>
    objects.every((value) => vocabulary.fit(each, value) === "exact"),
  );
  if (same !== undefined) return { $ref: `#${same}` };
  const collectMembers = (wanted: readonly string[]) =>
    samples.flatMap(({ value, origin }) =>
      wanted.flatMap((key) => {
        const object = value as { [key: string]: Json };
        return Object.hasOwn(object, key) ? [{ value: object[key]!, origin }] : [];
      }),
    );
  if (!keys.every(vocabulary.isName)) {
    const pattern = vocabulary.keyPatterns.find((each) =>
      keys.every((key) => new RegExp(each, "u").test(key)),
    );
    return {
      type: "object",
      ...(pattern !== undefined && { propertyNames: { pattern } }),
      additionalProperties: inferSchema(collectMembers(keys), vocabulary, depth + 1),
    };
  }
  const isRequired = (key: string) =>
    objects.every((each) => Object.hasOwn(each, key)) &&
    new Set(samples.map(({ origin }) => origin)).size >= vocabulary.minRequired;
  const required = keys.filter(isRequired);
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      keys.map((key) => [key, inferField(key, collectMembers([key]), vocabulary, depth + 1)]),
    ),
  };
}

function isMatch(samples: readonly Sample[], pattern: string): boolean {
  const texts = samples.map(({ value }) => value);
  return (
    texts.every((each) => typeof each === "string" && new RegExp(pattern, "u").test(each)) &&
    texts.some((each) => each !== "")
  );
}

/** Returns the JSON types of the given values. */
export function collectTypes(values: readonly Json[]): string[] {
  return joinTypes(values.map((value) => (Number.isInteger(value) ? "integer" : jsonType(value))));
}

/** Removes duplicate types, and puts null last. Removes `integer` if the list contains `number`. */
function joinTypes(names: readonly string[]): string[] {
  const types = new Set(names.toSorted());
  if (types.has("number")) types.delete("integer");
  if (types.delete("null")) types.add("null");
  return [...types];
}

/** Returns the value of the `type` keyword for the given types. */
export function toTypeKeyword(names: readonly string[]): string | string[] {
  const types = joinTypes(names);
  return types.length === 1 ? types[0]! : types;
}

/** Extends a schema to accept null if `isNullable` is true. */
function makeNullable(schema: Schema, isNullable: boolean): Schema {
  const { type } = schema;
  if (!isNullable || Object.keys(schema).length === 0) return schema;
  return type === undefined
    ? { anyOf: [schema, { type: "null" }] }
    : { ...schema, type: toTypeKeyword([...[type].flat(), "null"]) };
}
