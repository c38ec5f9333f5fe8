import { isObject } from "../../src/openapi/schema.js";
import type { Schema } from "../../src/openapi/schema.js";
import { findOrigins, levelOf, type Level } from "../shared/evidence-level.js";
import { toTypeKeyword } from "./infer.js";
import { formOf, type Form } from "./forms.js";
import {
  areAlike,
  resolveMerged,
  isMapKey,
  isMixed,
  keysOf,
  MAP_KEY,
  pick,
  typesOf,
  valuesOf,
} from "./shape.js";
import type { Shape, ShownValue } from "./shape.js";

/** The evidence for a statement. */
export interface Support {
  level: Level;
  /** The number of repositories and sites, not counting the deployment's documentation. */
  sources?: number;
  /** The date of the latest evidence. */
  seen?: string;
  /** The part of the statement that is inferred from other objects or properties. */
  inferred?: string;
}

/** The minimum number of values that a required property or a pattern must be based on. */
const MIN_VALUES = 4;
/** The minimum number of sources that a required property or a pattern must be based on. */
const MIN_SOURCES = 2;
/**
 * The number of other objects that must omit a property, or have null as its value, to outweigh an object's own
 * evidence.
 */
const MIN_HOLDERS = 2;
/** The maximum number of properties in an inline schema. */
const MAX_INLINE = 5;
/** Matches the names of properties that are public in every response. */
const ENVELOPE = /^(page|total_pages|total_results|success|status_code|status_message)$/;

/** A property that shares its name with other properties. */
interface Namesake {
  holder: string;
  types: Set<string>;
  shape: Shape;
}

/** The data that is needed to turn a shape into a schema. */
export interface SchemaContext {
  /** The name of each shape that becomes a component schema. */
  names: ReadonlyMap<Shape, string>;
  namesakes: ReadonlyMap<string, Namesake[]>;
  /** The shapes of all objects with properties. */
  objects: readonly Shape[];
  /** The shapes of all unions of objects. */
  unions: readonly Shape[];
  /** Returns whether the value comes from an operation that returns a user's data. */
  isPersonal(shown: ShownValue): boolean;
  /** Returns whether `append_to_response` can include the response with this shape in a different response. */
  isPart(shape: Shape): boolean;
  /**
   * Returns the description of a property in an object with the given keys, or undefined if there is no description.
   */
  describe(holder: string, key: string, keys: ReadonlySet<string>): string | undefined;
}

/**
 * Returns whether a shape becomes a component schema: a response, a large object, or an object in several locations.
 */
export function isComponent({ id, properties, locations }: Shape): boolean {
  if (!properties) return false;
  return id.endsWith(" ") || locations.length > 1 || properties.size > MAX_INLINE;
}

/** Groups the properties of all objects by name. */
export function collectNamesakes(
  objects: readonly Shape[],
  names: ReadonlyMap<Shape, string>,
): Map<string, Namesake[]> {
  const all = new Map<string, Namesake[]>();
  for (const holder of objects) {
    for (const [key, property] of holder.properties ?? []) {
      const shape = resolveMerged(property);
      const here = { holder: nameOf(holder, { names }), types: typesOf(shape.values), shape };
      all.set(key, [...(all.get(key) ?? []), here]);
    }
  }
  return all;
}

/** Returns the schema of an object with properties, which can be a component or an inline schema. */
export function objectSchema(shape: Shape, holder: string, context: SchemaContext): Schema {
  const objects = pick(shape.values, isObject);
  const keys = [...shape.properties!.keys()].toSorted();
  const own = keysOf(shape);
  const alike = context.objects.filter((each) => each !== shape && areAlike(keysOf(each), own));
  const required = keys.filter(
    (key) =>
      own.has(key) &&
      isProven(objects) &&
      !canOmit(shape, key) &&
      alike.filter((each) => canOmit(each, key)).length < MIN_HOLDERS &&
      // A response that is included in another response has no `id`.
      !(key === "id" && context.isPart(shape)),
  );
  const borrowed = isProven(objects) ? [] : borrowProperties(own, alike, context);
  const properties = [
    ...keys.map((key) => [key, propertySchema(shape, key, holder, context)] as const),
    ...borrowed,
  ];
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function isProven(values: readonly ShownValue[]): boolean {
  return values.length >= MIN_VALUES && findOrigins(sourcesOf(values)).length >= MIN_SOURCES;
}

function canOmit({ properties, values }: Shape, key: string): boolean {
  const objects = pick(values, isObject);
  return properties!.has(key) && valuesOf(objects, key).length < objects.length;
}

/** Returns the properties that an object with little evidence is assumed to share with all similar objects. */
function borrowProperties(
  own: ReadonlySet<string>,
  [first, ...others]: readonly Shape[],
  context: SchemaContext,
): [key: string, schema: Schema][] {
  if (!first) return [];
  const from = `property as in ${listNames([first, ...others].map((each) => nameOf(each, context)))}`;
  return [...keysOf(first)].flatMap((key) => {
    if (own.has(key) || !others.every((each) => keysOf(each).has(key))) return [];
    const { schema } = schemaOf(first.properties!.get(key)!, key, context);
    return [[key, { ...schema, "x-observed": { inferred: from } }]];
  });
}

function nameOf(shape: Shape, { names }: Pick<SchemaContext, "names">): string {
  return names.get(shape) ?? shape.id.trim();
}

/** Sorts names alphabetically, and joins the first two names with a comma. */
function listNames(names: readonly string[]): string {
  return [...new Set(names)].toSorted().slice(0, 2).join(", ");
}

function propertySchema(
  { properties, values, appended }: Shape,
  key: string,
  holder: string,
  context: SchemaContext,
): Schema {
  const { schema, inferred } = schemaOf(resolveMerged(properties!.get(key)!), key, context);
  const description =
    context.describe(holder, key, new Set(properties!.keys())) ??
    (appended.has(key) ? `Present if \`append_to_response\` contains \`${key}\`.` : undefined);
  return {
    ...(description !== undefined && { description }),
    ...schema,
    "x-observed": {
      ...supportOf(valuesOf(pick(values, isObject), key)),
      ...(inferred.length > 0 && { inferred: inferred.join("; ") }),
    },
  };
}

/** Summarizes the evidence that values provide for a statement. */
export function supportOf(values: readonly ShownValue[]): Support {
  const evidence = [...new Set(values.map((each) => each.evidence))];
  const recorded = evidence.filter((each) => !each.isDocumentation);
  const sources = findOrigins(sourcesOf(values)).length;
  const seen = (recorded.length > 0 ? recorded : evidence)
    .map(({ date }) => date)
    .toSorted()
    .at(-1);
  return {
    level: levelOf(sourcesOf(values)),
    ...(sources > 0 && { sources }),
    ...(seen !== undefined && { seen }),
  };
}

/** Returns the sources of values, except the deployment's documentation. */
export function sourcesOf(values: readonly ShownValue[]): string[] {
  return values.flatMap(({ evidence }) => (evidence.isDocumentation ? [] : evidence.source));
}

/** Returns the schema of a shape, and the parts of the schema that are inferred. */
export function schemaOf(
  given: Shape,
  key: string,
  context: SchemaContext,
): { schema: Schema; inferred: string[] } {
  const shape = resolveMerged(given);
  const types = typesOf(shape.values);
  const mixed = (context.namesakes.get(key) ?? []).find((each) => isMixed(each.shape.values));
  if (isMixed(shape.values)) return { schema: {}, inferred: [] };
  if (types.has("object") && mixed)
    return { schema: {}, inferred: [`any value as in ${mixed.holder}`] };
  const { inferred, types: all } = generalize(shape, key, types, context);
  const isNullable = all.delete("null");
  const parts: Schema[] = [];
  if (all.delete("object")) {
    const { schema, from } = objectPart(shape, context);
    if (from !== undefined) inferred.push(from);
    parts.push(schema);
  }
  if (all.delete("array")) {
    const items = itemsOf(shape, key, context);
    inferred.push(...items.inferred);
    parts.push({ type: "array", items: items.schema });
  }
  if (all.size > 0) parts.push(scalarPart(shape, key, [...all], context));
  if (parts.length === 0) return { schema: {}, inferred };
  // Values of more than two kinds have nothing in common, so the schema accepts any value.
  if (parts.length > 2) return { schema: {}, inferred };
  const [first, second] = parts as [Schema, Schema?];
  if (!second && first.type !== undefined) return { schema: withNull(first, isNullable), inferred };
  const anyOf = [...parts, ...(isNullable ? [{ type: "null" }] : [])];
  return { schema: anyOf.length > 1 ? { anyOf } : first, inferred };
}

function withNull(schema: Schema, isNullable: boolean): Schema {
  return isNullable
    ? { ...schema, type: toTypeKeyword([...[schema.type!].flat(), "null"]) }
    : schema;
}

/** Adds types from other properties with the same name to the types at a location. */
function generalize(
  shape: Shape,
  key: string,
  types: ReadonlySet<string>,
  { namesakes }: SchemaContext,
): { types: Set<string>; inferred: string[] } {
  const all = new Set(types);
  const inferred: string[] = [];
  const others = (namesakes.get(key) ?? []).filter((each) => each.shape !== shape);
  const own = [...types].filter((each) => each !== "null");
  const isAlike = (other: Namesake) =>
    own.length === 0 || [...other.types].some((each) => kindOfType(each) === kindOfType(own[0]!));
  const alike = others.filter(isAlike);
  const minHolders = isProven(shape.values) ? MIN_HOLDERS : 1;
  const borrow = (type: string) => {
    const from = alike.filter((each) => each.types.has(type)).map(({ holder }) => holder);
    if (all.has(type) || from.length < minHolders) return;
    all.add(type);
    inferred.push(`${type} as in ${listNames(from)}`);
  };
  if (own.length === 0 && types.size > 0) {
    const kinds = new Set(others.flatMap((each) => [...each.types].map(kindOfType)));
    kinds.delete("null");
    if (kinds.size === 1) for (const each of others.flatMap((one) => [...one.types])) borrow(each);
  } else {
    borrow("null");
    if (all.has("integer")) borrow("number");
  }
  if (all.has("number")) all.delete("integer");
  return { types: all, inferred };
}

function kindOfType(type: string): string {
  return type === "integer" ? "number" : type;
}

/** Returns the schema of objects, and the source of any inferred branches. */
function objectPart(shape: Shape, context: SchemaContext): { schema: Schema; from?: string } {
  const { properties, entries, branches } = shape;
  if (entries) {
    const { schema } = schemaOf(entries, "", context);
    const keys = pick(shape.values, isObject).flatMap(({ value }) => Object.keys(value as object));
    const names = keys.every(isMapKey) && { propertyNames: { pattern: MAP_KEY } };
    return { schema: { type: "object", ...names, additionalProperties: schema } };
  }
  if (branches) return unionPart(shape, branches, context);
  if (!properties) return { schema: { type: "object", additionalProperties: true } };
  const name = context.names.get(shape);
  const schema =
    name === undefined
      ? objectSchema(shape, "", context)
      : { $ref: `#/components/schemas/${name}` };
  return { schema };
}

/**
 * Returns a union of objects. If the same name also belongs to a larger union with all these branches, adds the larger
 * union's other branches.
 */
function unionPart(
  { name }: Shape,
  branches: ReadonlyMap<string, Shape>,
  context: SchemaContext,
): { schema: Schema; from?: string } {
  const wider = context.unions.find(
    (each) =>
      each.name === name &&
      each.branches!.size > branches.size &&
      [...branches.keys()].every((kind) => each.branches!.has(kind)) &&
      [...each.branches!.values()].every((one) => context.names.has(resolveMerged(one))),
  );
  const all = [...new Map([...(wider?.branches ?? []), ...branches])];
  const oneOf = all.map(([kind, each]) => ({
    allOf: [
      objectPart(resolveMerged(each), context).schema,
      {
        type: "object",
        required: ["media_type"],
        properties: { media_type: { type: "string", const: kind } },
      },
    ],
  }));
  const added = all.map(([kind]) => kind).filter((kind) => !branches.has(kind));
  return {
    schema: { oneOf },
    ...(wider && { from: `${added.join(", ")} as in ${wider.id.replace(/ \S*$/, "")}` }),
  };
}

function itemsOf(shape: Shape, key: string, context: SchemaContext) {
  const items = shape.items && resolveMerged(shape.items);
  if (items && items.values.length > 0) return schemaOf(items, "", context);
  // If all lists are empty, the items are inferred from the lists in other properties with the same name.
  const others = (context.namesakes.get(key) ?? []).flatMap(({ shape: other, holder }) => {
    const own = other !== shape && resolveMerged(other).items;
    return own && resolveMerged(own).values.length > 0 ? [{ own: resolveMerged(own), holder }] : [];
  });
  const [first] = others;
  if (!first || others.some(({ own }) => own !== first.own)) return { schema: {}, inferred: [] };
  return {
    schema: schemaOf(first.own, "", context).schema,
    inferred: [`items as in ${first.holder}`],
  };
}

function scalarPart(
  shape: Shape,
  key: string,
  types: readonly string[],
  context: SchemaContext,
): Schema {
  const pattern = types.length === 1 && types[0] === "string" && patternOf(shape, key, context);
  const scalars = shape.values.filter(({ value }) => value === null || typeof value !== "object");
  const isSensitive =
    scalars.length > 0 && scalars.every(context.isPersonal) && !ENVELOPE.test(key);
  return {
    type: toTypeKeyword(types),
    ...(pattern && { pattern }),
    ...(isSensitive && { "x-sensitive": true }),
  };
}

/**
 * Returns the pattern for the format that all strings of a shape share. The pattern accepts an empty string if any such
 * string is empty, or any string in another property with the same name and format.
 */
function patternOf(shape: Shape, key: string, { namesakes }: SchemaContext): string | undefined {
  const form = commonForm(shape);
  if (!form || !isProven(pick(shape.values, Boolean))) return undefined;
  const alike = (namesakes.get(key) ?? []).map((each) => each.shape);
  const canBeEmpty = [shape, ...alike.filter((each) => commonForm(each) === form)].some((each) =>
    each.values.some(({ value }) => value === ""),
  );
  return canBeEmpty ? form.orEmpty : form.pattern;
}

/** Returns the format that all nonempty strings of a shape share. */
function commonForm({ values }: Shape): Form | undefined {
  const texts = values.flatMap(({ value }) =>
    typeof value === "string" && value !== "" ? value : [],
  );
  const [form, ...others] = new Set(texts.map(formOf));
  return others.length === 0 ? form : undefined;
}
