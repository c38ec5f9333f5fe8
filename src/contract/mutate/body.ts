import type { Planted } from "../mutate.js";
import { mediaOf, responseFor } from "../engine/operations.js";
import { parentOf, step, stepsOf } from "../engine/pointer.js";
import { routeOf } from "../engine/route.js";
import type { Part } from "../engine/schema.js";
import type { Description, Exchange, Json } from "../engine/types.js";
import { isObject, unionsOf } from "../engine/union.js";
import { branchesOf, memberOf, placesIn, type Place } from "../engine/walk.js";
import { without, wrongValues } from "./values.js";

/** What is done to a value or to the member of a name, against which statement, and what comes of it. */
type Change = [operator: string, place: string, spec: string, value: Json];

type Members = { [key: string]: Json };

/** A place that holds an object. */
type Holder = Omit<Place, "value"> & { value: Members };

const UNHEARD_OF = "unheard_of";

/** Faults of the values of a body, as the schema of each place makes them possible. */
export function* bodyMutants(exchange: Exchange, description: Description): Generator<Planted> {
  const { body, status } = exchange.response;
  const { operation } = routeOf(exchange, description);
  const response = operation && responseFor(operation, status);
  const schema = response && mediaOf(response, exchange)?.schema;
  if (schema === undefined || body === undefined) return;
  const places = placesIn({ description, schema, body });
  for (const place of places) {
    for (const [operator, pointer, spec, value] of changes(description, place, places)) {
      const changed = { ...exchange.response, body: replaced(body, stepsOf(place.pointer), value) };
      yield [operator, pointer, spec, { ...exchange, response: changed }];
    }
  }
}

function* changes(description: Description, place: Place, places: Place[]): Generator<Change> {
  const { pointer, value, parts } = place;
  for (const part of parts) {
    for (const [operator, keyword, wrong] of wrongValues(part.schema, value)) {
      // Another branch of a union may take what this one does not.
      if (!fitsElsewhere(description, parts, wrong))
        yield [operator, pointer, `${part.pointer}/${keyword}`, wrong];
    }
  }
  // Inside a value that nothing is said of, nothing can be wrong.
  if (!isHolder(place) || parts.length === 0) return;
  for (const inside of [memberChanges(place), unionChanges(description, place, places)])
    for (const [operator, name, spec, changed] of inside)
      yield [operator, pointer + step(name), spec, changed];
}

function* memberChanges({ parts, value }: Holder): Generator<Change> {
  const dropped = new Set<string>();
  for (const { pointer, schema } of parts) {
    for (const [index, name] of schema.required?.entries() ?? []) {
      if (dropped.has(name) || !Object.hasOwn(value, name)) continue;
      dropped.add(name);
      yield ["drop required", name, `${pointer}/required/${index}`, without(value, name)];
    }
  }
  // Whether further keys may be there, the last part that names members decides.
  const naming = parts.findLast(({ schema }) => schema.properties ?? schema.additionalProperties);
  const inner = parts.at(-1)?.pointer ?? "";
  yield ["extra key", UNHEARD_OF, naming?.pointer ?? inner, { ...value, [UNHEARD_OF]: 1 }];
  const keyed = parts.find(({ schema }) => schema.propertyNames);
  for (const [key, own] of Object.entries(value)) {
    const [operator, end, spec] = keyed
      ? ["break map key", "!", `${keyed.pointer}/propertyNames`]
      : ["rename key", "_", memberOf(parts, key)[0]];
    // A name that nobody gave can be no wrong one: any other is an extra key.
    if (spec === undefined) continue;
    yield [operator, key, spec, { ...without(value, key), [key + end]: own }];
  }
}

/** The tag of another branch, and the fields of another branch, which only its tag allows. */
function* unionChanges(
  { unions }: Description,
  { parts, shape, value }: Holder,
  places: readonly Place[],
): Generator<Change> {
  for (const union of parts.flatMap(unionsOf)) {
    const tests = unions[union.pointer];
    if (!tests) continue;
    for (const { name, in: values = [] } of tests.flatMap(({ tag }) => tag ?? []))
      for (const other of values.filter((each) => each !== value[name]))
        yield ["tag of another branch", name, union.pointer, { ...value, [name]: other }];
    const others = places.filter(isHolder).filter((each) => each.shape === shape);
    const fields = new Map(others.flatMap((each) => Object.entries(each.value)));
    const spec = parentOf(union.pointer);
    for (const [name, own] of fields)
      if (memberOf(parts, name).length === 0)
        yield ["field of another branch", name, spec, { ...value, [name]: own }];
  }
}

function isHolder(place: Place): place is Holder {
  return isObject(place.value);
}

function fitsElsewhere(description: Description, parts: readonly Part[], value: Json): boolean {
  // A branch that is told by a tag has no validator of its own: it is meant as soon as it is chosen.
  if (isObject(value)) return false;
  const own = new Set(parts.map(({ pointer }) => pointer));
  const branches = parts.flatMap((part) => branchesOf(description, part, value));
  return branches.some((each) => !own.has(each) && !description.validators[each]?.(value).length);
}

/** A body with another value behind some steps; the rest is shared. */
function replaced(body: Json, [key, ...rest]: string[], value: Json): Json {
  if (key === undefined) return value;
  const inner = replaced((body as Members)[key]!, rest, value);
  return Array.isArray(body)
    ? body.with(Number(key), inner)
    : { ...(body as Members), [key]: inner };
}
