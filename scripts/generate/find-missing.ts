import { keysAt, resolveRef } from "../../src/openapi/document.js";
import { parentPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { isJson, isSuccess } from "../../src/openapi/route.js";
import { isObject, schemaAt } from "../../src/openapi/schema.js";
import type { Json, Operation } from "../../src/openapi/description.js";
import type { CheckedDescription } from "../description/description.js";
import { reachInPlace, schemasIn } from "../description/schema-pointers.js";
import { positionOf } from "../description/yaml.js";
import { CATALOGUE, FULL } from "../shared/paths.js";
import { findConflict, listMissing } from "./add-missing.js";

/** Lists the operations and the properties of the specification that the full description lacks, each with a fix. */
export function findMissing(specified: CheckedDescription, full: CheckedDescription): string[] {
  const fix = "npm run generate -- --add-missing copies it with its schemas";
  const lines = listMissing(specified.document, full.document).map((each) => {
    const conflict = findConflict(each, full.document);
    return conflict
      ? `${[FULL, ...positionOf(full, conflict.pointer)].join(":")}: ${conflict.text}`
      : `${FULL}: ${each.id} is specified but missing; ${fix}`;
  });
  return lines.length > 0 ? lines : listMissingProperties(specified, full);
}

/** Lists the properties of the specification that the full description does not declare in the same body. */
function listMissingProperties(specified: CheckedDescription, full: CheckedDescription): string[] {
  const lines = new Set<string>();
  const compared = new Set<string>();
  const compare = (own: readonly string[], others: readonly string[]) => {
    const key = JSON.stringify([own, others]);
    if (own.length === 0 || others.length === 0 || compared.has(key)) return;
    compared.add(key);
    const expected = describeValue(specified.document, own);
    const declared = describeValue(full.document, others);
    compare(expected.inner, declared.inner);
    // An object without declared properties can have any property.
    if (declared.properties.size === 0) return;
    for (const [name, pointers] of expected.properties) {
      const known = declared.properties.get(name);
      const [pointer = ""] = pointers;
      const [[sibling = ""] = []] = declared.properties.values();
      const type = typeOf(specified.document, pointer);
      const renamed = [...declared.properties].find(
        ([other, [at = ""]]) =>
          !expected.properties.has(other) &&
          typeOf(full.document, at) === type &&
          (expected.required.has(name) || !declared.required.has(other)),
      );
      const location = [CATALOGUE, ...positionOf(specified, pointer)].join(":");
      const locate = (at = "") => [FULL, ...positionOf(full, at)].join(":");
      if (known) compare(pointers, known);
      else if (renamed) {
        const [other, [at]] = renamed;
        const fix = `if deployments still send ${other}, declare both there, as docs/maintaining.md says; otherwise, rename ${other}`;
        lines.add(
          `${location}: the specification has ${name}, but ${locate(at)} has ${other}; ${fix}`,
        );
      } else if (expected.required.has(name))
        lines.add(
          `${location}: ${name} is specified, but ${locate(parentPointer(parentPointer(sibling)))} does not declare it; add it there`,
        );
    }
  };
  for (const each of specified.operations) {
    const other = full.operations.find(({ id }) => id === each.id)!;
    for (const schemasOf of [requestSchemas, resultSchemas])
      compare(schemasOf(each), schemasOf(other));
  }
  return [...lines];
}

const requestSchemas = ({ requestContent }: Operation) => schemasIn(requestContent.filter(isJson));
const resultSchemas = ({ responses }: Operation) =>
  schemasIn(responses.filter(isSuccess).flatMap(({ content }) => content.filter(isJson)));

/** What the schemas of a value declare. */
interface DeclaredValue {
  /** Pointers to the schemas of each property. */
  properties: Map<string, string[]>;
  required: Set<string>;
  /** Pointers to the schemas of items and of the values of maps. */
  inner: string[];
}

function describeValue(document: Json, pointers: readonly string[]): DeclaredValue {
  const properties = new Map<string, string[]>();
  const required = new Set<string>();
  const inner: string[] = [];
  for (const at of reachInPlace(document, pointers)) {
    const { required: names = [], ...schema } = schemaAt(document, at);
    for (const name of names) required.add(name);
    for (const name of keysAt(document, `${at}/properties`)) {
      const property = `${at}/properties${toReferenceToken(name)}`;
      properties.set(name, [...(properties.get(name) ?? []), property]);
    }
    for (const keyword of ["items", "additionalProperties"] as const)
      if (isObject(schema[keyword])) inner.push(`${at}/${keyword}`);
  }
  return { properties, required, inner };
}

/** Returns the JSON types that a schema allows, without null. */
function typeOf(document: Json, pointer: string): string {
  const { type = [] } = schemaAt(document, resolveRef(document, pointer));
  return [type]
    .flat()
    .filter((each) => each !== "null")
    .join();
}
