import { bodyFaults, violationsIn } from "./body.js";
import { driftOf } from "./drift.js";
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
    const left = new Set(places.filter(({ pointer }) => !found.has(pointer)));
    const body = structuredClone(subject.body);
    for (const { pointer } of left) (at(body, pointer) as { [key: string]: Json })[name] = value;
    const fitting = fittingIn(
      { ...subject, body },
      [...left].map(({ pointer }) => pointer),
    );
    for (const { pointer, shape, value: object } of left) {
      if (!fitting.has(pointer)) continue;
      found.set(pointer, {
        rule: "value/tag",
        pointer: pointer + step(name),
        shape: shape + step(name),
        spec: union,
        expected: `${short(value)}, whose fields are there`,
        actual: short((object as { [key: string]: Json })[name]),
        declared: values.map(String),
      });
    }
  }
}

/** Of some objects of a body those in which nothing is wrong, by their pointers. */
function fittingIn(subject: Subject, pointers: readonly string[]): Set<string> {
  const fitting = new Set(pointers);
  const wrong = new Set(violationsIn(subject).map(({ pointer }) => pointer));
  for (const pointer of wrong) fitting.delete(objectOf(pointer, fitting) ?? "");
  const placeAt = placesIn(subject);
  for (const pointer of fitting) {
    const isWrong = (each: Fault) =>
      isSerious(each) && each.pointer !== pointer && outerOf(each.pointer, wrong) === undefined;
    if (driftOf(subject, placeAt(pointer)).some(isWrong)) fitting.delete(pointer);
  }
  return fitting;
}

function isSerious({ rule }: Fault): boolean {
  return rules[rule].verdict !== "gap-observed";
}

/** Of some objects the innermost that a fault is inside of, by their pointers. */
function objectOf(pointer: string, objects: { has(pointer: string): boolean }): string | undefined {
  return pointer === "" ? undefined : outerOf(parentOf(pointer), objects);
}
