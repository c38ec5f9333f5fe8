import { reachSchemas } from "../../src/openapi/keywords.js";
import { parentPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { selectDocumented } from "../../src/contract/engine/check-response.js";
import { selectMediaType } from "../../src/openapi/route.js";
import {
  combined,
  isObject,
  listUnions,
  schemaAt,
  type ApplicableSchema,
} from "../../src/openapi/schema.js";
import { memberSchemas } from "../../src/openapi/schema-sets.js";
import { typesIn } from "../../src/openapi/unions.js";
import { walkValues, type WalkedValue } from "../../src/openapi/walk-values.js";
import type { Description, Json } from "../../src/openapi/description.js";
import { isNegated } from "../description/schema-pointers.js";
import type { Evidence } from "./evidence-files.js";

/** What a schema says about a property or a list item, and what recordings show. */
export interface PropertyCount {
  /** Pointer to the schema of the property. */
  pointer: string;
  /** Pointers to all schemas of the property, if `allOf` combines several. */
  declaring: readonly string[];
  /** Pointer to the entry in `required`, if the property is required. */
  requiredAt: string | undefined;
  isNullable: boolean;
  /** The names of the exchanges whose bodies have the property. */
  exchanges: Set<string>;
  /** The numbers of objects that have the property, that omit it, and in which it is null. */
  present: number;
  absent: number;
  nulls: number;
}

/**
 * Counts how often bodies show each property that a description declares. A schema that several operations share has
 * one count, unless the property is optional for one of them and required for another.
 */
export function countProperties(
  evidence: readonly Evidence[],
  description: Description,
): PropertyCount[] {
  const { document } = description;
  const counts = new Map<string, PropertyCount>();
  const countOf = (declaring: readonly string[], requiredAt?: string) => {
    const created = createCount(document, declaring, requiredAt);
    const key = [created.pointer, requiredAt !== undefined, created.isNullable].join(" ");
    const count = counts.get(key) ?? created;
    counts.set(key, count);
    return count;
  };
  for (const each of evidence) {
    const { exchange } = each;
    for (const { value, declaring, schemas, around } of walkBody(each, description)) {
      const isProperty = around && isObject(around.value);
      if (declaring.length > 0 && !(isProperty && isNamed(declaring[0]!)))
        addTo(countOf(declaring, ""), exchange.name, value);
      if (!isObject(value)) continue;
      const closest = withClosestBranches(document, schemas, value);
      for (const name of declaredNames(closest)) {
        const own = memberSchemas(closest, name);
        const count = countOf(own, findRequired(closest, name));
        if (Object.hasOwn(value, name)) addTo(count, exchange.name, value[name]!);
        else count.absent++;
      }
    }
  }
  return [...counts.values()];
}

/** Lists every value in the body of a piece of evidence, with the schemas that apply to the value. */
export function walkBody(
  { operation, exchange }: Evidence,
  description: Description,
): Iterable<WalkedValue> {
  const { headers, body = null } = exchange.response;
  const response = selectDocumented(exchange, operation, description);
  const { schema } = (response && selectMediaType(response, headers)) ?? {};
  return schema === undefined ? [] : walkValues({ description, schema, body });
}

/** Returns counts of 0. @param declaring pointers to the schemas of a property or a list item */
function createCount(
  document: Json,
  declaring: readonly string[],
  requiredAt: string | undefined,
): PropertyCount {
  // The last schema is the most specific one, because the first schemas in `allOf` are shared.
  const pointer = declaring.at(-1)!;
  const types = typesIn(
    document,
    declaring.flatMap((each) => combined(document, each)),
  );
  // Without a type, every value is valid.
  const isNullable = types.length === 0 || types.includes("null");
  const none = { present: 0, absent: 0, nulls: 0 };
  return { pointer, declaring, requiredAt, isNullable, exchanges: new Set(), ...none };
}

/** Keeps only one branch of each union: the one that declares the most properties of the object. */
function withClosestBranches(
  document: Json,
  schemas: readonly ApplicableSchema[],
  object: object,
): readonly ApplicableSchema[] {
  let kept = schemas;
  for (const { branches } of schemas.flatMap(listUnions)) {
    const parts = branches
      .filter((branch) => schemas.some(({ pointer }) => pointer === branch))
      .map((branch) => combined(document, branch))
      .map((all) => ({ all, size: [...declaredNames(all)].filter((key) => key in object).length }))
      .toSorted((a, b) => b.size - a.size);
    const [closest, ...others] = parts.map(({ all }) => new Set(all.map(({ pointer }) => pointer)));
    kept = kept.filter(
      ({ pointer }) => closest?.has(pointer) || others.every((each) => !each.has(pointer)),
    );
  }
  return kept;
}

function addTo(count: PropertyCount, exchange: string, value: Json): void {
  count.exchanges.add(exchange);
  count.present++;
  if (value === null) count.nulls++;
}

/** Lists all properties of responses that a description declares, with counts of 0. */
export function listProperties(description: Description): PropertyCount[] {
  const { document, operations } = description;
  const bodies = operations.flatMap(({ responses }) =>
    responses.flatMap(({ content }) => content.flatMap(({ schema }) => schema ?? [])),
  );
  const reached = [...reachSchemas(document, bodies)].filter((each) => !isNegated(each));
  const schemas = reached.map((pointer) => ({ pointer, schema: schemaAt(document, pointer) }));
  // A schema can require properties that the schemas in its `allOf` declare.
  const outer = new Map<string, ApplicableSchema[]>();
  for (const each of schemas)
    for (const inner of combined(document, each.pointer))
      outer.set(inner.pointer, [
        ...(outer.get(inner.pointer) ?? []),
        ...combined(document, each.pointer),
      ]);
  return schemas.flatMap(({ pointer, schema }) =>
    Object.keys(schema.properties ?? {}).map((name): PropertyCount => {
      const own = `${pointer}/properties${toReferenceToken(name)}`;
      return createCount(document, [own], findRequired(outer.get(pointer)!, name));
    }),
  );
}

function declaredNames(schemas: readonly ApplicableSchema[]): Set<string> {
  return new Set(schemas.flatMap(({ schema }) => Object.keys(schema.properties ?? {})));
}

/** Returns the pointer to the entry in `required` for a property. */
function findRequired(schemas: readonly ApplicableSchema[], name: string): string | undefined {
  for (const { pointer, schema } of schemas) {
    const index = schema.required?.indexOf(name) ?? -1;
    if (index >= 0) return `${pointer}/required/${index}`;
  }
  return undefined;
}

function isNamed(pointer: string): boolean {
  return parentPointer(pointer).endsWith("/properties");
}
