import { bodyFaults } from "./body.js";
import { isProven, isSerious, kindsOf, limitOf, settled } from "./cause.js";
import type { Fault } from "./fault.js";
import { groups } from "./groups.js";
import { at, lastOf, outerOf, parentOf, step } from "./pointer.js";
import type { RuleId } from "./rules.js";
import { short } from "./short.js";
import type { Description, Json } from "./types.js";
import { isObject, passes, unionsOf } from "./union.js";
import { either } from "./value.js";
import { placesIn, type Place, type Places, type Subject } from "./walk.js";

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

/** By pointer of the object. */
type Suspects = ReadonlyMap<string, Suspect>;
type Branches = ReadonlyMap<string, Branch>;

/** The faults of a body; those of an object which another tag explains are one of the tag. */
export function faultsByTag(subject: Subject): Fault[] {
  const wrong = new Map<string, Fault>();
  const tried = new Set<string>();
  for (let here = subject; ;) {
    const places = placesIn(here);
    const faults = bodyFaults(here, places);
    const suspects = suspectsOf(here, places, faults.filter(isSerious), tried);
    if (suspects.size === 0)
      return [...faults.filter(({ pointer }) => !wrong.has(pointer)), ...wrong.values()];
    const meant = meantBranches(here, suspects);
    for (const pointer of suspects.keys()) tried.add(pointer);
    for (const { fault } of meant.values()) wrong.set(fault.pointer, fault);
    here = withTags(here, meant);
  }
}

/** The objects with a tag and at least two faults; those inside of others wait for these. */
function suspectsOf(
  { description }: Subject,
  places: Places,
  faults: readonly Fault[],
  tried: ReadonlySet<string>,
): Suspects {
  const suspects = new Map<string, Suspect>();
  if (faults.length < 2) return suspects;
  const tagged = new Map<string, Branch[]>();
  for (const [pointer, place] of places) {
    const branches = otherBranches(description, place);
    if (branches.length > 0) tagged.set(pointer, branches);
  }
  for (const [holder, inside] of byHolder(faults, tagged)) {
    if (inside.length > 1 && !tried.has(holder))
      suspects.set(holder, { faults: inside, branches: tagged.get(holder) ?? [] });
  }
  const isOuter = (pointer: string) =>
    pointer === "" || outerOf(parentOf(pointer), suspects) === undefined;
  return new Map([...suspects].filter(([pointer]) => isOuter(pointer)));
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
function meantBranches(subject: Subject, suspects: Suspects): Branches {
  const meant = new Map<string, Branch>();
  const least = new Map<string, number>();
  // All objects are tried at once: what is wrong in one does not depend on the tags of the others.
  for (let index = 0; ; index++) {
    const trial = new Map<string, Branch>();
    for (const [pointer, { branches }] of suspects) {
      const branch = branches[index];
      if (branch) trial.set(pointer, branch);
    }
    if (trial.size === 0) return meant;
    const other = withTags(subject, trial);
    const places = placesIn(other);
    const rests = byHolder(bodyFaults(other, places), trial);
    for (const [pointer, branch] of trial) {
      const { faults = [] } = suspects.get(pointer) ?? {};
      const rest = rests.get(pointer) ?? [];
      const gone = settled(faults, rest);
      const isMeant = isProven(places, gone);
      const cost = kindsOf(rest) + (isMeant ? 0 : 2);
      if (!isMeant && !isForeign(gone)) continue;
      if (cost >= (least.get(pointer) ?? limitOf(faults))) continue;
      least.set(pointer, cost);
      meant.set(pointer, branch);
    }
  }
}

function withTags(subject: Subject, branches: Branches): Subject {
  const body = structuredClone(subject.body);
  for (const [pointer, { value, fault }] of branches)
    (at(body, pointer) as { [name: string]: Json })[lastOf(fault.pointer)] = value;
  return { ...subject, body };
}

/** Whether fields are missing and others are in their place: they are those of something else, whatever it is. */
function isForeign(gone: readonly Fault[]): boolean {
  const count = (wanted: RuleId) => gone.filter(({ rule }) => rule === wanted).length;
  return count("value/required") > 1 && count("drift/field") > 1;
}

function byHolder(
  faults: readonly Fault[],
  holders: ReadonlyMap<string, unknown>,
): Map<string, Fault[]> {
  return groups(faults, ({ pointer }) => outerOf(pointer, holders));
}
