import { step } from "../../../src/contract/engine/pointer.js";
import type { Json } from "../../../src/contract/engine/types.js";

const ANCHORED = /"\$(anchor|dynamicAnchor|dynamicRef)":|"\$ref":"(?!#\/)/;
/** What these hold are values, in which nothing refers to anything. */
const VALUES = new Set(["const", "enum", "example", "examples"]);

/**
 * A document whose references to anchors are pointers. In one document an anchor stands in one place, so that a
 * `$dynamicRef` leads where a `$ref` does.
 * @throws {Error} a reference leads out of the document, or to an anchor that is not there
 */
export function withoutAnchors(document: Json): Json {
  if (!ANCHORED.test(JSON.stringify(document))) return document;
  const anchors = new Map<string, string>();
  const collect = (value: Json, pointer: string) => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      if (/^\$(anchor|dynamicAnchor)$/.test(key) && typeof each === "string")
        anchors.set(`#${each}`, `#${encodeURI(pointer)}`);
      collect(each, pointer + step(key));
    }
  };
  const copy = (value: Json, pointer: string): Json => {
    if (Array.isArray(value)) return value.map((each, index) => copy(each, pointer + step(index)));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([key, each]): [string, Json] => {
      if (VALUES.has(key)) return [key, each];
      const isReference = /^\$(ref|dynamicRef)$/.test(key) && typeof each === "string";
      return isReference
        ? ["$ref", followed(each, pointer)]
        : [key, copy(each, pointer + step(key))];
    });
    if (typeof value.$ref === "string" && typeof value.$dynamicRef === "string")
      throw new Error(`${pointer} has $ref and $dynamicRef; put each into an allOf`);
    return Object.fromEntries(members);
  };
  const followed = (reference: string, pointer: string): string => {
    const target = reference.startsWith("#/") ? reference : anchors.get(reference);
    if (target !== undefined) return target;
    throw new Error(
      `${pointer} refers to ${reference}, which is not in this file; add it or correct the reference`,
    );
  };
  collect(document, "");
  return copy(document, "");
}
