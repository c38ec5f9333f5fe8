import { bodyFaults } from "./body.js";
import { isFree } from "./drift.js";
import type { Fault } from "./fault.js";
import { mediaOf } from "./operations.js";
import { at, outerOf, parentOf, step } from "./pointer.js";
import { rules, type RuleId } from "./rules.js";
import { short } from "./short.js";
import type { DescribedResponse, Exchange, Json, Operation, Test } from "./types.js";
import { isObject, passes, unionsOf } from "./union.js";
import { either } from "./value.js";
import { placesIn, walk, type Place, type Subject } from "./walk.js";

/**
 * Finds the causes of many faults: objects whose tag does not belong to their fields, and a body that belongs to
 * another status. What a cause does not explain is left beside it, as the schema of the cause has it.
 */
export function rootFaults(
  subject: Subject,
  operation: Operation,
  response: DescribedResponse,
  exchange: Exchange,
): Fault[] {
  const faults = faultsByTag(subject);
  // A field that nobody described is no reason to doubt the status.
  if (!faults.some(({ rule }) => rules[rule].verdict === "violation")) return faults;
  const serious = faults.filter(isSerious);
  for (const each of operation.responses) {
    const { schema } = mediaOf(each, exchange) ?? {};
    if (schema === undefined || schema === subject.schema) continue;
    const other = { ...subject, schema };
    const left = faultsByTag(other);
    const rest = left.filter(isSerious);
    if (kindsOf(rest) >= limitOf(serious) || !isProven(placesIn(other), settled(faults, rest)))
      continue;
    const cause: Fault = {
      rule: "surface/wrong-status",
      pointer: "",
      shape: each.status,
      place: "status",
      spec: response.pointer,
      expected: `the body of status ${response.status}`,
      actual: `the body of status ${each.status}, under ${exchange.response.status}`,
    };
    return [cause, ...left];
  }
  return faults;
}

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
function faultsByTag(subject: Subject): Fault[] {
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

/** How many findings faults come to: the same fault in every item of a list is one. */
function kindsOf(faults: readonly Fault[]): number {
  return new Set(faults.map(({ rule, shape, spec }) => [rule, shape, spec].join("\n"))).size;
}

/** What a cause has to cost less than: nothing may be left, or fewer than there were, the cause itself counted in. */
function limitOf(faults: readonly Fault[]): number {
  return Math.max(1, kindsOf(faults) - 1);
}

/** What another schema has nothing against. */
function settled(faults: readonly Fault[], left: readonly Fault[]): Fault[] {
  const wrong = new Set(left.map(({ pointer }) => pointer));
  return faults.filter(({ pointer }) => !wrong.has(pointer));
}

/** Whether a schema describes some of what is not faulty by it; one that takes anything proves nothing. */
function isProven(placeAt: (pointer: string) => Place, gone: readonly Fault[]): boolean {
  return gone.some(
    ({ rule, pointer }) => rule !== "value/required" && !isFree(placeAt(pointer).parts),
  );
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
  const groups = new Map<string, Fault[]>();
  for (const fault of faults) {
    const holder = outerOf(fault.pointer, holders);
    if (holder === undefined) continue;
    const group = groups.get(holder);
    if (group) group.push(fault);
    else groups.set(holder, [fault]);
  }
  return groups;
}

function isSerious({ rule }: Fault): boolean {
  return rules[rule].verdict !== "gap-observed";
}
