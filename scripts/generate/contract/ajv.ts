import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { Json } from "../../../src/contract/engine/types.js";
import type { Analysis } from "./analyse.js";
import { prepare } from "./prepare.js";

/** Names that every object has a member of: only where one is described, it has to be told whose the member is. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

/** ajv with the schemas of a document, and the name that it knows each validated pointer by. @throws {Error} it has a `$dynamicRef` */
export function createAjv(
  document: Json,
  { unions, validated }: Analysis,
  validateSchema: boolean,
): { ajv: Ajv2020; nameOf: (pointer: string) => string } {
  const text = JSON.stringify(document);
  if (text.includes('"$dynamicRef":')) throw new Error("$dynamicRef is not generated; use $ref");
  const ajv = new Ajv2020({
    strict: true,
    // A part of an allOf may leave the type to another part.
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allowMatchingProperties: true,
    ownProperties: INHERITED.some((name) => text.includes(`"${name}"`)),
    allErrors: true,
    // 4.35 is a multiple of 0.01, which binary fractions do not know.
    multipleOfPrecision: 9,
    messages: false,
    // By the meta-schema of JSON Schema, which takes longer than everything else.
    validateSchema,
    inlineRefs: false,
    code: { source: true, esm: true, optimize: 2 },
  });
  // Without them, ajv notes at every step what it has looked at.
  const looksBeyond = text.includes('"unevaluated');
  if (!looksBeyond) Object.assign(ajv.opts, { unevaluated: false, dynamicRef: false });
  formats.default(ajv);
  ajv.addFormat("uri", uri());
  const prepared = prepare(document, validated, unions, Object.keys(ajv.formats));
  for (const [name, schema] of prepared.schemas) ajv.addSchema(schema as object, name);
  return { ajv, nameOf: (pointer) => prepared.names.get(pointer) ?? "" };
}

/** The format as one expression: the function of ajv-formats would bring all formats along. */
function uri(): RegExp {
  const reference = fullFormats["uri-reference"] as RegExp;
  const absolute = reference.source.replace(/^(\^\(.+?:\))\?/, "$1");
  return new RegExp(absolute.replaceAll(`'"`, "'"), "i");
}
