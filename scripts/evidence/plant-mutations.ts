import { toReferenceToken } from "../../src/openapi/pointer.js";
import { isObject } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";

export const MUTATIONS = ["wrong type", "renamed", "additional", "absent", "null"] as const;
/** A kind of mutation, a pointer to the value that it changes or removes, and the changed body. */
export type Mutant = [kind: (typeof MUTATIONS)[number], pointer: string, body: Json];
const MAP_KEY = /^[A-Z]{2}(-[A-Z0-9]+)?$/;

/**
 * Yields each value with its pointer, its location, and a function that puts another value there. Items share a location.
 */
function* visit(
  value: Json,
  pointer = "",
  location = "",
  put = (each: Json) => each,
): Generator<{ value: Json; pointer: string; location: string; put: (value: Json) => Json }> {
  yield { value, pointer, location, put };
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      // Objects of different kinds in the same list have different locations.
      const kind = isObject(each) ? String(each["media_type"] ?? "") : "";
      yield* visit(each, `${pointer}/${index}`, `${location}/*${kind}`, (item) =>
        put(value.with(index, item)),
      );
    }
  } else if (isObject(value)) {
    for (const [key, each] of Object.entries(value))
      yield* visit(each, pointer + toReferenceToken(key), below(location, key), (member) =>
        put({ ...value, [key]: member }),
      );
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
export function* plantMutations(body: Json, variants: readonly string[]): Generator<Mutant> {
  const seen = new Set(variants);
  for (const { pointer, location, value, put } of visit(body)) {
    const mutants: [...Mutant, where: string][] = [];
    if (value !== null)
      mutants.push(
        ["wrong type", pointer, typeof value === "string" ? 7 : "text", location],
        ["null", pointer, null, location],
      );
    if (isObject(value)) {
      mutants.push(["additional", pointer, { ...value, undeclared: 1 }, location]);
      for (const [key, each] of Object.entries(value).filter(([name]) => !MAP_KEY.test(name))) {
        const { [key]: _, ...others } = value;
        const renamed = { ...others, [`${key}_renamed`]: each };
        const at = pointer + toReferenceToken(key);
        mutants.push(["renamed", at, renamed, below(location, key)]);
        mutants.push(["absent", at, others, below(location, key)]);
      }
    }
    for (const [kind, at, mutant, where] of mutants) {
      if (seen.has(`${kind} ${where}`)) continue;
      seen.add(`${kind} ${where}`);
      yield [kind, at, put(mutant)];
    }
  }
}
