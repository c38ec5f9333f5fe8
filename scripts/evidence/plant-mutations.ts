import { isObject } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";

export const MUTATIONS = ["wrong type", "renamed", "additional", "absent", "null"] as const;
export type Mutation = (typeof MUTATIONS)[number];
const MAP_KEY = /^[A-Z]{2}(-[A-Z0-9]+)?$/;

/** Yields each value with its location, and a function that puts another value there. Items share a location. */
function* visit(
  value: Json,
  location = "",
  put = (each: Json) => each,
): Generator<{ value: Json; location: string; put: (value: Json) => Json }> {
  yield { value, location, put };
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      // Objects of different kinds in the same list have different locations.
      const kind = isObject(each) ? String(each["media_type"] ?? "") : "";
      yield* visit(each, `${location}/*${kind}`, (item) => put(value.with(index, item)));
    }
  } else if (isObject(value)) {
    for (const [key, each] of Object.entries(value))
      yield* visit(each, below(location, key), (member) => put({ ...value, [key]: member }));
  }
}

const below = (location: string, key: string) => `${location}/${MAP_KEY.test(key) ? "*" : key}`;

/** Lists the nulls and absences that real bodies of one operation show, which are no mutations. */
export function findVariants(bodies: readonly Json[]): string[] {
  const values = bodies.flatMap((body) => [...visit(body)]);
  const nulls = values.filter(({ value }) => value === null);
  const objects = new Map<string, string[][]>();
  for (const { location, value } of values)
    if (isObject(value))
      objects.set(location, [...(objects.get(location) ?? []), Object.keys(value)]);
  const absent = [...objects].flatMap(([location, all]) =>
    [...new Set(all.flat())]
      .filter((name) => !all.every((each) => each.includes(name)))
      .map((name) => `absent ${below(location, name)}`),
  );
  return [...nulls.map(({ location }) => `null ${location}`), ...absent];
}

/** Yields copies of a body, each with one mutation. Plants each kind of mutation once per location. */
export function* plantMutations(
  body: Json,
  variants: readonly string[],
): Generator<[Mutation, Json]> {
  const seen = new Set(variants);
  for (const { location, value, put } of visit(body)) {
    const mutants: [Mutation, string, Json][] = [];
    if (value !== null)
      mutants.push(
        ["wrong type", location, typeof value === "string" ? 7 : "text"],
        ["null", location, null],
      );
    if (isObject(value)) {
      mutants.push(["additional", location, { ...value, undeclared: 1 }]);
      for (const [key, each] of Object.entries(value).filter(([name]) => !MAP_KEY.test(name))) {
        const { [key]: _, ...others } = value;
        mutants.push(["renamed", below(location, key), { ...others, [`${key}_renamed`]: each }]);
        mutants.push(["absent", below(location, key), others]);
      }
    }
    for (const [kind, where, mutant] of mutants) {
      if (seen.has(`${kind} ${where}`)) continue;
      seen.add(`${kind} ${where}`);
      yield [kind, put(mutant)];
    }
  }
}
