import { bodyFaults } from "./body.js";
import { isProven, isSerious, kindsOf, limitOf, settled } from "./cause.js";
import type { Fault } from "./fault.js";
import { groups } from "./groups.js";
import { at, outerOf, parentOf, step } from "./pointer.js";
import type { RuleId } from "./rules.js";
import { short } from "./short.js";
import type { Json, Test } from "./types.js";
import { isObject, passes, unionsOf } from "./union.js";
import { either } from "./value.js";
import { placesIn, walk, type Place, type Subject } from "./walk.js";

/** An object whose tag may be wrong: what is wrong inside of it, and the branches that it does not have the tag of. */
interface Suspect {
  faults: Fault[];
  branches: Branch[];
}

/** A branch of a union, and what is wrong with the tag if this branch is meant. */
interface Branch {
  tag: { name: string; value: Json };
  fault: Fault;
}

/** The faults of a body; those of an object which another tag explains are one of the tag. */
export function faultsByTag(subject: Subject): Fault[] {
  const wrong = new Map<string, Fault>();
  const tried = new Set<string>();
  let { body } = subject;
  let faults = bodyFaults(subject);
  for (;;) {
    const here = { ...subject, body };
    const suspects = suspectsOf(here, faults.filter(isSerious), tried);
    if (suspects.size === 0) break;
    const meant = meantBranches(here, suspects);
    for (const pointer of suspects.keys()) tried.add(pointer);
    if (meant.size === 0) continue;
    for (const { fault } of meant.values()) wrong.set(fault.pointer, fault);
    body = withTags(body, meant);
    faults = bodyFaults({ ...subject, body });
  }
  return [...faults.filter(({ pointer }) => !wrong.has(pointer)), ...wrong.values()];
}

/** The objects with a tag and at least two faults, by pointer; those inside of others wait for these. */
function suspectsOf(
  subject: Subject,
  faults: readonly Fault[],
  tried: ReadonlySet<string>,
): Map<string, Suspect> {
  const suspects = new Map<string, Suspect>();
  if (faults.length < 2) return suspects;
  const tagged = new Map<string, Branch[]>();
  walk(subject, (place) => {
    const branches = otherBranches(subject, place);
    if (branches.length > 0) tagged.set(place.pointer, branches);
  });
  for (const [pointer, inside] of byHolder(faults, tagged)) {
    if (inside.length > 1 && !tried.has(pointer))
      suspects.set(pointer, { faults: inside, branches: tagged.get(pointer) ?? [] });
  }
  const isOuter = (pointer: string) =>
    pointer === "" || outerOf(parentOf(pointer), suspects) === undefined;
  return new Map([...suspects].filter(([pointer]) => isOuter(pointer)));
}

function otherBranches(
  { description }: Subject,
  { parts, pointer, shape, value }: Place,
): Branch[] {
  if (!isObject(value)) return [];
  return parts.flatMap(unionsOf).flatMap((union) => {
    const tests = description.unions[union.pointer] ?? [];
    const declared = tests.flatMap(({ tag }) => tag?.in ?? []).map(String);
    return tests.flatMap((test: Test): Branch[] => {
      if (!test.tag || passes(test, value)) return [];
      const { name, in: values, notIn = [] } = test.tag;
      const fault: Fault = {
        rule: "value/tag",
        pointer: pointer + step(name),
        shape: shape + step(name),
        spec: union.pointer,
        expected: values
          ? `${either(values)}, whose fields are there`
          : `anything but ${either(notIn)}, whose fields are not there`,
        actual: short(value[name]),
        declared,
      };
      return [{ tag: { name, value: values?.[0] ?? `not ${either(notIn)}` }, fault }];
    });
  });
}

/** The branches that are meant, by pointer of the object: each explains its object, and with the fewest faults. */
function meantBranches(
  subject: Subject,
  suspects: ReadonlyMap<string, Suspect>,
): Map<string, Branch> {
  const meant = new Map<string, Branch>();
  const least = new Map([...suspects].map(([pointer, { faults }]) => [pointer, limitOf(faults)]));
  // All objects are tried at once: what is wrong in one does not depend on the tags of the others.
  for (let index = 0; ; index++) {
    const trial = new Map<string, Branch>();
    for (const [pointer, { branches }] of suspects) {
      const branch = branches[index];
      if (branch) trial.set(pointer, branch);
    }
    if (trial.size === 0) return meant;
    const other = { ...subject, body: withTags(subject.body, trial) };
    const placeAt = placesIn(other);
    const rests = byHolder(bodyFaults(other).filter(isSerious), trial);
    for (const [pointer, branch] of trial) {
      const rest = rests.get(pointer) ?? [];
      const gone = settled(suspects.get(pointer)?.faults ?? [], rest);
      const isMeant = isProven(placeAt, gone);
      const cost = kindsOf(rest) + (isMeant ? 0 : 2);
      if (!isMeant && !isForeign(gone)) continue;
      if (cost >= (least.get(pointer) ?? 0)) continue;
      least.set(pointer, cost);
      meant.set(pointer, branch);
    }
  }
}

function withTags(body: Json, branches: ReadonlyMap<string, Branch>): Json {
  const copy = structuredClone(body);
  for (const [pointer, { tag }] of branches)
    (at(copy, pointer) as { [name: string]: Json })[tag.name] = tag.value;
  return copy;
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
