import { description } from "../../generated/full-description.js";
import { resolveRef } from "../../openapi/document.js";
import { isPlainIdentifier, maskName } from "../engine/format-value.js";
import { isMisspelling } from "../engine/suggest.js";
import { lastKey, toReferenceToken } from "../../openapi/pointer.js";
import { hasType, schemaAt, type Schema } from "../../openapi/schema.js";
import { walkValues, type Subject, type WalkedValue } from "../../openapi/walk-values.js";
import type { Json } from "../../openapi/description.js";
import { choosePlaceholder, constantsIn } from "./placeholders.js";
import type { RunSecrets } from "./run-secrets.js";

/** What the schemas of a body say about one value. */
interface Place {
  schemas: Schema[];
  isDiscriminator: boolean;
  hasDeclaredName: boolean;
  isSensitive: boolean;
}

/**
 * Redacts a body. Replaces the values and names that a recording cannot contain.
 * @param isFromEnvironment returns whether a value comes from an environment variable
 */
export function redactBody(
  body: Json,
  subjects: readonly Subject[],
  secrets: RunSecrets,
  isFromEnvironment: (pointer: string, value: Json) => boolean = () => false,
): Json {
  const places = describePlaces(subjects);
  const redact = (value: Json, pointer: string): Json => {
    if (typeof value !== "object" || value === null)
      return redactScalar(value, places.get(pointer), secrets, isFromEnvironment(pointer, value));
    const inner = (key: string) => pointer + toReferenceToken(key);
    if (Array.isArray(value)) return value.map((each, index) => redact(each, inner(`${index}`)));
    const used = new Set<string>();
    const entries = Object.entries(value).map(([key, each], index): [string, Json] => {
      const redacted = redact(each, inner(key));
      if (isNameKept(key, places.get(inner(key)), secrets)) return [key, redacted];
      const masked = maskName(key);
      const name = masked === key || used.has(masked) ? `key-${index + 1}` : masked;
      used.add(masked);
      return [name, redacted];
    });
    return Object.fromEntries(entries);
  };
  return redact(body, "");
}

function redactScalar(
  value: Json,
  place: Place | undefined,
  secrets: RunSecrets,
  isFromEnvironment: boolean,
): Json {
  const { schemas = [], isSensitive = false } = place ?? {};
  const isConstant = schemas.some((each) => constantsIn(each).includes(value));
  // A discriminator can be any string, even if it selects no branch.
  const hasDeclaredType =
    isConstant ||
    (typeof value === "string" && place?.isDiscriminator) ||
    schemas.some((each) => hasType(value, each));
  if (!hasDeclaredType || isSensitive || isFromEnvironment)
    return choosePlaceholder(value, schemas);
  if (isConstant) return value;
  if (secrets.has(String(value))) return choosePlaceholder(value, schemas);
  const redacted = typeof value === "string" ? secrets.redact(value) : value;
  return redacted === value ? value : choosePlaceholder(value, schemas, [redacted]);
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
  if (secrets.isInName(key)) return false;
  return place?.hasDeclaredName || (isPlainIdentifier(key) && !secrets.has(key));
}

function isDiscriminator({ pointer, around }: WalkedValue): boolean {
  const name = lastKey(pointer);
  return Boolean(around?.schemas.some(({ schema }) => schema.discriminator?.propertyName === name));
}

/**
 * Checks whether a key is a declared property name, a misspelling of one, or a declared key of a map.
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
