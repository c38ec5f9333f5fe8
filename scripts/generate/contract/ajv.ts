import { Ajv2020, type Options } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { keysAt, resolveRef } from "../../../src/openapi/document.js";
import { getAtPointer, refToPointer, toReferenceToken } from "../../../src/openapi/pointer.js";
import { schemaAt, unionsIn, type Schema } from "../../../src/openapi/schema.js";
import type { BranchSelector, Description, Json } from "../../../src/openapi/description.js";
import { classifyKeyword } from "./schemas.js";

/** Formats that tell generators how to represent a value, but do not restrict it. */
const SILENT_FORMATS = new Set(["binary", "byte", "double", "float", "int32", "int64", "password"]);
/** An object literal with a member of this name would look like a promise. */
const THEN = "then";

/** ajv with the schemas of a document. The `schemaPath` of each error is a pointer into the document. */
export function createAjv(
  document: Json,
  unions: Description["unions"],
  options: Options = {},
): { ajv: Ajv2020; nameOf: (pointer: string) => string } {
  const ajv = new Ajv2020({
    strict: true,
    // One part of an allOf may rely on another part for the type.
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    messages: false,
    inlineRefs: false,
    code: { source: true, esm: true, optimize: 2 },
    ...options,
  });
  // Otherwise ajv tracks evaluated members at every step, and no supported keyword needs that.
  Object.assign(ajv.opts, { unevaluated: false, dynamicRef: false });
  formats.default(ajv);
  ajv.addFormat("uri", uriFormat());

  const names = new Map<string, string>();
  const add = (key: string, pointer: string, makeSchema: () => unknown): string => {
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = `v${names.size}`;
    names.set(key, name);
    ajv.addSchema(makeSchema() as object, name);
    // ajv prefixes the `schemaPath` of this schema's errors with it.
    Object.assign(ajv.schemas[name] as object, { schemaPath: pointer });
    return name;
  };
  const nameOf = (pointer: string) => add(pointer, pointer, () => copy(pointer));

  /** A schema without annotations, with each union turned into an if/then chain. */
  const copy = (pointer: string): unknown => {
    if (getAtPointer(document, pointer) === true) return true;
    const schema = schemaAt(document, pointer);
    const copied: Schema = {};
    for (const [keyword, value] of Object.entries(schema)) {
      const [here, kind] = [`${pointer}/${keyword}`, classifyKeyword(keyword)];
      // After following a reference, ajv no longer knows which key it validates.
      if (keyword === "propertyNames") copied[keyword] = copy(resolveRef(document, here)) as Schema;
      else if (keyword === "$ref")
        copied.$ref = nameOf(resolveRef(document, refToPointer(String(value))));
      else if (keyword === "allOf")
        copied[keyword] = (value as []).map((_, i) => copy(`${here}/${i}`));
      else if (kind === "one") copied[keyword] = copy(here);
      else if (kind === "named") copied[keyword] = copyMembers(here);
      else if (kind === "value" && !SILENT_FORMATS.has(String(value))) copied[keyword] = value;
    }
    for (const { pointer: union, branches } of unionsIn({ pointer, schema }))
      copied.allOf = [...(copied.allOf ?? []), { $ref: addChoice(union, branches) }];
    return copied;
  };
  const copyMembers = (pointer: string) =>
    Object.fromEntries(
      keysAt(document, pointer).map((key) => [key, copy(pointer + toReferenceToken(key))]),
    );

  /** A chain of `if` selector `then` branch, then the base type: an invalid value is one error, not one per branch. */
  const addChoice = (union: string, branches: readonly string[]): string => {
    const selectors = unions[union]!;
    const none: Schema = { $ref: add(`${union} none`, union, () => mergeSelectors(selectors)) };
    return add(union, union, () =>
      selectors.reduceRight(
        (rest, selector, index): Schema => ({
          if: toSchema(selector),
          [THEN]: { $ref: nameOf(branches[index] as string) },
          else: rest,
        }),
        none,
      ),
    );
  };
  return { ajv, nameOf };
}

/** A schema of the values that a selector selects. */
function toSchema({ types, tag, has, lacks }: BranchSelector): Schema {
  if (has !== undefined) return { type: [...types], required: [has] };
  if (lacks !== undefined) return { type: [...types], not: { required: [lacks] } };
  if (!tag) return { type: [...types] };
  const value = tag.in ? { enum: [...tag.in] } : { not: { enum: [...(tag.notIn ?? [])] } };
  return { type: [...types], required: [tag.name], properties: { [tag.name]: value } };
}

/** The schema that the values of all branches share. */
function mergeSelectors(selectors: readonly BranchSelector[]): Schema {
  const types = [...new Set(selectors.flatMap((each) => each.types))];
  const tags = selectors.flatMap(({ tag }) => tag ?? []);
  const [{ name } = { name: "" }] = tags;
  if (name === "") return { type: types };
  const known = tags.flatMap((tag) => tag.in ?? []);
  const refused = tags.flatMap((tag) => tag.notIn ?? []).filter((each) => !known.includes(each));
  const isOpen = tags.some((tag) => tag.notIn);
  const value = isOpen ? { not: { enum: refused } } : { enum: known };
  const isAny = isOpen && refused.length === 0;
  return { type: types, required: [name], ...(!isAny && { properties: { [name]: value } }) };
}

/** The format as one expression, because importing it from ajv-formats would bundle all formats. */
function uriFormat(): RegExp {
  const reference = fullFormats["uri-reference"] as RegExp;
  const absolute = reference.source.replace(/^(\^\(.+?:\))\?/, "$1");
  return new RegExp(absolute.replaceAll(`'"`, "'"), "i");
}
