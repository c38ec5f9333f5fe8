import { declaredNames } from "../drift.js";
import { mediaOf, responseFor } from "../operations.js";
import { keyOf, step } from "../pointer.js";
import { routeOf } from "../route.js";
import type { Part } from "../schema.js";
import type { Description, Exchange, Json } from "../types.js";
import { isObject, unionsOf } from "../union.js";
import { branchesOf, memberOf, walk, type Place } from "../walk.js";
import type { Planted } from "../mutate.js";
import { wrongValues } from "./values.js";

/** What is done to one place, at which pointer, against which statement, and the value that comes of it. */
type Change = [operator: string, pointer: string, spec: string, value: Json];

const UNHEARD_OF = "unheard_of";

/** Faults of the values of a body, as the schema of each place makes them possible. */
export function* bodyMutants(exchange: Exchange, description: Description): Generator<Planted> {
  const { body, status } = exchange.response;
  const { operation } = routeOf(exchange, description);
  const response = operation && responseFor(operation, status);
  const schema = response && mediaOf(response, exchange)?.schema;
  if (schema === undefined || body === undefined) return;
  const places: Place[] = [];
  walk({ description, schema, body }, (place) => void places.push(place));
  for (const place of places) {
    for (const [operator, pointer, spec, value] of changes(description, place, places)) {
      const changed = { ...exchange.response, body: replaced(body, place.pointer, value) };
      yield [operator, pointer, spec, { ...exchange, response: changed }];
    }
  }
}

function* changes(
  description: Description,
  place: Place,
  places: readonly Place[],
): Generator<Change> {
  const { pointer, value, parts } = place;
  for (const part of parts) {
    for (const [operator, keyword, wrong] of wrongValues(part.schema, value)) {
      // Another branch of a union may take what this one does not.
      if (!fitsElsewhere(description, parts, wrong))
        yield [operator, pointer, `${part.pointer}/${keyword}`, wrong];
    }
  }
  // Inside a value that nothing is said of, nothing can be wrong.
  if (!isObject(value) || parts.length === 0) return;
  yield* memberChanges(place, value);
  yield* unionChanges(description, place, value, places);
}

function* memberChanges(
  { pointer, parts }: Place,
  value: { [key: string]: Json },
): Generator<Change> {
  const dropped = new Set<string>();
  for (const part of parts) {
    for (const [index, name] of (part.schema.required ?? []).entries()) {
      if (dropped.has(name) || !Object.hasOwn(value, name)) continue;
      dropped.add(name);
      const spec = `${part.pointer}/required/${index}`;
      yield ["drop required", pointer + step(name), spec, without(value, name)];
    }
  }
  // Whether further keys may be there, the last part that names members decides.
  const naming = parts.findLast(({ schema }) => schema.properties ?? schema.additionalProperties);
  const inner = parts.at(-1)?.pointer ?? "";
  const extra = { ...value, [UNHEARD_OF]: 1 };
  yield ["extra key", pointer + step(UNHEARD_OF), naming?.pointer ?? inner, extra];
  const keyed = parts.find(({ schema }) => schema.propertyNames);
  for (const [key, own] of Object.entries(value)) {
    const at = pointer + step(key);
    const rest = without(value, key);
    if (keyed) {
      const spec = `${keyed.pointer}/propertyNames`;
      yield ["break map key", at, spec, { ...rest, [`${key}!`]: own }];
    } else {
      const [member = inner] = memberOf(parts, key);
      yield ["rename key", at, member, { ...rest, [`${key}_`]: own }];
    }
  }
}

/** The tag of another branch, and the fields of another branch, which only its tag allows. */
function* unionChanges(
  { unions }: Description,
  { parts, pointer, shape }: Place,
  value: { [key: string]: Json },
  places: readonly Place[],
): Generator<Change> {
  for (const part of parts) {
    for (const union of unionsOf(part)) {
      const tests = unions[union.pointer];
      if (!tests) continue;
      for (const tag of tests.flatMap((test) => test.tag ?? [])) {
        const at = pointer + step(tag.name);
        for (const other of tag.in ?? [])
          if (other !== value[tag.name])
            yield ["tag of another branch", at, union.pointer, { ...value, [tag.name]: other }];
      }
      const others = places.filter((each) => each.shape === shape && isObject(each.value));
      const members = others.flatMap((each) => Object.entries(each.value ?? {}));
      for (const [name, own] of new Map<string, Json>(members)) {
        if (declaredNames(parts).includes(name) || memberOf(parts, name).length > 0) continue;
        const at = pointer + step(name);
        yield ["field of another branch", at, part.pointer, { ...value, [name]: own }];
      }
    }
  }
}

function fitsElsewhere(description: Description, parts: readonly Part[], value: Json): boolean {
  // A branch that is told by a tag has no validator of its own: it is meant as soon as it is chosen.
  if (isObject(value)) return false;
  const branches = parts.flatMap((part) => branchesOf(description, part, value));
  return branches.some(
    (branch) =>
      parts.every(({ pointer }) => pointer !== branch) &&
      !description.validators[branch]?.(value).length,
  );
}

/** A body with another value at a pointer; the rest is shared. */
function replaced(body: Json, pointer: string, value: Json): Json {
  if (pointer === "") return value;
  const [, first = "", rest = ""] = /^\/([^/]*)(.*)$/s.exec(pointer) ?? [];
  const key = keyOf(first);
  const inner = replaced((body as { [key: string]: Json })[key] as Json, rest, value);
  return Array.isArray(body)
    ? body.with(Number(key), inner)
    : { ...(body as object), [key]: inner };
}

function without(value: { [key: string]: Json }, name: string): { [key: string]: Json } {
  const { [name]: _, ...rest } = value;
  return rest;
}
