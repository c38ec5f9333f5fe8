import { declaredNames } from "../drift.js";
import { at, step } from "../pointer.js";
import { replaced } from "../roots.js";
import { routeOf } from "../route.js";
import { responseFor } from "../operations.js";
import type { Description, Exchange, Json } from "../types.js";
import { branchesOf, isObject, memberOf, testsOf, walk, type Part, type Place } from "../walk.js";
import type { Mutant } from "../mutate.js";

type Change = [operator: string, pointer: string, spec: string, body: Json];

const UNHEARD_OF = "unheard_of";
/** A value of each JSON type. */
const SAMPLES: Record<string, Json> = {
  string: "text",
  number: 7,
  boolean: true,
  object: {},
  array: [],
  null: null,
};

/** Faults of the values of a body, as the schema of each place makes them possible. */
export function* bodyMutants(exchange: Exchange, description: Description): Generator<Mutant> {
  const { body, status } = exchange.response;
  const { operation } = routeOf(exchange, description);
  const schema = operation && responseFor(operation, status)?.media[0]?.schema;
  if (schema === undefined || body === undefined) return;
  const places: Place[] = [];
  walk(description, schema, body, (place) => void places.push(place));
  for (const place of places) {
    for (const [operator, pointer, spec, changed] of changes(description, body, place, places)) {
      yield {
        operator,
        place: pointer,
        spec,
        exchange: { ...exchange, response: { ...exchange.response, body: changed } },
      };
    }
  }
}

function* changes(
  description: Description,
  body: Json,
  place: Place,
  places: readonly Place[],
): Generator<Change> {
  const { pointer, value, parts } = place;
  const set = (changed: Json) => replaced(body, pointer, changed);
  for (const change of valueChanges(place, set)) {
    // Another branch of a union may take what this one does not.
    if (!fitsElsewhere(description, parts, at(change[3], pointer) as Json)) yield change;
  }
  // Inside a value that nothing is said of, nothing can be wrong.
  if (!isObject(value) || parts.length === 0) return;
  const spec = parts.at(-1)?.pointer ?? "";
  for (const name of new Set(parts.flatMap(({ schema }) => schema.required ?? []))) {
    const part = parts.find(({ schema }) => schema.required?.includes(name)) as Part;
    const { [name]: _, ...rest } = value;
    if (name in value)
      yield [
        "drop required",
        pointer + step(name),
        `${part.pointer}/required/${part.schema.required?.indexOf(name)}`,
        set(rest),
      ];
  }
  yield [
    "extra key",
    pointer + step(UNHEARD_OF),
    outermost(parts),
    set({ ...value, [UNHEARD_OF]: 1 }),
  ];
  for (const [key, own] of Object.entries(value)) {
    const { [key]: _, ...rest } = value;
    const [member] = memberOf(parts, key).pointers;
    const keyed = parts.find(({ schema }) => schema.propertyNames);
    const renamed = keyed ? `${key}!` : `${key}_`;
    yield [
      keyed ? "break map key" : "rename key",
      pointer + step(key),
      keyed ? `${keyed.pointer}/propertyNames` : (member ?? spec),
      set({ ...rest, [renamed]: own }),
    ];
  }
  yield* unionChanges(description, place, places, set);
}

function* valueChanges(
  { pointer, value, parts }: Place,
  set: (value: Json) => Json,
): Generator<Change> {
  for (const { pointer: spec, schema } of parts) {
    const types = [schema.type ?? []].flat();
    if (types.length > 0 && !types.includes("null"))
      yield ["null", pointer, `${spec}/type`, set(null)];
    const isNumber = types.includes("number") || types.includes("integer");
    for (const [type, sample] of Object.entries(SAMPLES)) {
      if (
        types.length === 0 ||
        type === "null" ||
        types.includes(type) ||
        (type === "number" && isNumber)
      )
        continue;
      yield [`${type} instead`, pointer, `${spec}/type`, set(sample)];
    }
    if (types.includes("integer") && !types.includes("number"))
      yield ["fraction", pointer, `${spec}/type`, set(1.5)];
    if (schema.const !== undefined && typeof value === "boolean")
      yield ["wrong constant", pointer, `${spec}/const`, set(!value)];
    if (schema.minItems && Array.isArray(value))
      yield ["empty list", pointer, `${spec}/minItems`, set([])];
    if (typeof value !== "string") continue;
    if (schema.const !== undefined || schema.enum)
      yield ["wrong tag", pointer, `${spec}/const`, set(UNHEARD_OF)];
    if (schema.pattern !== undefined) {
      const pattern = new RegExp(schema.pattern, "u");
      const broken = [
        value.slice(1),
        value.slice(0, -1),
        value.replaceAll(/\d/g, "9"),
        `?${value}`,
        `${value}?`,
        " ",
      ];
      for (const each of new Set(broken))
        if (!pattern.test(each)) yield ["break form", pointer, `${spec}/pattern`, set(each)];
    }
    if (schema.format === "uri") yield ["break form", pointer, `${spec}/format`, set("not a URL")];
  }
}

function fitsElsewhere(description: Description, parts: readonly Part[], value: Json): boolean {
  const chosen = new Set(parts.map(({ pointer }) => pointer));
  return parts.some(({ pointer, schema }) =>
    branchesOf(description, pointer, schema, value).some(
      (branch) => !chosen.has(branch) && passesAlone(description, branch, value),
    ),
  );
}

/** A branch that is told by a tag has no validator of its own: it is meant as soon as it is chosen. */
function passesAlone({ validators }: Description, branch: string, value: Json): boolean {
  return (validators[branch]?.(value).length ?? 0) === 0 && !isObject(value);
}

/** The tag of another branch, and the fields of another branch, which only its tag allows. */
function* unionChanges(
  description: Description,
  place: Place,
  places: readonly Place[],
  set: (value: Json) => Json,
): Generator<Change> {
  const value = place.value as { [key: string]: Json };
  const declared = declaredNames(place.parts);
  for (const part of place.parts) {
    for (const keyword of ["oneOf", "anyOf"] as const) {
      const tests = (part.schema[keyword] && testsOf(description, part.pointer, keyword)) || [];
      for (const tag of tests.flatMap((test) => test.tag ?? [])) {
        for (const other of tag.in ?? []) {
          const spec = `${part.pointer}/${keyword}`;
          if (other !== value[tag.name])
            yield [
              "tag of another branch",
              place.pointer + step(tag.name),
              spec,
              set({ ...value, [tag.name]: other }),
            ];
        }
      }
      if (tests.length === 0) continue;
      const others = places.filter((each) => each.shape === place.shape && isObject(each.value));
      const foreign = new Map(
        others.flatMap((each) => Object.entries(each.value as object) as [string, Json][]),
      );
      for (const [name, own] of foreign) {
        if (declared.includes(name) || memberOf(place.parts, name).pointers.length > 0) continue;
        yield [
          "field of another branch",
          place.pointer + step(name),
          part.pointer,
          set({ ...value, [name]: own }),
        ];
      }
    }
  }
}

/** The part that decides whether further keys may be there: the last that names members. */
function outermost(parts: readonly Part[]): string {
  return (
    (
      parts.findLast(({ schema }) => schema.properties ?? schema.additionalProperties) ??
      parts.at(-1)
    )?.pointer ?? ""
  );
}
