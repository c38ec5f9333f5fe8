import { isObject, jsonType } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";

/** For each JSON type, a value of a different type. */
const WRONG: Readonly<Record<string, Json>> = {
  string: 7,
  number: "7",
  boolean: "true",
  array: { wrong: 1 },
  object: [1],
};
const MAP_KEY = /^[A-Z]{2}(-[A-Z0-9]+)?$/;

export const MUTATIONS = ["wrong type", "renamed", "additional", "absent", "null"] as const;
export type Mutation = (typeof MUTATIONS)[number];

/** A value in a body, with a location that all items of a list and all entries of a map share. */
interface Located {
  location: string;
  value: Json;
  /** Returns a copy of the body with another value at this location. */
  put(value: Json): Json;
}

/** Yields each value in a body. Objects of different kinds in the same list have different locations. */
function* visit(value: Json, put: Located["put"], location = ""): Generator<Located> {
  yield { location, value, put };
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      const kind = isObject(each) ? String(each["media_type"] ?? "") : "";
      yield* visit(each, (item) => put(value.with(index, item)), `${location}/*${kind}`);
    }
  } else if (isObject(value)) {
    for (const [key, each] of Object.entries(value))
      yield* visit(each, (member) => put({ ...value, [key]: member }), below(location, key));
  }
}

function below(location: string, key: string): string {
  return `${location}/${MAP_KEY.test(key) ? "*" : key}`;
}

/**
 * Finds what real bodies of one operation show, so that a mutation does not turn a body into another real body.
 * @returns `null LOCATION` for values that can be null, and `absent LOCATION` for properties that can be absent
 */
export function findVariants(bodies: readonly Json[]): Set<string> {
  const variants = new Set<string>();
  const objects = new Map<string, Set<string>[]>();
  for (const body of bodies)
    for (const { location, value } of visit(body, (each) => each)) {
      if (value === null) variants.add(`null ${location}`);
      if (!isObject(value)) continue;
      const names = Object.keys(value).map((key) => below(location, key));
      objects.set(location, [...(objects.get(location) ?? []), new Set(names)]);
    }
  for (const all of objects.values())
    for (const name of new Set(all.flatMap((each) => [...each])))
      if (all.some((each) => !each.has(name))) variants.add(`absent ${name}`);
  return variants;
}

/** Generates copies of a body, each with one mutation. Plants each kind of mutation once per location. */
export function* plantMutations(
  body: Json,
  variants: ReadonlySet<string>,
): Generator<[Mutation, Json]> {
  const seen = new Set(variants);
  const isNew = (mutation: Mutation, location: string) => {
    const key = `${mutation} ${location}`;
    return !seen.has(key) && Boolean(seen.add(key));
  };
  for (const { location, value, put } of visit(body, (each) => each)) {
    if (value !== null) {
      if (isNew("wrong type", location)) yield ["wrong type", put(WRONG[jsonType(value)]!)];
      if (isNew("null", location)) yield ["null", put(null)];
    }
    if (!isObject(value)) continue;
    if (isNew("additional", location)) yield ["additional", put({ ...value, undeclared: 1 })];
    for (const [key, each] of Object.entries(value)) {
      const name = below(location, key);
      if (name.endsWith("/*")) continue;
      const { [key]: _, ...others } = value;
      if (isNew("renamed", name)) yield ["renamed", put({ ...others, [`${key}_renamed`]: each })];
      if (isNew("absent", name)) yield ["absent", put(others)];
    }
  }
}
