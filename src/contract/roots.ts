import { bodyFaults, placeAt } from "./body.js";
import type { Fault } from "./fault.js";
import type { Operation, ResponseOf } from "./operations.js";
import { at, keyOf, parentOf, step } from "./pointer.js";
import { rules } from "./rules.js";
import { short } from "./short.js";
import type { Description, Json } from "./types.js";
import { isObject, testsOf } from "./walk.js";

/** Objects that are tried with another tag; with more of them the list itself is wrong. */
const TRIED = 50;

/**
 * Finds the one cause of many faults: an object whose tag does not belong to its fields, or a body that belongs to
 * another status. A single fault is its own cause.
 */
export function rootFaults(
  description: Description,
  operation: Operation,
  response: ResponseOf,
  schema: string,
  body: Json,
  status: number,
): Fault[] {
  const faults = tagFaults(description, schema, body, bodyFaults(description, schema, body));
  if (faults.filter(isSerious).length < 2) return faults;
  for (const other of operation.responses) {
    const due = other.media[0]?.schema;
    if (due === undefined || due === schema) continue;
    // A schema that takes anything proves nothing.
    if (bodyFaults(description, due, body).some((each) => isSerious(each) || each.pointer === ""))
      continue;
    const expected = `the body of status ${response.status}`;
    const actual = `the body of status ${other.status}, under ${status}`;
    return [
      {
        rule: "surface/wrong-status",
        pointer: "",
        shape: other.status,
        place: "status",
        spec: response.pointer,
        expected,
        actual,
      },
    ];
  }
  return faults;
}

function tagFaults(description: Description, schema: string, body: Json, faults: Fault[]): Fault[] {
  const perObject = new Map<string, Fault[]>();
  for (const fault of faults.filter(isSerious)) {
    const parent = parentOf(fault.pointer);
    perObject.set(parent, [...(perObject.get(parent) ?? []), fault]);
  }
  let left = faults;
  const suspects = [...perObject].filter(([, own]) => own.length > 1).slice(0, TRIED);
  for (const [pointer] of suspects) {
    const fault = tagFault(description, schema, body, pointer);
    if (fault) left = [...left.filter((each) => !isWithin(each.pointer, pointer)), fault];
  }
  return left;
}

function tagFault(
  description: Description,
  schema: string,
  body: Json,
  pointer: string,
): Fault | undefined {
  const object = at(body, pointer);
  if (!isObject(object)) return undefined;
  const { parts, shape } = placeAt(description, schema, body, pointer);
  for (const part of parts) {
    for (const keyword of ["oneOf", "anyOf"] as const) {
      const tests = (part.schema[keyword] && testsOf(description, part.pointer, keyword)) ?? [];
      for (const tag of tests.flatMap((test) => test.tag ?? [])) {
        const fits = tag.in?.find((value) => {
          const swapped = replaced(body, pointer, { ...object, [tag.name]: value });
          return !bodyFaults(description, schema, swapped).some(
            (each) => isSerious(each) && isWithin(each.pointer, pointer),
          );
        });
        if (fits === undefined) continue;
        return {
          rule: "value/tag",
          pointer: pointer + step(tag.name),
          shape: shape + step(tag.name),
          spec: `${part.pointer}/${keyword}`,
          expected: `${short(fits)}, whose fields are there`,
          actual: short(object[tag.name]),
          declared: tests.flatMap((test) => test.tag?.in ?? []).map(String),
        };
      }
    }
  }
  return undefined;
}

/** A body with another value at a pointer; the rest is shared. */
export function replaced(body: Json, pointer: string, value: Json): Json {
  const [key, rest] = splitFirst(pointer);
  if (key === undefined) return value;
  if (Array.isArray(body))
    return body.map((each, index) => (String(index) === key ? replaced(each, rest, value) : each));
  const inner = (body as { [key: string]: Json })[key] as Json;
  return { ...(body as object), [key]: replaced(inner, rest, value) };
}

function splitFirst(pointer: string): [key: string | undefined, rest: string] {
  if (pointer === "") return [undefined, ""];
  const end = pointer.indexOf("/", 1);
  const key = pointer.slice(1, end < 0 ? undefined : end);
  return [keyOf(key), end < 0 ? "" : pointer.slice(end)];
}

function isSerious({ rule }: Fault): boolean {
  return rules[rule].verdict !== "gap-observed";
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer.startsWith(`${outer}/`);
}
