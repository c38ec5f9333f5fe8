import { bodyFaults } from "./body.js";
import { isFree } from "./drift.js";
import type { Fault } from "./finding.js";
import { at, lastOf, outerOf, parentOf, step } from "./pointer.js";
import { mediaOf } from "./route.js";
import { rules, type RuleId } from "./rules.js";
import { isObject, passes, unionsOf, type Part } from "./schema.js";
import { either, short } from "./short.js";
import type { DescribedResponse, Description, Exchange, Json, Operation } from "./types.js";
import { byPointer, placesIn, type Place, type Places, type Subject } from "./walk.js";

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
  const own = placesIn(subject);
  const faults = faultsByTag(subject, own);
  // A field that nobody described is no reason to doubt the status.
  const isWrong = faults.some(({ rule }) => rules[rule].verdict === "violation");
  const isAny = response.status.startsWith("2") && !own[0]?.parts.some(isDemanding);
  if (!isWrong && !isAny) return faults;
  for (const each of operation.responses) {
    const { schema } = mediaOf(each, exchange) ?? {};
    if (schema === undefined || schema === subject.schema) continue;
    const other = { ...subject, schema };
    const places = placesIn(other);
    const left = faultsByTag(other, places);
    const isMeant = isWrong
      ? costOf(faults, left, byPointer(places)) < limitOf(faults)
      : !each.status.startsWith("2") && !left.some(isSerious) && hasConstant(places);
    if (!isMeant) continue;
    const cause = { pointer: "", place: "status", shape: each.status, spec: response.pointer };
    const expected = `the body of status ${response.status}`;
    const actual = `the body of status ${each.status}, under ${exchange.response.status}`;
    return [{ rule: "surface/wrong-status", ...cause, expected, actual }, ...left];
  }
  return faults;
}

function isDemanding({ schema }: Part): boolean {
  return (schema.required ?? []).length > 0;
}

/** Whether a value is the very one that is described: that a body merely fits proves little. */
function hasConstant(places: readonly Place[]): boolean {
  return places.some(({ parts }) => parts.some(({ schema }) => "const" in schema));
}

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
function faultsByTag(subject: Subject, placesAtFirst = placesIn(subject)): Fault[] {
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
    const rests = new Map<string, Fault[]>();
    for (const fault of bodyFaults(other, places)) {
      const pointer = outerOf(fault.pointer, suspects) ?? "";
      rests.set(pointer, [...(rests.get(pointer) ?? []), fault]);
    }
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

/** Whether a fault can be the effect of another. */
function isSerious({ rule }: Fault): boolean {
  return rules[rule].verdict !== "gap-observed";
}

/** What a cause has to cost less than: nothing may be left, or fewer than there were, the cause itself counted in. */
function limitOf(faults: readonly Fault[]): number {
  return Math.max(1, kindsOf(faults) - 1);
}

/**
 * How much another schema or tag leaves of some faults.
 * @param unproven what it costs more where it describes nothing of what is not faulty by it, as one that takes anything
 */
function costOf(
  faults: readonly Fault[],
  left: readonly Fault[],
  places: Places,
  unproven = Infinity,
): number {
  const wrong = new Set(left.filter(isSerious).map(({ pointer }) => pointer));
  const isProof = ({ rule, pointer }: Fault) =>
    rule !== "value/required" && !wrong.has(pointer) && !isFree(places.get(pointer)?.parts ?? []);
  return kindsOf(left) + (faults.some(isProof) ? 0 : unproven);
}

/** How many findings faults come to: the same fault in every item of a list is one. */
function kindsOf(faults: readonly Fault[]): number {
  const serious = faults.filter(isSerious);
  return new Set(serious.map(({ rule, shape, spec }) => [rule, shape, spec].join("\n"))).size;
}
