import { bodyFaults } from "./body.js";
import type { Fault } from "./fault.js";
import { at, keyOf, parentOf, step } from "./pointer.js";
import { rules } from "./rules.js";
import { short } from "./short.js";
import type { Description, DescribedResponse, Json, Operation } from "./types.js";
import { isObject, unionsOf } from "./union.js";
import { placeAt } from "./walk.js";

/** Objects that are tried with another tag; with more of them the list itself is wrong. */
const TRIED = 50;

/**
 * Finds the one cause of many faults: an object whose tag does not belong to its fields, or a body that belongs to
 * another status. A single fault is its own cause.
 */
export function rootFaults(
  description: Description,
  operation: Operation,
  response: DescribedResponse,
  schema: string,
  body: Json,
  status: number,
): Fault[] {
  const faults = withoutTags(description, schema, body, bodyFaults(description, schema, body));
  if (faults.filter(isSerious).length < 2) return faults;
  const other = operation.responses.find(({ media: [media] }) => {
    if (media?.schema === undefined || media.schema === schema) return false;
    // A schema that takes anything proves nothing.
    const others = bodyFaults(description, media.schema, body);
    return !others.some((each) => isSerious(each) || each.pointer === "");
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
      actual: `the body of status ${other.status}, under ${status}`,
    },
  ];
}

/** The faults, with one of the tag instead of those of an object that has none with another tag. */
function withoutTags(
  description: Description,
  schema: string,
  body: Json,
  faults: Fault[],
): Fault[] {
  const seen = new Set<string>();
  const suspects = new Set<string>();
  for (const { pointer } of faults.filter(isSerious)) {
    const parent = parentOf(pointer);
    (seen.has(parent) ? suspects : seen).add(parent);
  }
  let left = faults;
  for (const pointer of [...suspects].slice(0, TRIED)) {
    const fault = tagFault(description, schema, body, pointer);
    if (fault) left = [...left.filter((each) => !isInside(each, pointer)), fault];
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
  for (const union of parts.flatMap(unionsOf)) {
    const tags = (description.unions[union.pointer] ?? []).flatMap(({ tag }) => tag ?? []);
    const values = tags.flatMap((tag) => tag.in ?? []);
    const name = tags[0]?.name ?? "";
    const fits = values.find((value) => {
      const swapped = replaced(body, pointer, { ...object, [name]: value });
      const faults = bodyFaults(description, schema, swapped);
      return !faults.some((each) => isSerious(each) && isInside(each, pointer));
    });
    if (fits === undefined) continue;
    return {
      rule: "value/tag",
      pointer: pointer + step(name),
      shape: shape + step(name),
      spec: union.pointer,
      expected: `${short(fits)}, whose fields are there`,
      actual: short(object[name]),
      declared: values.map(String),
    };
  }
  return undefined;
}

/** A body with another value at a pointer; the rest is shared. */
export function replaced(body: Json, pointer: string, value: Json): Json {
  if (pointer === "") return value;
  const [, first = "", rest = ""] = /^\/([^/]*)(.*)$/s.exec(pointer) ?? [];
  const key = keyOf(first);
  const inner = replaced((body as { [key: string]: Json })[key] as Json, rest, value);
  return Array.isArray(body)
    ? body.with(Number(key), inner)
    : { ...(body as object), [key]: inner };
}

function isSerious({ rule }: Fault): boolean {
  return rules[rule].verdict !== "gap-observed";
}

function isInside({ pointer }: Fault, outer: string): boolean {
  return pointer.startsWith(`${outer}/`);
}
