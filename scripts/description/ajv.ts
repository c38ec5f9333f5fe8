import { _, Ajv2020, Name, nil, type KeywordCxt, type Options } from "ajv/dist/2020.js";
import { not } from "ajv/dist/compile/codegen/index.js";
import { resolveRef, type SchemaEnv } from "ajv/dist/compile/index.js";
import { getValidate } from "ajv/dist/vocabularies/core/ref.js";
import formats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { Json } from "../../src/openapi/description.js";
import { resolveRef as resolvePointer } from "../../src/openapi/document.js";
import { kindOfKeyword } from "../../src/openapi/keywords.js";
import { getAtPointer, refToPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { isObject, listUnions } from "../../src/openapi/schema.js";
import { completeErrors } from "../../src/openapi/schema-errors.js";
import { unionSchema, type Refer } from "./union-schema.js";

/** Formats that validators ignore, because checking `type` is enough, or because ajv does not know them. */
const SILENT_FORMATS = new Set(
  "binary double float int64 password iri iri-reference uint32 uint64".split(" "),
);
/** The formats for which another name might be a typo. */
export const FORMATS = [...Object.keys(fullFormats), ...SILENT_FORMATS];
/** Names of variables in the code that ajv generates. */
const [ERRORS, COUNT] = [new Name("vErrors"), new Name("errors")];
/** The names of the properties that every JavaScript object inherits. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);
/** The `date` format, as ajv-formats checks it: month, day, and leap years. */
const DATE =
  /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/;
/** A keyword that calls the validator of another schema. */
const CALL = "x-call";

/** What to call: the schema at `pointer`, or `schema`, whose errors then have pointers inside `pointer`. */
interface Call {
  pointer: string;
  schema?: Json;
}

/** An ajv instance for the schemas of a document. */
export interface DocumentAjv {
  ajv: Ajv2020;
  /**
   * Returns the name under which a schema is registered in `ajv`. Equal schemas share a name, so the schema paths in
   * ajv's errors start with `#` instead of a pointer. `completeErrors` replaces `#` with the schema's pointer.
   */
  nameOf(pointer: string): string;
}

/** Creates an ajv instance that calls the validators of other schemas, and that reports the errors of one branch. */
export function createAjv(document: Json, options: Options = {}): DocumentAjv {
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
  // `Ajv2020` always turns these options on, which makes the generated code larger.
  ajv.opts.dynamicRef = false;
  ajv.opts.unevaluated = false;
  addFormats(ajv);
  const names = new Map<string, string>();
  function register(schema: Json): string {
    const key = JSON.stringify(schema);
    const name = names.get(key) ?? `v${names.size}`;
    if (!names.has(key)) ajv.addSchema(schema as object, name);
    names.set(key, name);
    return name;
  }
  const nameOf = (pointer: string) => register(copySchema(document, pointer));
  ajv.addKeyword({
    keyword: CALL,
    schemaType: "object",
    code: (cxt) => {
      const { pointer, schema } = cxt.schema as Call;
      callCode(cxt, schema === undefined ? nameOf(pointer) : register(schema), pointer);
    },
  });
  return { ajv, nameOf };
}

/** Adds formats as regular expressions if possible. If a format is a function, its code would import all formats. */
function addFormats(ajv: Ajv2020): void {
  formats.default(ajv);
  for (const [name, format] of Object.entries(fullFormats))
    if (format instanceof RegExp) ajv.addFormat(name, format);
  const reference = fullFormats["uri-reference"] as RegExp;
  const absolute = reference.source.replace(/^(\^\(.+?:\))\?/, "$1");
  ajv.addFormat("uri", new RegExp(absolute.replaceAll(`'"`, "'"), "i"));
  ajv.addFormat("date", DATE);
}

/** Copies a schema without annotations, and replaces references and unions. */
function copySchema(document: Json, pointer: string): Json {
  const schema = getAtPointer(document, pointer) as Json;
  if (!isObject(schema)) return schema;
  const refer: Refer = (target, other) => ({
    [CALL]: {
      pointer: resolvePointer(document, target),
      ...(other !== undefined && { schema: other }),
    },
  });
  const copied: { [keyword: string]: Json } = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const copyPart = (key: string | number) =>
      copySchema(document, `${pointer}/${keyword}${toReferenceToken(key)}`);
    const kind = kindOfKeyword(keyword);
    if (keyword === "$ref") Object.assign(copied, refer(refToPointer(String(value))));
    else if (kind === "one") copied[keyword] = copySchema(document, `${pointer}/${keyword}`);
    else if (keyword === "allOf") copied[keyword] = (value as Json[]).map((__, at) => copyPart(at));
    else if (kind === "named")
      copied[keyword] = Object.fromEntries(
        Object.keys(value as object).map((key) => [key, copyPart(key)]),
      );
    else if (kind === "value" && !(keyword === "format" && isSilent(String(value))))
      copied[keyword] = value;
  }
  const unions = listUnions({ pointer, schema }).map((each) => unionSchema(document, each, refer));
  return unions.length === 0
    ? copied
    : { ...copied, allOf: [...((copied["allOf"] ?? []) as Json[]), ...unions] };
}

/** Returns whether validators ignore a format. */
function isSilent(format: string): boolean {
  return SILENT_FORMATS.has(format) || !Object.hasOwn(fullFormats, format);
}

/**
 * Generates a call to another validator, and completes the pointers in its errors. ajv's own code for `$ref` copies all
 * earlier errors, so many failing calls would take quadratic time.
 */
function callCode(cxt: KeywordCxt, name: string, base: string): void {
  const { gen, it, data } = cxt;
  const called = resolveRef.call(it.self, it.schemaEnv.root, it.baseId, name) as SchemaEnv;
  const validate = getValidate(cxt, called);
  const complete = gen.scopeValue("func", { ref: completeErrors, code: _`completeErrors` });
  const key = it.propertyName ? _`, ${it.propertyName}` : nil;
  const isValid = gen.const("valid", _`${validate}(${data})`);
  gen.if(not(isValid), () => {
    const location = _`${base}, ${it.errorPath === nil ? _`""` : it.errorPath}`;
    gen.assign(ERRORS, _`${complete}(${validate}.errors, ${location}, ${ERRORS}${key})`);
    gen.assign(COUNT, _`${ERRORS}.length`);
  });
  cxt.ok(isValid);
}
