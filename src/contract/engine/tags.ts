import { bodyFaults } from "./body.js";
import { costOf, isSerious, limitOf } from "./cause.js";
import type { Fault } from "./fault.js";
import { groups } from "./groups.js";
import { at, lastOf, outerOf, parentOf, step } from "./pointer.js";
import type { RuleId } from "./rules.js";
import { short } from "./short.js";
import type { Description, Json } from "./types.js";
import { isObject, passes, unionsOf } from "./union.js";
import { either } from "./value.js";
import { byPointer, placesIn, type Place, type Subject } from "./walk.js";

/** An object whose tag may be wrong: what is wrong inside of it, and the branches that it does not have the tag of. */
interface Suspect {
  faults: Fault[];
  branches: Branch[];
}

/** A branch of a union: the value of its tag, and what is wrong with the tag if this branch is meant. */
interface Branch {
  value: Json;
  fault: Fault;
}

/** The faults of a body; those of an object which another tag explains are one of the tag. */
export function faultsByTag(subject: Subject, placesAtFirst = placesIn(subject)): Fault[] {
  const wrong = new Map<string, Fault>();
  const tried = new Set<string>();
  let [here, places] = [subject, placesAtFirst];
  // With the right tag around it, an object inside may show that its own is wrong.
  for (;;) {
    const faults = bodyFaults(here, places);
    const suspects = suspectsIn(places, faults.filter(isSerious), here.description);
    for (const pointer of tried) suspects.delete(pointer);
    if (suspects.size === 0)
      return [...faults.filter(({ pointer }) => !wrong.has(pointer)), ...wrong.values()];
    const meant = meantBranches(here, suspects);
    for (const pointer of suspects.keys()) tried.add(pointer);
    for (const { fault } of meant) wrong.set(fault.pointer, fault);
    here = withTags(here, meant);
    places = placesIn(here);
  }
}

/** The objects that have a tag and at least two faults. */
function suspectsIn(
  places: readonly Place[],
  faults: Fault[],
  description: Description,
): Map<string, Suspect> {
  const suspects = new Map<string, Suspect>();
  if (faults.length < 2) return suspects;
  for (const place of places) {
    const branches = otherBranches(description, place);
    if (branches.length > 0) suspects.set(place.pointer, { faults: [], branches });
  }
  for (const fault of faults)
    suspects.get(outerOf(fault.pointer, suspects) ?? "")?.faults.push(fault);
  for (const [pointer, each] of suspects) if (each.faults.length < 2) suspects.delete(pointer);
  return suspects;
}

function otherBranches({ unions }: Description, place: Place): Branch[] {
  const { parts, pointer, shape, value } = place;
  if (!isObject(value)) return [];
  return parts.flatMap(unionsOf).flatMap(({ pointer: spec }) => {
    const tests = unions[spec] ?? [];
    const declared = tests.flatMap(({ tag }) => tag?.in ?? []).map(String);
    return tests.flatMap((test): Branch[] => {
      if (!test.tag || passes(test, value)) return [];
      const { name, in: values, notIn = [] } = test.tag;
      const here = { pointer: pointer + step(name), shape: shape + step(name), spec };
      const expected = values
        ? `${either(values)}, whose fields are there`
        : `anything but ${either(notIn)}, whose fields are not there`;
      const actual = short(value[name]);
      const fault: Fault = { rule: "value/tag", ...here, expected, actual, declared };
      return [{ value: values?.[0] ?? `not ${either(notIn)}`, fault }];
    });
  });
}

/** The branches that are meant: each explains its object, and with the fewest faults. */
function meantBranches(subject: Subject, suspects: ReadonlyMap<string, Suspect>): Branch[] {
  const meant = new Map<string, Branch>();
  const least = new Map<string, number>();
  // All objects are tried at once: what is wrong in one does not depend on the tags of the others.
  for (let index = 0; ; index++) {
    const trial = [...suspects.values()].flatMap(({ branches }) => branches[index] ?? []);
    if (trial.length === 0) return [...meant.values()];
    const other = withTags(subject, trial);
    const places = placesIn(other);
    const known = byPointer(places);
    const rests = groups(bodyFaults(other, places), ({ pointer }) => outerOf(pointer, suspects));
    for (const [pointer, { faults, branches }] of suspects) {
      const branch = branches[index];
      const unproven = isForeign(faults) ? 2 : Infinity;
      const cost = costOf(faults, rests.get(pointer) ?? [], known, unproven);
      if (!branch || cost >= (least.get(pointer) ?? limitOf(faults))) continue;
      least.set(pointer, cost);
      meant.set(pointer, branch);
    }
  }
}

function withTags(subject: Subject, branches: readonly Branch[]): Subject {
  const body = structuredClone(subject.body);
  for (const { value, fault } of branches)
    (at(body, parentOf(fault.pointer)) as { [name: string]: Json })[lastOf(fault.pointer)] = value;
  return { ...subject, body };
}

/** Whether fields are missing and others are in their place: they are those of something else, whatever it is. */
function isForeign(faults: readonly Fault[]): boolean {
  const count = (wanted: RuleId) => faults.filter(({ rule }) => rule === wanted).length;
  return count("value/required") > 1 && count("drift/field") > 1;
}
