import { cached } from "./cached.js";
import type { Description, Json } from "./description.js";
import { resolveRef } from "./document.js";
import { kindOfKeyword, reachSchemas } from "./keywords.js";
import { parentPointer, toReferenceToken } from "./pointer.js";
import { combined, hasType, isObject, jsonType, listUnions, schemaAt } from "./schema.js";
import type { ApplicableSchema, Schema, Union } from "./schema.js";

/** How to select the branch of a union for values of one JSON type. */
export interface Choice {
  type: string;
  /** The branches that a test selects, in the order of the tests. */
  tested: readonly TestedBranch[];
  /** Pointer to the branch for all other values of the type; undefined if no branch accepts other values. */
  rest?: string;
  /** The property that the tests compare with constants; undefined if they compare the value itself. */
  property?: string;
  /** Whether `rest` also accepts objects without the property. */
  isOptional?: boolean;
}

/** A branch of a union, and the test that selects it: by `constants`, or by `own`. */
export interface TestedBranch {
  /** Pointer to the branch. */
  pointer: string;
  constants?: readonly Json[];
  /** The required properties that no other branch declares, or that all other branches exclude. Each selects the branch. */
  own?: readonly string[];
  /** Pointer to the schema whose validator decides between branches with `own` that do not exclude each other. */
  validator?: string;
}

/** The choices of a union or, if its branches cannot be distinguished, the problem and a fix. */
export interface UnionTests {
  choices: readonly Choice[];
  problem?: { pointer: string; text: string };
}

/** A branch with all schemas that apply wherever it does. */
interface Branch {
  pointer: string;
  schemas: readonly ApplicableSchema[];
  types: readonly string[];
  required: readonly string[];
}

/**
 * Finds how to select a branch of a union for a value: by JSON type, by a constant in a property, by a property that
 * only one branch requires, or, in a union of known values and any string, by the value itself.
 */
export function describeUnion(document: Json, union: Union): UnionTests {
  return describeCached(document, union.pointer, union);
}

const describeCached = /* @__PURE__ */ cached((document, _, union: Union): UnionTests => {
  const { type: outer = [] } = schemaAt(document, parentPointer(union.pointer));
  const branches = union.branches.map((pointer): Branch => {
    const schemas = combined(document, pointer);
    const types = typesIn(document, schemas);
    const required = [...new Set(schemas.flatMap(({ schema }) => schema.required ?? []))];
    return { pointer, schemas, types: types.length > 0 ? types : [outer].flat(), required };
  });
  const untyped = branches.find(({ types }) => types.length === 0);
  if (untyped) {
    const text = "the branch accepts every type, as other branches do; add a type";
    return { choices: [], problem: { pointer: untyped.pointer, text } };
  }
  const choices: Choice[] = [];
  for (const type of new Set(branches.flatMap(({ types }) => types))) {
    const same = branches.filter(({ types }) => types.some((each) => overlap(each, type)));
    const choice = choose(document, union, type, same);
    if (!choice) {
      const text = explain(type, discriminatorOf(document, union));
      return { choices: [], problem: { pointer: same[1]!.pointer, text } };
    }
    choices.push(choice);
  }
  return { choices };
});

/** Lists the types that schemas allow together; none if the schemas do not restrict the type. */
export function typesIn(document: Json, schemas: readonly ApplicableSchema[]): string[] {
  const [first = [], ...others] = schemas.flatMap(({ pointer, schema }) => {
    if (schema.type !== undefined) return [[schema.type].flat()];
    const constants = constantsIn(schema);
    if (constants.length > 0) return [[...new Set(constants.map(jsonType))]];
    return listUnions({ pointer, schema }).map(({ branches }) =>
      branches.flatMap((branch) => typesIn(document, combined(document, branch))),
    );
  });
  return first.filter((type) => others.every((types) => types.some((each) => overlap(each, type))));
}

/** Lists the values of a schema's `const` or `enum`. */
export function constantsIn(schema: Schema): readonly Json[] {
  return schema.const === undefined ? (schema.enum ?? []) : [schema.const];
}

/** Checks whether a value can have both types. */
export function overlap(type: string, other: string): boolean {
  return type === other || [type, other].every((each) => /^(integer|number)$/.test(each));
}

function explain(type: string, property?: string): string {
  const fixes: Readonly<Record<string, string>> = {
    object: `require ${property ?? "the same property"} in each branch, with different constants; the last branch can exclude these constants with not`,
    string: "use anyOf, with known values in an enum and one branch for any string",
  };
  const fix = fixes[type] ?? "merge the branches";
  return `nothing distinguishes this branch from another branch of type ${type}; ${fix}`;
}

function choose(
  document: Json,
  union: Union,
  type: string,
  branches: readonly Branch[],
): Choice | undefined {
  if (branches.length === 1) return { type, tested: [], rest: branches[0]!.pointer };
  if (type !== "object") return chooseByValue(union, type, branches);
  const discriminator = discriminatorOf(document, union);
  const names = discriminator === undefined ? branches[0]!.required : [discriminator];
  const [choice] = names.flatMap((name) => chooseByConstant(document, branches, name) ?? []);
  if (choice || discriminator !== undefined) return choice;
  const exclusive = chooseByExclusion(branches);
  if (exclusive) return exclusive;
  // Several branches validate the same value. If the union contained itself, the time would grow exponentially.
  const isRecursive = reachSchemas(document, union.branches).has(parentPointer(union.pointer));
  return isRecursive ? undefined : chooseByProperty(document, branches);
}

function discriminatorOf(document: Json, { pointer }: Union): string | undefined {
  return schemaAt(document, parentPointer(pointer)).discriminator?.propertyName;
}

/** Each branch requires the property, with its own constants. The last branch can exclude these constants instead. */
function chooseByConstant(
  document: Json,
  branches: readonly Branch[],
  property: string,
): Choice | undefined {
  const token = toReferenceToken(property);
  const schemasOf = (branch: Branch) =>
    branch.schemas
      .flatMap(({ pointer }) => combined(document, `${pointer}/properties${token}`))
      .map(({ schema }) => schema);
  const last = branches.at(-1)!;
  const excluded = schemasOf(last).flatMap(({ not }) => (isObject(not) ? constantsIn(not) : []));
  const rest = excluded.length > 0 ? last : undefined;
  const closed = branches.filter((each) => each !== rest);
  const tested = closed.map((branch) => {
    const constants = schemasOf(branch)
      .map(constantsIn)
      .find(({ length }) => length > 0);
    return { pointer: branch.pointer, constants: constants ?? [] };
  });
  const isDistinct =
    areDistinct(tested) &&
    closed.every(({ required }) => required.includes(property)) &&
    (!rest ||
      tested.flatMap(({ constants }) => constants).every((each) => excluded.includes(each)));
  if (!isDistinct) return undefined;
  const choice = { type: "object", property, tested };
  return rest
    ? { ...choice, rest: rest.pointer, isOptional: !rest.required.includes(property) }
    : choice;
}

/** Checks whether each branch has constants, and no constant occurs twice. */
function areDistinct(tested: readonly TestedBranch[]): boolean {
  const all = tested.flatMap(({ constants = [] }) => constants);
  const isScalar = (value: Json) => typeof value !== "object" || value === null;
  const isUnique = new Set(all).size === all.length;
  return (
    isUnique && all.every(isScalar) && tested.every(({ constants = [] }) => constants.length > 0)
  );
}

/** Each branch requires a property that all other branches exclude. One branch can omit all of these properties. */
function chooseByExclusion(branches: readonly Branch[]): Choice | undefined {
  const tested = branches.map((branch) => {
    const others = branches.filter((each) => each !== branch);
    const own = branch.required.filter((name) =>
      others.every(({ schemas }) => schemas.some(({ schema }) => excludes(schema, name))),
    );
    return { pointer: branch.pointer, own };
  });
  const [rest = branches.at(-1)!, ...others] = tested.filter(({ own }) => own.length === 0);
  return others.length > 0 ? undefined : { type: "object", tested, rest: rest.pointer };
}

/** Checks for `not: { required: [NAME] }`. Redocly asks for `properties: { NAME: true }` there. */
export function excludes({ not }: Schema, name: string): boolean {
  const { required = [], properties = {}, ...others } = Object(not) as Schema;
  const isAny = Object.values(properties).every((each) => each === true);
  return required.length === 1 && required[0] === name && isAny && Object.keys(others).length === 0;
}

/** Each branch requires a property that no other branch declares. One branch can omit all of these properties. */
function chooseByProperty(document: Json, branches: readonly Branch[]): Choice | undefined {
  const tested = branches.map(({ pointer, required }) => {
    const others = branches.filter((each) => each.pointer !== pointer);
    const names = new Set(others.flatMap((each) => [...each.required, ...declaredBy(each)]));
    const own = required.filter((name) => !names.has(name));
    return { pointer, own, validator: resolveRef(document, pointer) };
  });
  const [open, ...others] = tested.filter(({ own }) => own.length === 0);
  // The branch that requires the fewest properties is the closest to an object without any of them.
  const [shortest] = branches.toSorted((a, b) => a.required.length - b.required.length);
  return others.length > 0
    ? undefined
    : { type: "object", tested, rest: (open ?? shortest!).pointer };
}

/** Branches list different values. In `anyOf`, one more branch can accept all other values. */
function chooseByValue(
  { keyword }: Union,
  type: string,
  branches: readonly Branch[],
): Choice | undefined {
  const tested = branches.flatMap((branch) => listValues(branch) ?? []);
  const [rest, ...others] = branches.filter((branch) => !listValues(branch));
  const isUnique = areDistinct(tested) && others.length === 0 && (!rest || keyword === "anyOf");
  return isUnique ? { type, tested, ...(rest && { rest: rest.pointer }) } : undefined;
}

/** Lists the values of a branch that restricts nothing but the value. */
function listValues({ pointer, schemas }: Branch): TestedBranch | undefined {
  const isOther = (keyword: string) =>
    !/^(\$ref|type|const|enum)$/.test(keyword) && kindOfKeyword(keyword) !== "note";
  const [constants, ...others] = schemas
    .map(({ schema }) => constantsIn(schema))
    .filter(({ length }) => length > 0);
  const hasOthers = schemas.some(({ schema }) => Object.keys(schema).some(isOther));
  return constants && others.length === 0 && !hasOthers ? { pointer, constants } : undefined;
}

function declaredBy({ schemas }: Branch): string[] {
  return schemas.flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
}

/**
 * Returns pointers to the branches that apply to a value: the selected branch or, if several can accept the same
 * object, all that accept the value. No branch applies to an unknown type or constant.
 */
export function selectBranches(
  { document, validators }: Pick<Description, "document" | "validators">,
  union: Union,
  value: Json,
): readonly string[] {
  const { choices } = describeUnion(document, union);
  const choice = choices.find(({ type }) => hasType(value, { type }));
  if (!choice) return [];
  const { tested, rest, property, isOptional = false } = choice;
  const given = property === undefined ? value : valueOf(value, property);
  if (given === undefined) return isOptional ? [rest!] : [];
  const isSelected = ({ constants, own }: TestedBranch) =>
    constants?.includes(given) ?? own?.some((name) => Object.hasOwn(value as object, name));
  const selected = tested.find(isSelected);
  if (selected?.validator === undefined) return [selected?.pointer ?? rest ?? []].flat();
  // Validates the object again only if it can belong to several branches.
  const possible = tested.filter((each) => each.own!.length === 0 || isSelected(each));
  const accepting = possible.filter(
    ({ validator }) => possible.length > 1 && validators[validator!]!(value).length === 0,
  );
  return (accepting.length > 0 ? accepting : [selected]).map(({ pointer }) => pointer);
}

function valueOf(object: Json, property: string): Json | undefined {
  return Object.hasOwn(object as object, property)
    ? (object as { [name: string]: Json })[property]
    : undefined;
}

/** Returns pointers to the schemas of the branches that only a validator can select. */
export function branchesToValidate(document: Json, union: Union): string[] {
  const tested = describeUnion(document, union).choices.flatMap((each) => each.tested);
  return tested.flatMap(({ validator = [] }) => validator);
}
