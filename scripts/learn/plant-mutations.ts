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

/**
 * Generates copies of a body, each with one mutation: a value of the wrong type, a renamed property, or an additional
 * property. Plants each kind of mutation once per location. All items of a list count as one location, as do all
 * entries of a map.
 */
export function* plantMutations(body: Json): Generator<Json> {
  const seen = new Set<string>();
  const isNew = (mutation: string) => !seen.has(mutation) && seen.add(mutation);
  function* visit(value: Json, location: string, put: (value: Json) => Json): Generator<Json> {
    const type = jsonType(value);
    if (type !== "null" && isNew(`type ${location}`)) yield put(WRONG[type]!);
    if (Array.isArray(value)) {
      for (const [index, each] of value.entries())
        yield* visit(each, `${location}/*`, (item) => put(value.with(index, item)));
    } else if (isObject(value)) {
      if (isNew(`addition ${location}`)) yield put({ ...value, undeclared_addition: 1 });
      for (const [key, each] of Object.entries(value)) {
        const isName = !MAP_KEY.test(key);
        const below = `${location}/${isName ? key : "*"}`;
        const { [key]: _, ...others } = value;
        if (isName && isNew(`name ${below}`)) yield put({ ...others, [`${key}_renamed`]: each });
        yield* visit(each, below, (member) => put({ ...value, [key]: member }));
      }
    }
  }
  yield* visit(body, "", (value) => value);
}
