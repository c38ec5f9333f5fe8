import { cached } from "./cached.js";
import type { Description, Json } from "./description.js";
import { refToPointer, toReferenceToken } from "./pointer.js";
import { listUnions, schemaAt, type ApplicableSchema, type Union } from "./schema.js";
import { selectBranches } from "./unions.js";

/** A combination of schemas that apply to a value. Each document has one object per combination. */
export interface SchemaSet {
  schemas: readonly ApplicableSchema[];
  /** Whether a schema marks the value as sensitive. */
  isMarked: boolean;
  /** The declared properties that were looked up before, by name. */
  properties: Map<string, Declaration>;
  /** What all properties without a name of their own have in common. */
  others?: Declaration;
  /** What all items have in common. */
  items?: Declaration;
}

/** The schemas of a property or an item. */
export interface Declaration {
  /** Pointers to the schemas that declare the value. */
  declaring: readonly string[];
  step: Step;
}

/** All schemas that apply to a value, or the schemas before a union, whose branches depend on the value. */
type Step = SchemaSet | UnionStep;

interface UnionStep {
  found: readonly ApplicableSchema[];
  union: Union;
  /** The pointers and unions that follow the union. */
  waiting: readonly (string | Union)[];
  /** The next steps, by the pointers to the selected branches. */
  next: Map<string, Step>;
}

/** Returns the schemas at some pointers, plus all applicable schemas that they reference or combine. */
export function applicableSchemas(
  description: Description,
  pointers: readonly string[],
  value: Json,
): readonly ApplicableSchema[] {
  return schemaSetOf(description, pointers, value).schemas;
}

/** Returns the set of {@link applicableSchemas}. */
export function schemaSetOf(
  description: Description,
  pointers: readonly string[],
  value: Json,
): SchemaSet {
  return selectSet(description, firstStep(description.document, pointers.join("\n")), value);
}

/** Selects the branches of unions for a value. */
export function selectSet(
  description: Pick<Description, "document" | "validators">,
  step: Step,
  value: Json,
): SchemaSet {
  let here = step;
  while ("union" in here) {
    const branches = selectBranches(description, here.union, value);
    const key = branches.join("\n");
    let next = here.next.get(key);
    if (!next) {
      next = takeStep(description.document, here.found, [...branches, ...here.waiting]);
      here.next.set(key, next);
    }
    here = next;
  }
  return here;
}

/** Returns the declaration of a property. That of an undeclared property has no declaring schemas. */
export function declareProperty(document: Json, set: SchemaSet, key: string): Declaration {
  const known = set.properties.get(key);
  if (known) return known;
  if (set.schemas.some(({ schema }) => Object.hasOwn(schema.properties ?? {}, key))) {
    const declared = declare(document, memberSchemas(set.schemas, key));
    set.properties.set(key, declared);
    return declared;
  }
  // A body can contain any number of undeclared names, so they are not cached one by one.
  if (set.schemas.some(({ schema }) => schema.patternProperties))
    return declare(document, memberSchemas(set.schemas, key));
  return (set.others ??= declare(document, memberSchemas(set.schemas, key)));
}

/** Returns the declaration of an array's items. */
export function declareItems(document: Json, set: SchemaSet): Declaration {
  return (set.items ??= declare(document, itemSchemas(set.schemas)));
}

function declare(document: Json, declaring: readonly string[]): Declaration {
  return { declaring, step: firstStep(document, declaring.join("\n")) };
}

const firstStep = /* @__PURE__ */ cached((document, joined): Step =>
  takeStep(document, [], joined === "" ? [] : joined.split("\n")),
);

const setAt = /* @__PURE__ */ cached((document, joined): SchemaSet => {
  const pointers = joined === "" ? [] : joined.split("\n");
  const schemas = pointers.map((pointer) => ({ pointer, schema: schemaAt(document, pointer) }));
  const isMarked = schemas.some(({ schema }) => schema["x-sensitive"] === true);
  return { schemas, isMarked, properties: new Map() };
});

/** Follows references and combinations up to the next union. */
function takeStep(
  document: Json,
  found: readonly ApplicableSchema[],
  pending: readonly (string | Union)[],
): Step {
  const schemas = [...found];
  const waiting = [...pending];
  for (let here = waiting.shift(); here !== undefined; here = waiting.shift()) {
    if (typeof here !== "string") return { found: schemas, union: here, waiting, next: new Map() };
    const pointer = here;
    if (schemas.some((each) => each.pointer === pointer)) continue;
    const schema = schemaAt(document, pointer);
    schemas.push({ pointer, schema });
    waiting.unshift(
      ...(schema.$ref ? [refToPointer(schema.$ref)] : []),
      ...(schema.allOf ?? []).map((_, index) => `${pointer}/allOf/${index}`),
      ...listUnions({ pointer, schema }),
    );
  }
  return setAt(document, schemas.map(({ pointer }) => pointer).join("\n"));
}

/** Returns pointers to the schemas that declare a property. */
export function memberSchemas(schemas: readonly ApplicableSchema[], key: string): string[] {
  return schemas.flatMap(({ pointer, schema }) => {
    const { properties = {}, patternProperties = {}, additionalProperties = false } = schema;
    const named = Object.hasOwn(properties, key)
      ? [`${pointer}/properties${toReferenceToken(key)}`]
      : [];
    const matching = Object.keys(patternProperties)
      .filter((pattern) => new RegExp(pattern, "u").test(key))
      .map((pattern) => `${pointer}/patternProperties${toReferenceToken(pattern)}`);
    const declaring = [...named, ...matching];
    const isOther = declaring.length === 0 && additionalProperties !== false;
    return isOther ? [`${pointer}/additionalProperties`] : declaring;
  });
}

/** Returns pointers to the schemas that declare the items of an array. */
export function itemSchemas(schemas: readonly ApplicableSchema[]): string[] {
  return schemas.flatMap(({ pointer, schema }) => (schema.items ? `${pointer}/items` : []));
}
