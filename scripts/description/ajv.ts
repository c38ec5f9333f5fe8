import {
  _,
  Ajv2020,
  Name,
  nil,
  stringify,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type Options,
} from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { keepClosest } from "../../src/openapi/closest-branch.js";
import type { Json } from "../../src/openapi/description.js";
import type { BranchTraits, Discriminator } from "../../src/openapi/discriminator.js";
import { keysAt, resolveRef } from "../../src/openapi/document.js";
import { kindOfKeyword, listContained, reachSchemas } from "../../src/openapi/keywords.js";
import { getAtPointer, refToPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { isObject, listUnions } from "../../src/openapi/schema.js";
import { completeErrors } from "../../src/openapi/schema-errors.js";
import { describeUnion } from "../../src/openapi/unions.js";

/** Formats that validators ignore, because checking `type` is enough. */
const SILENT_FORMATS = new Set(["binary", "double", "float", "int64", "password"]);
/** Names of variables in the code that ajv generates. */
const [ERRORS, COUNT, INSTANCE_PATH] = ["vErrors", "errors", "instancePath"].map(
  (name) => new Name(name),
) as [Name, Name, Name];
/** The names of the properties that every JavaScript object inherits. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);
/**
 * The minimum JSON length at which a repeated schema is compiled only once and shared. Repeating a shorter schema takes
 * less code than calling a shared validator.
 */
const MIN_SHARED_LENGTH = 120;

/** An ajv instance for the schemas of a document. */
export interface DocumentAjv {
  ajv: Ajv2020;
  /**
   * Returns the name under which a schema is registered in `ajv`. Equal schemas share a name, so the schema paths in
   * ajv's errors start with `#` instead of a pointer. `completeErrors` replaces `#` with the schema's pointer.
   */
  nameOf(pointer: string): string;
}

/**
 * Creates an ajv instance with our own implementations of `oneOf`, `anyOf`, `contains`, and `$ref`.
 * @param shared pointers to the schemas whose repeated parts are compiled only once
 */
export function createAjv(
  document: Json,
  shared: readonly string[] = [],
  options: Options = {},
): DocumentAjv {
  const pointers = reachSchemas(document, shared);
  const text = JSON.stringify(document);
  const ajv = new Ajv2020({
    // Without this option, ajv would treat inherited properties, such as `constructor`, as part of every object.
    ownProperties: INHERITED.some((name) => text.includes(`"${name}"`)),
    allErrors: true,
    messages: false,
    inlineRefs: false,
    meta: false,
    validateSchema: false,
    logger: false,
    strict: false,
    strictNumbers: true,
    // Without this option, ajv would not accept 0.07 as a multiple of 0.01, because of rounding errors.
    multipleOfPrecision: 7,
    ...options,
    code: { source: true, esm: true, optimize: 2, formats: _`fullFormats`, ...options.code },
  });
  // `Ajv2020` always turns these options on, which makes the generated code larger: no schema has a `$dynamicRef`, and
  // few documents need to track what is evaluated.
  ajv.opts.dynamicRef = false;
  ajv.opts.unevaluated = /"unevaluated(Items|Properties)":/.test(text);
  formats.default(ajv);
  for (const [name, format] of Object.entries(fullFormats))
    // If a format is a regular expression, the generated code contains only that expression. If a format is a function,
    // the generated code would import all formats.
    if (format instanceof RegExp) ajv.addFormat(name, format);
  ajv.addFormat("uri", uriFormat());

  const copies = new Map<string, Json>();
  const names = new Map<string, string>();
  const keyOf = (pointer: string) => JSON.stringify(copyOf(pointer));
  const counts = new Map<string, number>();
  for (const pointer of pointers) {
    const key = keyOf(pointer);
    if (key.length >= MIN_SHARED_LENGTH) counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  /** Copies a schema without annotations, and replaces each `$ref` with `x-call`. */
  function copyOf(pointer: string): Json {
    let copy = copies.get(pointer);
    if (copy === undefined) copies.set(pointer, (copy = copySchema(document, pointer, copyOf)));
    return copy;
  }

  /** Copies a schema, and puts `x-part` in place of each part that occurs more than once. */
  function shareParts(pointer: string): Json {
    return copySchema(document, pointer, (part) =>
      (counts.get(keyOf(part)) ?? 0) > 1 ? { [PART]: part } : shareParts(part),
    );
  }

  function nameOf(pointer: string): string {
    const key = keyOf(pointer);
    let name = names.get(key);
    if (name === undefined) {
      names.set(key, (name = `v${names.size}`));
      ajv.addSchema(shareParts(pointer) as object, name);
    }
    return name;
  }

  const contains = ajv.getKeyword("contains") as CodeKeywordDefinition;
  for (const keyword of ["oneOf", "anyOf", "contains"]) ajv.removeKeyword(keyword);
  ajv.addVocabulary([
    { ...contains, code: (cxt) => containsCode(cxt, contains) },
    UNION,
    { keyword: "oneOf", schemaType: "array", trackErrors: true, code: unionCode },
    { keyword: "anyOf", schemaType: "array", trackErrors: true, code: unionCode },
    ...[CALL, PART].map((keyword) => ({
      keyword,
      schemaType: "string" as const,
      code: (cxt: KeywordCxt) =>
        callCode(
          cxt,
          nameOf(cxt.schema as string),
          keyword === CALL ? (cxt.schema as string) : cxt.it.errSchemaPath,
        ),
    })),
  ]);
  return { ajv, nameOf };
}

/** A keyword that calls the validator for another schema in the document. */
const CALL = "x-call";
/** A keyword that calls the validator that equal parts of schemas share. */
const PART = "x-part";
/**
 * A keyword that contains the traits of union branches, such as their discriminators. The code for `oneOf` and `anyOf`
 * reads the traits.
 */
const UNION = "x-union";

function copySchema(document: Json, pointer: string, copyPart: (pointer: string) => Json): Json {
  const schema = getAtPointer(document, pointer) as Json;
  if (!isObject(schema)) return schema;
  const copied: { [keyword: string]: Json } = {};
  const parts = new Set(listContained(document, pointer));
  for (const [keyword, value] of Object.entries(schema)) {
    const here = `${pointer}/${keyword}`;
    const kind = kindOfKeyword(keyword);
    if (keyword === "$ref") copied[CALL] = resolveRef(document, refToPointer(String(value)));
    else if (kind === "one") copied[keyword] = copyPart(here);
    else if (kind === "list")
      copied[keyword] = keysAt(document, here).map((index) => copyPart(`${here}/${index}`));
    else if (kind === "named") {
      const members = Object.entries(value as { [key: string]: Json }).map(([key, each]) => {
        const part = here + toReferenceToken(key);
        return [key, parts.has(part) ? copyPart(part) : each];
      });
      copied[keyword] = Object.fromEntries(members) as Json;
    } else if (kind === "value" && !(keyword === "format" && isSilent(schema)))
      copied[keyword] = value;
  }
  for (const union of listUnions({ pointer, schema })) {
    const { branches } = describeUnion(document, union);
    copied[UNION] = { ...(copied[UNION] as object), [union.keyword]: branches as unknown as Json };
  }
  return copied;
}

/** Returns whether validators ignore the format of a schema. */
function isSilent({ format }: { [keyword: string]: Json }): boolean {
  return SILENT_FORMATS.has(String(format)) || !Object.hasOwn(fullFormats, String(format));
}

/** Generates code for `oneOf` and `anyOf` that reports only the errors of the closest branch. */
function unionCode(cxt: KeywordCxt): void {
  const { gen, it, data, keyword, parentSchema } = cxt;
  const schemas = cxt.schema as readonly unknown[];
  const branches = (parentSchema[UNION] as Record<string, readonly BranchTraits[]>)[keyword]!;
  const hasErrors = it.createErrors !== false;
  const ends = gen.const("ends", _`[${COUNT}]`);
  const accepted = gen.let("accepted", 0);
  const hasDiscriminators = branches.some(({ discriminators }) => discriminators.length > 0);
  const isObjectValue = hasDiscriminators
    ? gen.const("isObject", _`${data} && typeof ${data} == "object" && !Array.isArray(${data})`)
    : nil;
  for (const [index, { discriminators }] of branches.entries()) {
    const validate = () => {
      const valid = gen.name("_valid");
      const inner = cxt.subschema({ keyword, schemaProp: index, compositeRule: true }, valid);
      gen.if(valid, () => {
        gen.code(_`${accepted}++`);
        cxt.mergeEvaluated(inner, Name);
      });
    };
    // Without this condition, validating a recursive union would take exponential time.
    const failures = discriminators.map((each) => failsDiscriminator(data, each));
    if (failures.length > 0) gen.if(_`!(${isObjectValue} && ${anyOf(failures)})`, validate);
    else validate();
    if (hasErrors && index < schemas.length) gen.code(_`${ends}.push(${COUNT})`);
  }
  const isValid = keyword === "oneOf" ? _`${accepted} === 1` : _`${accepted} > 0`;
  cxt.result(
    isValid,
    () => cxt.reset(),
    () => {
      if (!hasErrors) return cxt.error();
      const keep = gen.scopeValue("func", { ref: keepClosest, code: _`keepClosest` });
      const traits = gen.scopeValue("obj", { ref: branches, code: stringify(branches) });
      const key = it.propertyName ? _`, ${it.propertyName}` : nil;
      const subject = _`{keyword: ${keyword}, branches: ${traits}, schemaPath: ${`${it.errSchemaPath}/${keyword}`}, instancePath: ${INSTANCE_PATH} + ${it.errorPath}, value: ${data}}`;
      gen.assign(ERRORS, _`${keep}(${ERRORS}, ${ends}, ${subject}${key})`);
      gen.assign(COUNT, _`${ERRORS}.length`);
    },
  );
}

/** Generates code for `contains` that reports one error for the whole list and none for its items. */
function containsCode(cxt: KeywordCxt, { code }: CodeKeywordDefinition): void {
  const { gen, it, errsCount } = cxt;
  code(cxt);
  if (it.createErrors === false) return;
  gen.if(_`${COUNT} > ${errsCount} + 1`, () => {
    gen.code(_`${ERRORS}.splice(${errsCount}, ${COUNT} - ${errsCount} - 1)`);
    gen.assign(COUNT, _`${errsCount} + 1`);
  });
}

/** Generates a condition that is true if an object fails a discriminator, as in `findFailedDiscriminators`. */
function failsDiscriminator(
  data: Name,
  { name, in: allowed, notIn = [], isOptional }: Discriminator,
): Code {
  const value = _`${data}[${name}]`;
  const isAbsent = _`${value} === undefined`;
  if (!allowed)
    return anyOf([
      ...(isOptional ? [] : [isAbsent]),
      ...notIn.map((each) => _`${value} === ${each as string}`),
    ]);
  const matches = allowed.map((each) => _`${value} === ${each as string}`);
  return _`!${anyOf([...(isOptional ? [isAbsent] : []), ...matches])}`;
}

function anyOf([first = nil, ...others]: readonly Code[]): Code {
  return _`(${others.reduce((all, each) => _`${all} || ${each}`, first)})`;
}

/** Generates a call to another validator, and completes the paths in the validator's errors. */
function callCode(cxt: KeywordCxt, name: string, base: string): void {
  const { gen, it } = cxt;
  const valid = gen.name("valid");
  // ajv's own code for `$ref` copies all errors found so far, so many failing calls would take quadratic time.
  const before = gen.const("before", ERRORS);
  const count = gen.const("count", COUNT);
  gen.assign(ERRORS, null);
  gen.assign(COUNT, 0);
  const schema = { $ref: name };
  const inner = cxt.subschema(
    { schema, schemaPath: nil, topSchemaRef: nil, errSchemaPath: "#" },
    valid,
  );
  cxt.mergeEvaluated(inner);
  const complete = gen.scopeValue("func", { ref: completeErrors, code: _`completeErrors` });
  const key = it.propertyName ? _`, ${it.propertyName}` : nil;
  gen.if(
    valid,
    () => gen.assign(ERRORS, before).assign(COUNT, count),
    () => {
      gen.assign(ERRORS, _`${complete}(${ERRORS}, ${base}, ${before}${key})`);
      gen.assign(COUNT, _`${ERRORS}.length`);
    },
  );
  cxt.ok(valid);
}

/**
 * Returns the `uri` format as one regular expression. Importing the format from ajv-formats would bundle all formats.
 */
function uriFormat(): RegExp {
  const reference = fullFormats["uri-reference"] as RegExp;
  const absolute = reference.source.replace(/^(\^\(.+?:\))\?/, "$1");
  return new RegExp(absolute.replaceAll(`'"`, "'"), "i");
}
