import { bodyFaults, isFree } from "./body.js";
import { at, lastOf, parentOf, step } from "./pointer.js";
import { mediaOf } from "./route.js";
import { rules, type Fault } from "./rules.js";
import { isObject, memberOf, partsOf, passes, placesIn, typeOf, unionsOf } from "./schema.js";
import type { Part, Place, Subject } from "./schema.js";
import { either, short } from "./short.js";
import type { DescribedResponse, Description, Exchange, Json, Operation } from "./types.js";

/**
 * Checks a body, and replaces many faults with their one cause: a tag that does not match the fields of its object,
 * or a body that belongs to another status. Unrelated faults remain.
 */
export function rootFaults(
  subject: Subject,
  operation: Operation,
  response: DescribedResponse,
  exchange: Exchange,
): Fault[] {
  const faults = faultsByTag(subject);
  const { description, body } = subject;
  const parts = partsOf(description, [subject.schema], body);
  const own = fitOf(description, parts, body);
  // An undeclared field alone does not suggest another status.
  const isWrong = faults.some(({ rule }) => rules[rule].verdict === "violation");
  const isSuccess = response.status.startsWith("2");
  const acceptsAll = isSuccess && parts.every(({ schema }) => !schema.required?.length);
  for (const other of operation.responses) {
    const { schema } = mediaOf(other, exchange) ?? {};
    if (schema === undefined || schema === subject.schema) continue;
    const fit = fitOf(description, partsOf(description, [schema], body), body);
    const isError = !other.status.startsWith("2") && fit.wrong.length === 0 && fit.isConstant;
    if (!(isWrong ? isBetter(fit, own) : acceptsAll && isError)) continue;
    const cause = { pointer: "", place: "status", shape: other.status, spec: response.pointer };
    const expected = `the body of status ${response.status}`;
    const actual = `a body for status ${other.status}, sent with status ${exchange.response.status}`;
    const rest = faultsByTag({ ...subject, schema });
    return [{ rule: "surface/wrong-status", ...cause, expected, actual }, ...rest];
  }
  return faults;
}

/** How well the fields of an object fit a schema, by their names and constants. */
interface Fit {
  /** Fields that are missing, undeclared, or not the constant. */
  missing: string[];
  undeclared: string[];
  wrong: string[];
  /** Correct fields that the schema describes. */
  right: Set<string>;
  /** Whether one of these is a constant. */
  isConstant: boolean;
}

/** The empty name represents the type of the value. */
function fitOf(description: Description, parts: readonly Part[], value: Json): Fit {
  const types = parts.flatMap(({ schema }) => schema.type ?? []);
  const isTyped = types.length > 0;
  const fit: Fit = { missing: [], undeclared: [], wrong: [], right: new Set(), isConstant: false };
  if (isTyped && !types.includes(typeOf(value))) return { ...fit, wrong: [""] };
  if (isTyped) fit.right.add("");
  if (!isObject(value)) return fit;
  const isDescribed = parts.some(({ schema }) => schema.properties);
  for (const key of Object.keys(value)) {
    const own = value[key] as Json;
    const members = partsOf(description, memberOf(parts, key), own);
    const constant = members.find(({ schema }) => schema.const !== undefined);
    if (members.length === 0) fit.undeclared.push(...(isDescribed ? [key] : []));
    else if (constant && constant.schema.const !== own) fit.wrong.push(key);
    else if (!isFree(members)) fit.right.add(key);
    fit.isConstant ||= constant?.schema.const === own;
  }
  const required = new Set(parts.flatMap(({ schema }) => schema.required ?? []));
  fit.missing = [...required].filter((name) => !Object.hasOwn(value, name));
  fit.wrong = [...fit.wrong, ...fit.missing, ...fit.undeclared];
  return fit;
}

/** Whether another schema fits better even without the cause itself, confirmed by a field or the type. */
function isBetter(other: Fit, own: Fit): boolean {
  const isProven = own.wrong.some((name) => other.right.has(name));
  return isProven && other.wrong.length < Math.max(1, own.wrong.length - 1);
}

/** The faults of a body. If another tag explains the faults of an object, only the tag is reported. */
function faultsByTag(subject: Subject): Fault[] {
  const places = placesIn(subject);
  const faults = bodyFaults(subject, places);
  const suspects = new Set(faults.map(({ pointer }) => parentOf(pointer)));
  const meant = places
    .filter(({ pointer }) => suspects.has(pointer))
    .flatMap((place) => meantTag(subject.description, place) ?? []);
  if (meant.length === 0) return faults;
  const body = structuredClone(subject.body);
  for (const { value, fault } of meant)
    (at(body, parentOf(fault.pointer)) as { [name: string]: Json })[lastOf(fault.pointer)] = value;
  // Correcting the tag of an outer object may reveal that an inner tag is wrong.
  const pointers = new Set(meant.map(({ fault }) => fault.pointer));
  const rest = faultsByTag({ ...subject, body }).filter(({ pointer }) => !pointers.has(pointer));
  return [...rest, ...meant.map(({ fault }) => fault)];
}

/** The tag of the best-fitting branch, and the fault of the actual tag, if the two differ. */
function meantTag(
  description: Description,
  { parts, pointer, shape, schemas, value }: Place,
): { value: Json; fault: Fault } | undefined {
  if (!isObject(value)) return undefined;
  const own = fitOf(description, parts, value);
  if (own.wrong.length < 2) return undefined;
  // A catch-all branch may describe no fields; then several faults of both kinds prove it.
  const isForeign = own.missing.length > 1 && own.undeclared.length > 1;
  let best = own;
  let meant: { value: Json; fault: Fault } | undefined;
  for (const { pointer: spec } of parts.flatMap(unionsOf)) {
    const tests = description.unions[spec] ?? [];
    const declared = tests.flatMap(({ tag }) => tag?.in ?? []).map(String);
    for (const test of tests) {
      if (!test.tag || passes(test, value)) continue;
      const { name, in: values, notIn = [] } = test.tag;
      const tag = values?.[0] ?? `not ${either(notIn)}`;
      const changed = { ...value, [name]: tag };
      const fit = fitOf(description, partsOf(description, schemas, changed), changed);
      const isMeant = isBetter(fit, own) || (!values && isForeign);
      if (!isMeant || fit.wrong.length >= best.wrong.length) continue;
      best = fit;
      const here = { pointer: pointer + step(name), shape: shape + step(name), spec, declared };
      const expected = values
        ? `${either(values)}, to match the other fields`
        : `a value other than ${either(notIn)}, to match the other fields`;
      const fault: Fault = { rule: "value/tag", ...here, expected, actual: short(value[name]) };
      meant = { value: tag, fault };
    }
  }
  return meant;
}
