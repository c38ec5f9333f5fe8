import { isObject, jsonType } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import { overlap } from "../shared/overlap.js";
import { reach } from "../shared/reach.js";
import { isPropertyName } from "./infer.js";
import type { EvidenceExchange } from "./read-evidence.js";

/** A value, and the evidence that shows it. */
export interface ShownValue {
  value: Json;
  evidence: EvidenceExchange;
}

/** All values at one location of a response, such as the items of a list. */
export interface Shape {
  /** The operation and the pointer template of the first location. */
  id: string;
  /** All locations whose values are merged into this shape. */
  locations: string[];
  /**
   * The name of the property that contains the values, either directly or inside a list or map. For a branch of a
   * union, the branch's `media_type`.
   */
  name: string;
  values: ShownValue[];
  /** The shape of each property, for objects of one kind. */
  properties?: Map<string, Shape>;
  /** The properties that `append_to_response` adds. */
  appended: Set<string>;
  /** The shape of entries, for objects whose keys are data, such as country codes. */
  entries?: Shape;
  /** The shape of each kind of object, keyed by `media_type`. */
  branches?: Map<string, Shape>;
  /** The shape of items, for lists. */
  items?: Shape;
  /** The shape into which this shape was merged. */
  mergedInto?: Shape;
}

/** The pattern of a country code, with or without a subdivision. */
export const MAP_KEY = "^[A-Z]{2}(-[A-Z0-9]{1,3})?$";
export const DISCRIMINATOR = "media_type";
/** The minimum share of common properties for two shapes to count as the same kind. */
const SIMILAR = 0.84;
/** The share of common properties above which two objects count as similar. */
const ALIKE = 0.5;

/**
 * Creates the shape of values and of all values inside them.
 * @param parts the existing shapes of included responses, by property name
 */
export function createShape(
  values: ShownValue[],
  id: string,
  name: string,
  parts: ReadonlyMap<string, Shape> = new Map(),
): Shape {
  const shape: Shape = { id, locations: [id], name, values, appended: new Set(parts.keys()) };
  const objects = pick(values, isObject);
  const lists = pick(values, Array.isArray);
  if (lists.length > 0) {
    const items = lists.flatMap(({ value, evidence }) =>
      (value as Json[]).map((each) => ({ value: each, evidence })),
    );
    shape.items = createShape(items, `${id}/*`, name);
  }
  if (objects.length === 0 || isMixed(values)) return shape;
  const keys = [
    ...new Set(objects.flatMap(({ value }) => Object.keys(value as object))),
  ].toSorted();
  const members = (wanted: string[]) => wanted.flatMap((key) => valuesOf(objects, key));
  const kinds = new Set(objects.map(({ value }) => (value as Record<string, Json>)[DISCRIMINATOR]));
  if (keys.length > 0 && (keys.every(isMapKey) || !keys.every(isName))) {
    shape.entries = createShape(members(keys), `${id}/*`, name);
  } else if (kinds.size > 1 && [...kinds].every((kind) => typeof kind === "string")) {
    const branches = [...(kinds as Set<string>)].toSorted().map((kind) => {
      const own = objects.filter(
        ({ value }) => (value as Record<string, Json>)[DISCRIMINATOR] === kind,
      );
      return [kind, createShape(own, `${id}#${kind}`, kind)] as const;
    });
    const [first] = branches;
    // Reviews are not a union, because movies and TV shows have the same kind of review. Tagged images are a union,
    // because each image contains its movie or TV show.
    const isSame = branches.every(([, each]) => isOfSameKind(first![1], each));
    if (!isSame) shape.branches = new Map(branches);
  }
  if (!shape.entries && !shape.branches) {
    const own = keys.filter((key) => !parts.has(key));
    shape.properties = new Map([
      ...own.map((key) => [key, createShape(members([key]), `${id}/${key}`, key)] as const),
      ...parts,
    ]);
  }
  return shape;
}

export function isMapKey(key: string): boolean {
  return new RegExp(MAP_KEY).test(key);
}

/** Returns whether a key is a name, or the path of an included response, such as `watch/providers`. */
export function isName(key: string): boolean {
  return key.split("/").every(isPropertyName);
}

/** Returns whether some values are objects, and others are strings, numbers, or lists. */
export function isMixed(values: readonly ShownValue[]): boolean {
  const types = typesOf(values);
  return (
    types.has("object") && ["string", "integer", "number", "array"].some((each) => types.has(each))
  );
}

/** Returns the values of a property in all objects that have the property. */
export function valuesOf(objects: readonly ShownValue[], key: string): ShownValue[] {
  return objects.flatMap(({ value, evidence }) =>
    Object.hasOwn(value as object, key)
      ? [{ value: (value as Record<string, Json>)[key]!, evidence }]
      : [],
  );
}

export function pick(values: readonly ShownValue[], is: (value: Json) => boolean): ShownValue[] {
  return values.filter(({ value }) => is(value));
}

/** Returns the shape into which a shape was merged, or the shape itself. */
export function resolveMerged(shape: Shape): Shape {
  return shape.mergedInto ? resolveMerged(shape.mergedInto) : shape;
}

/** Returns the given shapes, and all shapes inside them. */
export function listShapes(roots: Iterable<Shape>): Shape[] {
  return [...reach([...roots].map(resolveMerged), (shape) => childrenOf(shape).map(resolveMerged))];
}

function childrenOf({ properties, entries, branches, items }: Shape): Shape[] {
  return [
    ...(properties?.values() ?? []),
    ...(branches?.values() ?? []),
    ...(entries ? [entries] : []),
    ...(items ? [items] : []),
  ];
}

/** Merges the shapes of similar objects, so that objects of the same kind share a schema. */
export function mergeSimilar(roots: readonly Shape[]): void {
  const heights = new Map<Shape, number>();
  const measure = (shape: Shape): number => {
    if (!heights.has(shape)) {
      // This value ends the recursion if shapes refer to each other, as the shapes of a response and of its included
      // responses can.
      heights.set(shape, 0);
      heights.set(shape, 1 + Math.max(0, ...childrenOf(shape).map(measure)));
    }
    return heights.get(shape)!;
  };
  roots.forEach(measure);
  const objects = listShapes(roots)
    .filter(({ properties }) => properties)
    .toSorted((a, b) => heights.get(a)! - heights.get(b)! || (a.id < b.id ? -1 : 1));
  const leaders = new Map<Shape, ReadonlySet<string>>();
  for (const shape of objects) {
    if (shape.mergedInto) continue;
    const own = signatureOf(shape);
    const [leader] =
      [...leaders].find(
        ([each, signature]) =>
          !each.mergedInto &&
          (own.size > 2 || each.name === shape.name) &&
          overlap(signature, own) >= SIMILAR,
      ) ?? [];
    if (leader) absorb(leader, shape);
    leaders.set(leader ?? shape, signatureOf(leader ?? shape));
  }
}

/** Returns whether objects, and the objects inside them, have almost the same properties. */
function isOfSameKind(one: Shape, other: Shape): boolean {
  if (overlap(keysOf(one), keysOf(other)) < SIMILAR) return false;
  return [...one.properties!].every(([key, each]) => {
    const own = other.properties!.get(key);
    return !each.properties || !own?.properties || isOfSameKind(each, own);
  });
}

/** Returns whether two objects with the given property names are similar. */
export function areAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return overlap(one, other) > ALIKE;
}

/** Returns the property names of an object, without the names that `append_to_response` adds. */
export function keysOf({ properties, appended }: Shape): Set<string> {
  return new Set([...(properties?.keys() ?? [])].filter((key) => !appended.has(key)));
}

/** Returns the properties that at least half of the objects have, each with the kind of its values. */
function signatureOf(shape: Shape): Set<string> {
  const objects = pick(shape.values, isObject);
  const usual = [...shape.properties!].filter(
    ([key]) => valuesOf(objects, key).length * 2 >= objects.length,
  );
  return new Set(usual.map(([key, each]) => `${key} ${kindOf(each)}`));
}

function kindOf(given: Shape): string {
  const { id, properties, entries, branches, items } = resolveMerged(given);
  if (properties) return id;
  if (entries) return `{${kindOf(entries)}}`;
  if (branches) return [...branches.values()].map(kindOf).join("|");
  return items ? `[${kindOf(items)}]` : "";
}

/** Merges the second shape, and all shapes inside it, into the first shape. */
function absorb(into: Shape, from: Shape): void {
  const [one, other] = [resolveMerged(into), resolveMerged(from)];
  if (one === other) return;
  other.mergedInto = one;
  one.locations.push(...other.locations);
  one.values = [...one.values, ...other.values];
  for (const each of other.appended) one.appended.add(each);
  for (const key of ["entries", "items"] as const) {
    if (!other[key]) continue;
    if (one[key]) absorb(one[key], other[key]);
    else one[key] = other[key];
  }
  for (const key of ["properties", "branches"] as const) {
    for (const [name, each] of other[key] ?? []) {
      const own = (one[key] ??= new Map<string, Shape>()).get(name);
      if (own) absorb(own, each);
      else one[key].set(name, each);
    }
  }
}

/** Returns the JSON types of values. The type of a whole number is `integer`. */
export function typesOf(values: readonly ShownValue[]): Set<string> {
  return new Set(
    values.map(({ value }) => (Number.isInteger(value) ? "integer" : jsonType(value))),
  );
}
