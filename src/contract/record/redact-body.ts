import { description } from "../../generated/full-description.js";
import { resolveRef } from "../../openapi/document.js";
import { isPlainIdentifier, maskName } from "../engine/format-value.js";
import { isMisspelling } from "../engine/suggest.js";
import { isWithin, lastKey, parentPointer, toReferenceToken } from "../../openapi/pointer.js";
import { hasType, schemaAt, type Schema } from "../../openapi/schema.js";
import { walkValues, type Subject, type WalkedValue } from "../../openapi/walk-values.js";
import type { Json } from "../../openapi/description.js";
import { constantsIn, listPlaceholders } from "./placeholders.js";
import type { RunSecrets } from "./run-secrets.js";

/** A body, and what to write in place of its values and names. */
export interface BodyPlan {
  body: Json | undefined;
  /** The placeholders for each value that is not written, best first, by pointer. The first one is used. */
  placeholders: Map<string, readonly Json[]>;
  /** The masked names, by pointer to their values. */
  names: ReadonlyMap<string, string>;
}

/** What the schemas of a body say about one value. */
interface Place {
  schemas: Schema[];
  isDiscriminator: boolean;
  hasDeclaredName: boolean;
  isSensitive: boolean;
}

/**
 * Decides which values and names of a body a recording cannot contain.
 * @param isFromEnvironment returns whether a value comes from an environment variable
 */
export function planBody(
  body: Json | undefined,
  subjects: readonly Subject[],
  secrets: RunSecrets,
  isFromEnvironment: (pointer: string, value: Json) => boolean,
): BodyPlan {
  const places = describePlaces(subjects);
  const placeholders = new Map<string, readonly Json[]>();
  const names = new Map<string, string>();
  const ordinals = new Map<Json, number>();
  const visit = (value: Json, pointer: string): void => {
    if (typeof value === "object" && value !== null) {
      const used = new Set<string>();
      for (const [index, [key, each]] of Object.entries(value).entries()) {
        const inner = pointer + toReferenceToken(key);
        if (!Array.isArray(value) && !isNameKept(key, places.get(inner), secrets)) {
          const masked = maskName(key) === key ? `key-${index + 1}` : maskName(key);
          names.set(inner, used.has(masked) ? `key-${index + 1}` : masked);
          used.add(masked);
        }
        visit(each, inner);
      }
      return;
    }
    const place = places.get(pointer);
    const schemas = place?.schemas ?? [];
    const isConstant = schemas.some((each) => constantsIn(each).includes(value));
    // A discriminator can be any string, even if it selects no branch.
    const hasDeclaredType =
      isConstant ||
      (typeof value === "string" && place?.isDiscriminator) ||
      schemas.some((each) => hasType(value, each));
    ordinals.set(value, ordinals.get(value) ?? ordinals.size);
    const others = listPlaceholders(value, schemas, ordinals.get(value)!);
    if (!hasDeclaredType || place?.isSensitive || isFromEnvironment(pointer, value))
      placeholders.set(pointer, others);
    else if (!isConstant && secrets.has(String(value))) placeholders.set(pointer, others);
    else if (!isConstant && typeof value === "string" && secrets.redact(value) !== value)
      placeholders.set(pointer, [secrets.redact(value), ...others]);
  };
  if (body !== undefined) visit(body, "");
  return { body, placeholders, names };
}

/** Returns the redacted body as the `body` property of a request or response. */
export function redactBody({ body, placeholders, names }: BodyPlan): { body?: Json } {
  const redact = (value: Json, pointer: string): Json => {
    if (typeof value !== "object" || value === null) return placeholders.get(pointer)?.[0] ?? value;
    const entries = Object.entries(value).map(([key, each]): [string, Json] => {
      const inner = pointer + toReferenceToken(key);
      return [names.get(inner) ?? key, redact(each, inner)];
    });
    return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
  };
  return body === undefined ? {} : { body: redact(body, "") };
}

/**
 * Replaces the placeholders at a location or, if there are none, in the closest enclosing value with the next ones.
 * @returns whether there were other placeholders
 */
export function tryNextPlaceholders({ placeholders }: BodyPlan, location: string): boolean {
  const inside = [...placeholders].filter(
    ([pointer, { length }]) => length > 1 && isWithin(pointer, location),
  );
  for (const [pointer, [, ...others]] of inside) placeholders.set(pointer, others);
  if (inside.length > 0 || location === "") return inside.length > 0;
  return tryNextPlaceholders({ placeholders } as BodyPlan, parentPointer(location));
}

function describePlaces(subjects: readonly Subject[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const walked of subjects.flatMap((each) => [...walkValues(each)])) {
    const schemas = walked.schemas.map(({ schema }) => schema);
    const other = places.get(walked.pointer);
    places.set(walked.pointer, {
      schemas: [...(other?.schemas ?? []), ...schemas],
      isDiscriminator: other?.isDiscriminator || isDiscriminator(walked),
      hasDeclaredName: other?.hasDeclaredName || hasDeclaredName(walked),
      isSensitive: other?.isSensitive || walked.isSensitive,
    });
  }
  return places;
}

function isNameKept(key: string, place: Place | undefined, secrets: RunSecrets): boolean {
  if (place?.hasDeclaredName) return !secrets.isExposed(key);
  return isPlainIdentifier(key) && !secrets.has(key);
}

function isDiscriminator({ pointer, around }: WalkedValue): boolean {
  const name = lastKey(pointer);
  return Boolean(around?.schemas.some(({ schema }) => schema.discriminator?.propertyName === name));
}

/**
 * Checks whether the description declares a key, as a property name or as a key of a map, or whether the key is a
 * misspelling of a property name.
 */
function hasDeclaredName({ pointer, around }: WalkedValue): boolean {
  const key = lastKey(pointer);
  const { document } = description;
  return (around?.schemas ?? []).some(({ pointer: at, schema }) => {
    const names = Object.keys(schema.properties ?? {});
    if (names.some((name) => name === key || isMisspelling(key, name))) return true;
    const { pattern } = schemaAt(document, resolveRef(document, `${at}/propertyNames`));
    const patterns = [
      ...Object.keys(schema.patternProperties ?? {}),
      ...(pattern ? [pattern] : []),
    ];
    return patterns.some((each) => new RegExp(each, "u").test(key));
  });
}
