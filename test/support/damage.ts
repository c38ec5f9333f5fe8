import { deref, type Schema } from "./description.js";
import { validatorAt } from "./validators.js";

type Path = (string | number)[];

/** A copy of a value with one fault in it, that its schema has to refuse. */
export interface Damage {
  kind: "drop" | "null" | "type" | "form";
  /** A description of the fault and its place. */
  what: string;
  damaged: unknown;
}

const WRONG: [type: string, value: unknown][] = [
  ["string", "text"],
  ["number", 0.5],
  ["boolean", true],
  ["object", {}],
  ["array", []],
];

/**
 * Everything that can be broken in a value by its schema, one fault a copy. It walks the schema, so that whatever the
 * schema leaves undescribed is left alone.
 */
export function* damages(schema: Schema, value: unknown): Generator<Damage> {
  yield* walk([schema], value, [], (path, replacement) => replaceAt(value, path, replacement));
}

type Replace = (path: Path, replacement: unknown) => unknown;

function* walk(schemas: Schema[], value: unknown, path: Path, replace: Replace): Generator<Damage> {
  const all = schemas.flatMap((schema) => holding(schema, value));
  const at = `/${path.join("/")}`;
  const damage = (kind: Damage["kind"], what: string, replacement: unknown): Damage => ({
    kind,
    what: `${at} ${what}`,
    damaged: replace(path, replacement),
  });

  const types = typesOf(all);
  if (types) {
    if (!types.includes("null")) yield damage("null", "is null", null);
    for (const [type, wrong] of WRONG) {
      if (!types.includes(type)) yield damage("type", `is of type ${type}`, wrong);
    }
  }
  for (const schema of all) yield* brokenForms(schema, value, damage);

  if (Array.isArray(value)) {
    const items = all.flatMap((schema) => (schema.items ? [schema.items] : []));
    for (const [index, item] of value.entries())
      yield* walk(items, item, [...path, index], replace);
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    const required = new Set(all.flatMap((schema) => schema.required ?? []));
    for (const [name, each] of entries) {
      if (required.has(name)) {
        const rest = Object.fromEntries(entries.filter(([key]) => key !== name));
        yield damage("drop", `lacks ${name}`, rest);
      }
      yield* walk(
        all.flatMap((schema) => memberSchemas(schema, name)),
        each,
        [...path, name],
        replace,
      );
    }
  }
}

function* brokenForms(
  { pattern, format, propertyNames, minItems, const: constant }: Schema,
  value: unknown,
  damage: (kind: Damage["kind"], what: string, replacement: unknown) => Damage,
): Generator<Damage> {
  if (pattern !== undefined || format === "uri") yield damage("form", "has another form", "?");
  if (propertyNames !== undefined) yield damage("form", "has a key of another form", { "?": {} });
  if (minItems === 1) yield damage("form", "is empty", []);
  // A tag that is changed can select another branch, which may be open.
  if (typeof constant === "boolean") yield damage("form", `is ${!constant}`, !constant);
}

/** The plain schemas that hold for a value: through references, all of `allOf`, and the branch of a union that it fits. */
function holding(schema: Schema, value: unknown): Schema[] {
  if (schema.$ref !== undefined) return holding(deref(schema), value);
  const branch = schema.oneOf?.find(({ $ref }) => validatorAt($ref!)(value));
  const parts = [...(schema.allOf ?? []), ...(branch ? [branch] : [])];
  return [schema, ...parts.flatMap((part) => holding(part, value))];
}

/** The types that every schema allows; undefined where none says a type. */
function typesOf(schemas: Schema[]): string[] | undefined {
  const stated = schemas.flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
  if (stated.length === 0) return undefined;
  return stated.reduce((types, each) => types.filter((type) => each.includes(type)));
}

function memberSchemas({ properties, additionalProperties }: Schema, name: string): Schema[] {
  const property = properties?.[name];
  if (property) return [property];
  return typeof additionalProperties === "object" ? [additionalProperties] : [];
}

/** A copy with another value at a path; whatever is not on the path is shared. */
function replaceAt(value: unknown, [step, ...rest]: Path, replacement: unknown): unknown {
  if (step === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((each, index) => (index === step ? replaceAt(each, rest, replacement) : each));
  }
  const members = value as Record<string, unknown>;
  return { ...members, [step]: replaceAt(members[step], rest, replacement) };
}
