import { resolveRef } from "../../../src/openapi/document.js";
import { refToPointer, toReferenceToken } from "../../../src/openapi/pointer.js";
import { jsonType, schemaAt, type Schema } from "../../../src/openapi/schema.js";
import type { BranchSelector, Json } from "../../../src/openapi/description.js";

/** The values of a tag: any of these, or any except these. */
type Values = { in: readonly Json[] } | { notIn: readonly Json[] };

/** The properties that all values of a branch share. */
interface Branch {
  types: readonly string[];
  required: string[];
  /** The properties that the branch declares. */
  names: Set<string>;
  values: Map<string, Values>;
}

const TYPES = ["null", "boolean", "number", "string", "array", "object"];

/** One selector per branch of a union; no value selects two branches. Undefined if the branches cannot be distinguished. */
export function createSelectors(
  document: Json,
  pointer: string,
  keyword: "oneOf" | "anyOf",
): BranchSelector[] | undefined {
  const { [keyword]: schemas = [], discriminator } = schemaAt(document, pointer);
  const branches = schemas.map((schema, index) => {
    const branch = branchOf(document, `${pointer}/${keyword}/${index}`);
    const { $ref = "" } = schema as Schema;
    if (!discriminator || !branch.types.includes("object")) return branch;
    const { propertyName, mapping = {} } = discriminator;
    const mapped = Object.keys(mapping).filter((key) => mapping[key] === $ref);
    const values = mapped.length > 0 ? mapped : [$ref.slice($ref.lastIndexOf("/") + 1)];
    branch.required.push(propertyName);
    branch.values.set(propertyName, { in: values });
    return { ...branch, types: ["object"] };
  });
  const objects = branches.filter(({ types }) => types.includes("object"));
  const tag = objects.length > 1 ? tagOf(objects) : undefined;
  const member = tag === undefined ? memberOf(objects) : undefined;
  const isShared = (type: string) =>
    branches.filter(({ types }) => types.includes(type)).length > 1 &&
    !(type === "object" && (tag ?? member) !== undefined);
  if (TYPES.some(isShared)) return undefined;
  return branches.map(({ types, required, values }): BranchSelector => {
    if (member !== undefined && types.includes("object"))
      return { types, ...(required.includes(member) ? { has: member } : { lacks: member }) };
    const found = tag === undefined ? undefined : values.get(tag);
    const isTagged = tag !== undefined && found && types.includes("object");
    return isTagged ? { types, tag: { name: tag, ...found } } : { types };
  });
}

/** The property that every branch requires, with different values in each. */
function tagOf(branches: readonly Branch[]): string | undefined {
  return branches[0]?.required.find((name) => {
    const values = branches.map((each) =>
      each.required.includes(name) ? each.values.get(name) : undefined,
    );
    return values.every(
      (one, index) =>
        one && values.slice(index + 1).every((other) => other && areDisjoint(one, other)),
    );
  });
}

/** The property that one of two branches requires, but the other does not declare. */
function memberOf([one, other, ...others]: readonly Branch[]): string | undefined {
  if (!one || !other || others.length > 0) return undefined;
  const onlyIn = (a: Branch, b: Branch) => a.required.find((name) => !b.names.has(name));
  return onlyIn(one, other) ?? onlyIn(other, one);
}

function areDisjoint(one: Values, other: Values): boolean {
  if ("notIn" in one) return "in" in other && areDisjoint(other, one);
  return one.in.every((each) =>
    "in" in other ? !other.in.includes(each) : other.notIn.includes(each),
  );
}

/** Collects the constraints of a schema, following `$ref` and `allOf`. */
function branchOf(document: Json, pointer: string): Branch {
  const schema = schemaAt(document, pointer);
  const branch: Branch = {
    types: schema.type ? [schema.type].flat().map(plainType) : constantType(schema),
    required: [...(schema.required ?? [])],
    names: new Set([...(schema.required ?? []), ...Object.keys(schema.properties ?? {})]),
    values: new Map(),
  };
  for (const name of Object.keys(schema.properties ?? {})) {
    const values = valuesOf(document, `${pointer}/properties${toReferenceToken(name)}`);
    if (values) branch.values.set(name, values);
  }
  const parts = (schema.allOf ?? []).map((_, index) => `${pointer}/allOf/${index}`);
  if (schema.$ref) parts.push(refToPointer(schema.$ref));
  for (const part of parts.map((each) => branchOf(document, each))) {
    branch.types = branch.types.filter((type) => part.types.includes(type));
    branch.required.push(...part.required);
    for (const name of part.names) branch.names.add(name);
    for (const [name, values] of part.values)
      if (!branch.values.has(name)) branch.values.set(name, values);
  }
  return branch;
}

function plainType(type: string): string {
  return type === "integer" ? "number" : type;
}

function constantType(schema: Schema): readonly string[] {
  return "const" in schema ? [jsonType(schema.const)] : TYPES;
}

function valuesOf(document: Json, pointer: string): Values | undefined {
  const schema = schemaAt(document, resolveRef(document, pointer));
  const values = constantsOf(schema);
  if (values) return { in: values };
  const excluded = constantsOf(schema.not as Schema | undefined);
  return excluded && { notIn: excluded };
}

function constantsOf(schema: Schema = {}): readonly Json[] | undefined {
  return "const" in schema ? [schema.const as Json] : schema.enum;
}
