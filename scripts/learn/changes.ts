import {
  getAtPointer,
  parentPointer,
  parsePointer,
  toReferenceToken,
} from "../../src/openapi/pointer.js";
import type { Schema } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import { findOpenParameters, type Deviation } from "./deviations.js";
import { inferField, inferSchema, toTypeKeyword, collectTypes } from "./infer.js";
import type { Sample, Vocabulary } from "./infer.js";
import type { Action } from "../overlay/overlay.js";

/** An overlay action without its provenance. */
export type Change = Omit<Action, "x-observed">;

/**
 * Returns the overlay changes that record a deviation as a fact, or the reason why the deviation cannot be recorded.
 */
export function planChanges(
  { kind, descriptionPointer, name, value = null }: Deviation,
  samples: readonly Sample[],
  isOwn: boolean,
  vocabulary: Vocabulary,
): Change[] | string {
  const { document } = vocabulary;
  const target = toJsonPath(descriptionPointer);
  const schema = (getAtPointer(document, descriptionPointer) ?? {}) as Schema;
  const isNew = kind === "field" || kind === "parameter";
  if (isNew && !vocabulary.isName(name)) return "its name looks like data";
  switch (kind) {
    case "field": {
      // The new property is optional, because objects without the property are already valid.
      const properties = { [name]: inferField(name, samples, vocabulary) };
      return [update(target, { properties })];
    }
    case "value": {
      // The specification can list a value, such as null, that no exchange contains. This value must remain valid.
      const listed = (schema["x-known-values"] ?? []) as Json[];
      const all = [...samples, ...listed.map((each) => ({ value: each, origin: "" }))];
      const inferred = inferSchema(all, vocabulary);
      // Recorded exchanges cannot prove that an object never has additional fields.
      const rest = inferred.properties && { additionalProperties: true };
      return Object.keys(inferred).length > 0 ? [update(target, { ...inferred, ...rest })] : [];
    }
    case "parameter": {
      const { description, ...inferred } = inferField(name, samples.map(parseValue), vocabulary);
      const parameters = [{ name, in: "query", description, schema: inferred }];
      // A free-form parameter would be ambiguous next to named parameters.
      const removed = findOpenParameters(document, descriptionPointer).map((each) => ({
        target: `${target}[?@['$ref'] == '#${each}']`,
        remove: true,
      }));
      return [...removed, update(toJsonPath(parentPointer(descriptionPointer)), { parameters })];
    }
    case "unlisted":
      return vocabulary.isListable(value)
        ? [update(`${target}['x-known-values']`, [value])]
        : "the value is neither a single word nor a small number";
    case "absence":
      return [{ target: `${target}.required[?@ == '${name}']`, remove: true }];
    case "type": {
      const types = collectTypes(samples.map((each) => each.value));
      const isNull = types.every((each) => each === "null");
      if (!isNull && !isOwn) return "the specification states a different type";
      return widenType(target, schema, types);
    }
    case "status":
      return changeStatus(descriptionPointer, name, samples, vocabulary);
  }
}

/**
 * Adds types to a schema. First removes the old `type` or `$ref`, because an update cannot replace a string with a
 * list, or remove a reference.
 */
function widenType(target: string, schema: Schema, types: readonly string[]): Change[] | string {
  const { $ref, type, const: only } = schema;
  if (only !== undefined) return "the specification allows only one value";
  if (type !== undefined) {
    const joined = toTypeKeyword([...[type].flat(), ...types]);
    return [{ target: `${target}.type`, remove: true }, update(target, { type: joined })];
  }
  if ($ref === undefined) return "the description has no type to extend";
  const anyOf = [{ $ref }, { type: toTypeKeyword(types) }];
  return [{ target: `${target}['$ref']`, remove: true }, update(target, { anyOf })];
}

/**
 * Adds a response for a status.
 * @param descriptionPointer a pointer to a shared default response, or to the responses of an operation
 */
function changeStatus(
  descriptionPointer: string,
  status: string,
  bodies: readonly Sample[],
  vocabulary: Vocabulary,
): Change[] {
  const { document } = vocabulary;
  const mediaType = getAtPointer(document, `${descriptionPointer}/content/application~1json`) as
    { schema: Schema } | undefined;
  const own = bodies.length > 0 && requireShared(inferSchema(bodies, vocabulary), bodies);
  if (!mediaType) {
    const content = own && { content: { "application/json": { schema: own } } };
    const response = { description: `A response with HTTP ${status}.`, ...content };
    return [update(toJsonPath(descriptionPointer), { [status]: response } as Json)];
  }
  const others = `$.paths.*[?@.responses.default['$ref'] == '#${descriptionPointer}' && !@.responses['${status}']].responses`;
  if (!own) return [update(others, { [status]: { $ref: `#${descriptionPointer}` } })];
  const response = {
    description: `An error response with HTTP ${status}.`,
    content: { "application/json": { ...mediaType, schema: { anyOf: [mediaType.schema, own] } } },
  };
  return [
    update("$.components.responses", { [`Status${status}`]: response } as Json),
    update(others, { [status]: { $ref: `#/components/responses/Status${status}` } }),
  ];
}

/**
 * Marks a property as required if all bodies contain the property. Without required properties, the new branch would
 * accept any object.
 */
function requireShared(schema: Schema, bodies: readonly Sample[]): Schema {
  const names = Object.keys(schema.properties ?? {});
  const required = names.filter((name) =>
    bodies.every(({ value }) => getAtPointer(value, toReferenceToken(name)) !== undefined),
  );
  return required.length > 0 ? { ...schema, required } : schema;
}

/** Parses the value of a query parameter, because a URL contains only text. */
function parseValue({ value, origin }: Sample): Sample {
  const isScalar = typeof value === "string" && /^(-?(0|[1-9]\d*)(\.\d+)?|true|false)$/.test(value);
  return { value: isScalar ? (JSON.parse(value) as Json) : value, origin };
}

function update(target: string, value: unknown): Change {
  return { target, update: value as Json };
}

/** Converts a pointer to a JSONPath expression. */
function toJsonPath(pointer: string): string {
  const steps = parsePointer(pointer).map((key, index, keys) => {
    if (/^[A-Za-z_]\w*$/.test(key)) return `.${key}`;
    const isIndex = /^(allOf|anyOf|oneOf)$/.test(keys[index - 1] ?? "");
    return isIndex ? `[${key}]` : `['${key.replaceAll(/['\\]/g, "\\$&")}']`;
  });
  return `$${steps.join("")}`;
}
