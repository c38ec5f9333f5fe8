import type { Json } from "../../src/openapi/description.js";
import { parentPointer } from "../../src/openapi/pointer.js";
import type { Union } from "../../src/openapi/schema.js";
import { describeUnion, type Choice } from "../../src/openapi/unions.js";

/** A schema, and the test that selects it. */
type Case = readonly [test: Json, schema: Json];

/**
 * Returns a reference to the schema at a pointer. With `schema`, returns a reference to this other schema, whose errors
 * have pointers inside `pointer`.
 */
export type Refer = (pointer: string, schema?: Json) => Json;

/**
 * Creates a schema that accepts the same values as a union. For an invalid value, ajv would report the errors of all
 * branches of a union. This schema selects one branch with `if`, so that ajv reports only the errors of this branch.
 */
export function unionSchema(document: Json, union: Union, refer: Refer): Json {
  const { choices } = describeUnion(document, union);
  const types = choices.map(({ type }) => type);
  const cases = choices.map((each): Case => [
    { type: each.type },
    choiceSchema(each, union, refer),
  ]);
  return select(cases, refer(union.pointer, { type: types }));
}

function choiceSchema(choice: Choice, union: Union, refer: Refer): Json {
  const { tested, rest, property } = choice;
  if (property !== undefined) return constantSchema(choice, property, union, refer);
  const known = tested.flatMap(({ constants = [] }) => constants);
  if (known.length === 0)
    return tested.length > 0 ? propertySchema(choice, union, refer) : refer(rest!);
  const others = rest === undefined ? refer(union.pointer, { enum: known }) : refer(rest);
  return select([[{ enum: known }, true]], others);
}

/** Selects a branch by the constant in a property. */
function constantSchema(
  { tested, rest, isOptional = false }: Choice,
  property: string,
  { pointer: union }: Union,
  refer: Refer,
): Json {
  const limit = (schema: Json) => ({ properties: { [property]: schema } });
  const cases = tested.map(({ pointer, constants = [] }): Case => {
    return [limit({ enum: [...constants] }), refer(pointer)];
  });
  const known = tested.flatMap(({ constants = [] }) => constants);
  const others = rest === undefined ? limit(refer(union, { enum: known })) : refer(rest);
  const required = { required: [property] };
  return select([[required, select(cases, others)]], isOptional ? others : refer(union, required));
}

/**
 * Selects a branch by required properties. If the branches do not exclude each other, several branches can accept an
 * object, so a branch is selected only if none accepts the object.
 */
function propertySchema({ tested, rest }: Choice, union: Union, refer: Refer): Json {
  const cases = tested.map(({ pointer, own = [] }): Case => {
    return [
      { not: { properties: Object.fromEntries(own.map((name) => [name, false])) } },
      refer(pointer),
    ];
  });
  if (tested.every(({ validator }) => validator === undefined)) return select(cases, refer(rest!));
  const branches = tested.map(({ pointer }) => refer(pointer));
  // Reports `oneOf`, because several branches accept the object.
  const ambiguous = refer(parentPointer(union.pointer), { oneOf: [true, true] });
  const several: Case[] = union.keyword === "oneOf" ? [[{ anyOf: branches }, ambiguous]] : [];
  return select([[{ [union.keyword]: branches }, true], ...several, ...cases], refer(rest!));
}

/** Creates a schema that applies the schema of the first test that a value matches. */
function select(cases: readonly Case[], otherwise: Json): Json {
  return cases.reduceRight<Json>(
    (others, [test, schema]) => ({ if: test, then: schema, else: others }),
    otherwise,
  );
}
