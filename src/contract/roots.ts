import { bodyFaults } from "./body.js";
import type { Fault } from "./fault.js";
import { mediaOf } from "./operations.js";
import { at, outerOf, parentOf, step } from "./pointer.js";
import { rules } from "./rules.js";
import { short } from "./short.js";
import type { DescribedResponse, Exchange, Json, Operation } from "./types.js";
import { isObject, unionsOf } from "./union.js";
import { placesIn, type Place, type Subject } from "./walk.js";

/**
 * Finds the one cause of many faults: an object whose tag does not belong to its fields, or a body that belongs to
 * another status. A single fault is its own cause.
 */
export function rootFaults(
  subject: Subject,
  operation: Operation,
  response: DescribedResponse,
  exchange: Exchange,
): Fault[] {
  const faults = withoutTags(subject, bodyFaults(subject));
  if (faults.filter(isSerious).length < 2) return faults;
  const other = operation.responses.find((each) => {
    const { schema } = mediaOf(each, exchange) ?? {};
    if (schema === undefined || schema === subject.schema) return false;
    // A schema that takes anything proves nothing.
    const others = bodyFaults({ ...subject, schema });
    return !others.some((fault) => isSerious(fault) || fault.pointer === "");
  });
  if (!other) return faults;
  return [
    {
      rule: "surface/wrong-status",
      pointer: "",
      shape: other.status,
      place: "status",
      spec: response.pointer,
      expected: `the body of status ${response.status}`,
      actual: `the body of status ${other.status}, under ${exchange.response.status}`,
    },
  ];
}

/** The faults, with one of the tag instead of those of an object that has none with another tag. */
function withoutTags(subject: Subject, faults: Fault[]): Fault[] {
  const seen = new Set<string>();
  const suspects = new Set<string>();
  for (const { pointer } of faults.filter(isSerious)) {
    const parent = parentOf(pointer);
    (seen.has(parent) ? suspects : seen).add(parent);
  }
  // None of the objects of one shape is in another: these are tried together.
  const groups = new Map<string, { union: string; places: Place[] }>();
  for (const place of Array.from(suspects, placesIn(subject))) {
    if (!isObject(place.value)) continue;
    for (const { pointer: union } of place.parts.flatMap(unionsOf)) {
      const key = `${place.shape} ${union}`;
      const group = groups.get(key) ?? { union, places: [] };
      group.places.push(place);
      groups.set(key, group);
    }
  }
  const tags = new Map<string, Fault>();
  for (const { union, places } of groups.values()) addTagFaults(tags, subject, union, places);
  const isExplained = ({ pointer }: Fault) => objectOf(pointer, tags) !== undefined;
  const inOrder = [...suspects].flatMap((pointer) => tags.get(pointer) ?? []);
  return [...faults.filter((each) => !isExplained(each)), ...inOrder];
}

/** Tries objects of one shape with each tag of a union; those that fit with one get a fault, by their pointers. */
function addTagFaults(
  found: Map<string, Fault>,
  subject: Subject,
  union: string,
  places: readonly Place[],
): void {
  const tags = (subject.description.unions[union] ?? []).flatMap(({ tag }) => tag ?? []);
  const values = tags.flatMap((tag) => tag.in ?? []);
  const name = tags[0]?.name ?? "";
  for (const value of values) {
    const fitting = new Map(places.map((place) => [place.pointer, place]));
    const body = structuredClone(subject.body);
    for (const pointer of fitting.keys())
      (at(body, pointer) as { [key: string]: Json })[name] = value;
    for (const fault of bodyFaults({ ...subject, body }).filter(isSerious))
      fitting.delete(objectOf(fault.pointer, fitting) ?? "");
    for (const { pointer, shape, value: object } of fitting.values()) {
      if (found.has(pointer)) continue;
      found.set(pointer, {
        rule: "value/tag",
        pointer: pointer + step(name),
        shape: shape + step(name),
        spec: union,
        expected: `${short(value)}, whose fields are there`,
        actual: short(at(object, step(name))),
        declared: values.map(String),
      });
    }
  }
}

function isSerious({ rule }: Fault): boolean {
  return rules[rule].verdict !== "gap-observed";
}

/** Of some objects the innermost that a fault is inside of, by their pointers. */
function objectOf(pointer: string, objects: { has(pointer: string): boolean }): string | undefined {
  return pointer === "" ? undefined : outerOf(parentOf(pointer), objects);
}
