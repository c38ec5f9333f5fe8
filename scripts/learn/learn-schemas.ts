import { isObject } from "../../src/openapi/schema.js";
import type { Schema } from "../../src/openapi/schema.js";
import { findOrigin } from "./evidence.js";
import { toTypeKeyword } from "./infer.js";
import { find, isMixed, MAP_KEY, pick, typesOf, valuesOf } from "./shape.js";
import type { Shape, ShownValue } from "./shape.js";

/** The evidence for a statement. */
export interface Support {
  level: "documented" | "one source" | "several sources";
  /** The number of repositories and sites, without the documentation of the deployment. */
  sources?: number;
  /** Date of the latest evidence. */
  seen?: string;
  /** The part of the statement that only other properties with the same name show. */
  inferred?: string;
}

/** A property requires this many objects that all have it, ... */
const MIN_OBJECTS = 4;
/** ... from this many sources. */
const MIN_SOURCES = 2;
/** Null in so many properties of the same name makes the others nullable, too. */
const MIN_NULLS = 2;
/** An object with more properties gets a name. */
const MAX_INLINE = 5;
const DAY = String.raw`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d`;

/** The form of a string. */
interface Form {
  pattern: string;
  /** The same form, or the empty string. */
  orEmpty: string | undefined;
}

const FORMS: readonly Form[] = [
  { pattern: "^/", orEmpty: undefined },
  { pattern: `^${DAY}$`, orEmpty: `^(${DAY})?$` },
  { pattern: `^${DAY} ${TIME} UTC$`, orEmpty: undefined },
  { pattern: String.raw`^${DAY}T${TIME}(\.\d+)?Z$`, orEmpty: undefined },
];
/** Public in every response. */
const ENVELOPE = /^(page|total_pages|total_results|success|status_code|status_message)$/;

/** A property with the same name in another object. */
interface Namesake {
  holder: string;
  types: Set<string>;
  shape?: Shape;
}

/** The context in which shapes become schemas. */
export interface SchemaContext {
  /** The name of each object shape that becomes a component. */
  names: ReadonlyMap<Shape, string>;
  namesakes: ReadonlyMap<string, Namesake[]>;
  /** Whether a value is personal, unless shown to be public. */
  isPersonal(shown: ShownValue): boolean;
  /** Whether `append_to_response` can include a response in another one. */
  isPart(shape: Shape): boolean;
  /** The description of a property with this name; undefined if its meaning is unknown. */
  describe(holder: string, key: string): string | undefined;
}

/** Whether a shape becomes a component: a response, a large object, or an object in several locations. */
export function isComponent({ id, properties, locations }: Shape): boolean {
  if (!properties) return false;
  return id.endsWith(" ") || locations.length > 1 || properties.size > MAX_INLINE;
}

/** The properties of all objects, by name. */
export function collectNamesakes(
  objects: readonly Shape[],
  names: ReadonlyMap<Shape, string>,
): Map<string, Namesake[]> {
  const all = new Map<string, Namesake[]>();
  for (const holder of objects) {
    for (const [key, property] of holder.properties ?? []) {
      const shape = find(property);
      const here = { holder: names.get(holder) ?? holder.id, types: typesOf(shape.values), shape };
      all.set(key, [...(all.get(key) ?? []), here]);
    }
  }
  return all;
}

/** The schema of an object with properties, which becomes a component or is written inline. */
export function objectSchema(shape: Shape, holder: string, context: SchemaContext): Schema {
  const objects = pick(shape.values, isObject);
  const origins = new Set(
    objects.flatMap(({ evidence }) =>
      evidence.isDocumentation ? [] : findOrigin(evidence.source),
    ),
  );
  const isProven = objects.length >= MIN_OBJECTS && origins.size >= MIN_SOURCES;
  const keys = [...shape.properties!.keys()].toSorted();
  const required = keys.filter(
    (key) =>
      isProven &&
      valuesOf(objects, key).length === objects.length &&
      // Another response can contain this one, without the identifier that both would have.
      !(key === "id" && context.isPart(shape)),
  );
  const properties = keys.map((key) => [
    key,
    propertySchema(shape.properties!.get(key)!, key, holder, valuesOf(objects, key), context),
  ]);
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}

function propertySchema(
  shape: Shape,
  key: string,
  holder: string,
  values: readonly ShownValue[],
  context: SchemaContext,
): Schema {
  const { schema, inferred } = schemaOf(find(shape), key, context);
  const description = context.describe(holder, key);
  const isScalar = schema.type !== undefined && !/object|array/.test(String(schema.type));
  const isSensitive =
    isScalar && values.length > 0 && values.every(context.isPersonal) && !ENVELOPE.test(key);
  return {
    ...(description !== undefined && { description }),
    ...schema,
    ...(isSensitive && { "x-sensitive": true }),
    "x-observed": {
      ...supportOf(values),
      ...(inferred.length > 0 && { inferred: inferred.join("; ") }),
    },
  };
}

/** How well some values support a statement. */
export function supportOf(values: readonly ShownValue[]): Support {
  const evidence = [...new Set(values.map((each) => each.evidence))];
  const recorded = evidence.filter((each) => !each.isDocumentation);
  const sources = new Set(recorded.map(({ source }) => findOrigin(source))).size;
  const seen = (recorded.length > 0 ? recorded : evidence)
    .map(({ date }) => date)
    .toSorted()
    .at(-1);
  return {
    level: sources === 0 ? "documented" : sources === 1 ? "one source" : "several sources",
    ...(sources > 0 && { sources }),
    ...(seen !== undefined && { seen }),
  };
}

/** The schema of the values at a location, and which parts of it are inferred. */
export function schemaOf(
  given: Shape,
  key: string,
  context: SchemaContext,
): { schema: Schema; inferred: string[] } {
  const shape = find(given);
  const types = typesOf(shape.values);
  const mixed = (context.namesakes.get(key) ?? []).find((each) => isMixed(each.shape!.values));
  if (isMixed(shape.values)) return { schema: {}, inferred: [] };
  if (types.has("object") && mixed)
    return { schema: {}, inferred: [`any value as in ${mixed.holder}`] };
  const { inferred, types: all } = generalize(shape, key, types, context);
  const isNullable = all.delete("null");
  const parts: Schema[] = [];
  if (all.delete("object")) parts.push(objectPart(shape, context));
  if (all.delete("array")) {
    const { schema, from } = itemsOf(shape, key, context);
    if (from !== undefined) inferred.push(`items as in ${from}`);
    parts.push({ type: "array", items: schema });
  }
  if (all.size > 0) parts.push(scalarPart(shape, key, [...all], context));
  if (parts.length === 0) return { schema: {}, inferred };
  // The values have nothing in common, so any value is valid.
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

/** The types at a location, and those that properties with the same name have elsewhere. */
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
  const borrow = (type: string) => {
    const from = alike.filter((each) => each.types.has(type)).map(({ holder }) => holder);
    const isRare = type === "null" && from.length < MIN_NULLS;
    if (all.has(type) || from.length === 0 || isRare) return;
    all.add(type);
    inferred.push(`${type} as in ${[...new Set(from)].toSorted().slice(0, 2).join(", ")}`);
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

function objectPart(shape: Shape, context: SchemaContext): Schema {
  const { properties, entries, branches } = shape;
  if (entries) {
    const { schema } = schemaOf(entries, "", context);
    return { type: "object", propertyNames: { pattern: MAP_KEY }, additionalProperties: schema };
  }
  if (branches) {
    const tagged = [...branches].map(([tag, each]) => ({
      allOf: [
        objectPart(find(each), context),
        {
          type: "object",
          required: ["media_type"],
          properties: { media_type: { type: "string", const: tag } },
        },
      ],
    }));
    return { oneOf: tagged };
  }
  if (!properties) return { type: "object", additionalProperties: true };
  const name = context.names.get(shape);
  return name === undefined
    ? objectSchema(shape, "", context)
    : { $ref: `#/components/schemas/${name}` };
}

function itemsOf(
  shape: Shape,
  key: string,
  context: SchemaContext,
): { schema: Schema; from?: string } {
  const items = shape.items && find(shape.items);
  if (items && items.values.length > 0) return { schema: schemaOf(items, "", context).schema };
  // If all lists are empty, lists with the same name elsewhere show the items.
  const others = (context.namesakes.get(key) ?? []).flatMap(({ shape: other, holder }) => {
    const own = other && other !== shape && find(other).items;
    return own && find(own).values.length > 0 ? [{ own: find(own), holder }] : [];
  });
  const [first] = others;
  if (!first || others.some(({ own }) => own !== first.own)) return { schema: {} };
  return { schema: schemaOf(first.own, "", context).schema, from: first.holder };
}

function scalarPart(
  shape: Shape,
  key: string,
  types: readonly string[],
  context: SchemaContext,
): Schema {
  const pattern = types.length === 1 && types[0] === "string" && patternOf(shape, key, context);
  return { type: toTypeKeyword(types), ...(pattern && { pattern }) };
}

/** The pattern of strings that all have the same form. They can be empty if those of the same name can. */
function patternOf(shape: Shape, key: string, { namesakes }: SchemaContext): string | undefined {
  const form = formOf(shape);
  if (!form) return undefined;
  const alike = (namesakes.get(key) ?? []).flatMap((each) => each.shape ?? []);
  const canBeEmpty = [shape, ...alike.filter((each) => formOf(each) === form)].some((each) =>
    each.values.some(({ value }) => value === ""),
  );
  return canBeEmpty ? form.orEmpty : form.pattern;
}

function formOf({ values }: Shape): Form | undefined {
  const texts = values.flatMap(({ value }) =>
    typeof value === "string" && value !== "" ? value : [],
  );
  return FORMS.find(
    ({ pattern }) => texts.length > 0 && texts.every((text) => new RegExp(pattern, "u").test(text)),
  );
}
