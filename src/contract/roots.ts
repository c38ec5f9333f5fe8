import { bodyFaults } from "./body.js";
import type { Fault } from "./fault.js";
import { keyOf, parentOf, step } from "./pointer.js";
import { rules } from "./rules.js";
import { short } from "./short.js";
import type { DescribedResponse, Json, Operation } from "./types.js";
import { isObject, unionsOf } from "./union.js";
import { placeAt, type Subject } from "./walk.js";

/** Objects that are tried with another tag; with more of them the list itself is wrong. */
const TRIED = 50;

/**
 * Finds the one cause of many faults: an object whose tag does not belong to its fields, or a body that belongs to
 * another status. A single fault is its own cause.
 */
export function rootFaults(
  subject: Subject,
  operation: Operation,
  response: DescribedResponse,
  status: number,
): Fault[] {
  const faults = withoutTags(subject, bodyFaults(subject));
  if (faults.filter(isSerious).length < 2) return faults;
  const other = operation.responses.find(({ media: [media] }) => {
    if (media?.schema === undefined || media.schema === subject.schema) return false;
    // A schema that takes anything proves nothing.
    const others = bodyFaults({ ...subject, schema: media.schema });
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
function withoutTags(subject: Subject, faults: Fault[]): Fault[] {
  const seen = new Set<string>();
  const suspects = new Set<string>();
  for (const { pointer } of faults.filter(isSerious)) {
    const parent = parentOf(pointer);
    (seen.has(parent) ? suspects : seen).add(parent);
  }
  let left = faults;
  for (const pointer of [...suspects].slice(0, TRIED)) {
    const fault = tagFault(subject, pointer);
    if (fault) left = [...left.filter((each) => !isInside(each, pointer)), fault];
  }
  return left;
}

function tagFault(subject: Subject, pointer: string): Fault | undefined {
  const { parts, shape, value: object } = placeAt(subject, pointer);
  if (!isObject(object)) return undefined;
  for (const union of parts.flatMap(unionsOf)) {
    const tags = (subject.description.unions[union.pointer] ?? []).flatMap(({ tag }) => tag ?? []);
    const values = tags.flatMap((tag) => tag.in ?? []);
    const name = tags[0]?.name ?? "";
    const fits = values.find((value) => {
      const body = replaced(subject.body, pointer, { ...object, [name]: value });
      const faults = bodyFaults({ ...subject, body });
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
