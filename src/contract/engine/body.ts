import { formatNames, formatValue, joinWithOr, maskKey } from "./format-value.js";
import { getAtPointer, lastKey, parentPointer, toReferenceToken } from "../../openapi/pointer.js";
import type { RawFinding } from "./rules.js";
import { isObject, jsonType, walkValues } from "../../openapi/schema.js";
import type { ApplicableSchema, Subject, WalkedValue } from "../../openapi/schema.js";
import { closestName } from "./suggest.js";
import type { Json } from "../../openapi/description.js";
import { invalidKeys, isWithinKey, toViolations, type Violation } from "./violations.js";

/** Keywords that restrict nothing. */
const ANNOTATION = /^(x-.*|description|title|default|\$ref)$/;

/** Finds every value in a body that contradicts the schema. */
export function findViolations(subject: Subject, values = walkByPointer(subject)): Violation[] {
  const errors = subject.description.validators[subject.schema]?.(subject.body) ?? [];
  return toViolations(errors, subject.body, ({ instancePath }) =>
    Boolean(values.get(instancePath)?.isSensitive),
  );
}

function walkByPointer(subject: Subject): ReadonlyMap<string, WalkedValue> {
  return new Map(walkValues(subject).map((each) => [each.pointer, each]));
}

/** Checks a body in two passes: first values that contradict the schema, then anything undeclared. */
export function checkBody(subject: Subject): RawFinding[] {
  const values = walkByPointer(subject);
  const violations = findViolations(subject, values);
  const keys = invalidKeys(violations);
  const drift = [...values.values()]
    .filter(({ pointer }) => !isWithinKey(pointer, keys))
    .flatMap((each) => [...checkField(each), ...checkValue(each)]);
  const pointers = new Set(violations.map(({ pointer }) => pointer));
  const wrong = violations.map((each) => toFinding(each, subject, values));
  return mergeRenames(
    wrong,
    drift.filter(({ location = "" }) => !pointers.has(location)),
  );
}

function toFinding(
  { rule, keyword, pointer, expected, actual, descriptionPointer: keywordAt }: Violation,
  { description: { document } }: Subject,
  values: ReadonlyMap<string, WalkedValue>,
): RawFinding {
  // A missing field does not have its own location.
  const isMissing = rule === "schema/required";
  const here = values.get(isMissing ? parentPointer(pointer) : pointer)!;
  const descriptionPointer = findStatement(keywordAt, document);
  const finding = {
    pointer,
    location: here.pointer,
    groupKey: here.pointerTemplate,
    descriptionPointer,
    expected,
    actual,
  };
  if (isMissing) {
    const name = lastKey(pointer);
    const index = (getAtPointer(document, descriptionPointer) as Json[]).indexOf(name);
    return {
      ...finding,
      rule,
      groupKey: here.pointerTemplate + toReferenceToken(name),
      descriptionPointer: index < 0 ? descriptionPointer : `${descriptionPointer}/${index}`,
      declared: declaredNames(here.schemas),
    };
  }
  if (rule === "schema/propertyNames") {
    const key = maskKey(lastKey(pointer));
    const masked = parentPointer(pointer) + toReferenceToken(key);
    return {
      ...finding,
      rule,
      pointer: masked,
      groupKey: `${here.around?.pointerTemplate}/*`,
      found: key,
    };
  }
  // Only the union itself lists all its discriminator values.
  const isDiscriminator = keyword === "enum" && lastKey(descriptionPointer) !== "enum";
  const isConstant = keyword === "const" || keyword === "enum";
  const found = isConstant ? actual : jsonType(here.value);
  return { ...finding, rule: isDiscriminator ? "schema/oneOf" : rule, found };
}

/** The document contains the union, but not the conditions that select its branches. */
function findStatement(pointer: string, document: Json): string {
  const isStated = getAtPointer(document, pointer) !== undefined;
  return isStated ? pointer : findStatement(parentPointer(pointer), document);
}

/** Merges a missing field and an undeclared field with a similar name into one finding: a renamed field. */
function mergeRenames(wrong: RawFinding[], drift: RawFinding[]): RawFinding[] {
  const similar = new Map<string, RawFinding>();
  for (const each of drift)
    if (each.didYouMean !== undefined)
      similar.set(parentPointer(each.pointer) + toReferenceToken(each.didYouMean), each);
  const renamed = new Set<RawFinding>();
  const findings = wrong.map((finding): RawFinding => {
    const other = finding.rule === "schema/required" ? similar.get(finding.pointer) : undefined;
    if (!other) return finding;
    renamed.add(other);
    const found = lastKey(other.pointer);
    const actual = `absent, but \`${found}\` is present but undeclared`;
    return { ...finding, location: other.location!, actual, found, didYouMean: other.didYouMean };
  });
  return [...findings, ...drift.filter((each) => !renamed.has(each))];
}

/** Checks a field: it may be undeclared, or unspecified in the source. */
function checkField({ pointer: location, value, declaring, around }: WalkedValue): RawFinding[] {
  if (!around || !isObject(around.value)) return [];
  const { schemas } = around;
  const gap = findGap(schemas.filter((each) => isOpen(each, declaring)));
  if (declaring.length > 0 && !gap) return [];
  const naming = schemas.findLast(
    ({ schema }) => schema.properties ?? schema.additionalProperties !== undefined,
  );
  if (!naming) return [];
  const declared = declaredNames(schemas);
  const key = lastKey(location);
  const masked = toReferenceToken(maskKey(key));
  const pointer = around.pointer + masked;
  const finding = { pointer, location, actual: formatValue(value, false), declared };
  if (gap) {
    const expected = "anything (the source does not list further fields)";
    return [
      {
        ...finding,
        rule: "unspecified/property",
        groupKey: around.pointerTemplate,
        ...gap,
        expected,
      },
    ];
  }
  const absent = declared.filter((name) => !Object.hasOwn(around.value as object, name));
  return [
    {
      ...finding,
      rule: "undeclared/property",
      groupKey: around.pointerTemplate + masked,
      descriptionPointer: naming.pointer,
      expected: `one of ${formatNames(declared)}`,
      found: jsonType(value),
      didYouMean: closestName(key, absent),
    },
  ];
}

/** Whether the source leaves other fields of an object unspecified, and the schemas of the field add nothing. */
function isOpen({ pointer, schema }: ApplicableSchema, declaring: readonly string[]): boolean {
  if (declaring.length === 0) return schema["x-open"] === true;
  const isAny = schema.additionalProperties === true;
  return isAny && declaring.every((each) => each === `${pointer}/additionalProperties`);
}

/** Checks a value: it may be unknown, or unspecified in the source. */
function checkValue({
  schemas,
  pointer,
  pointerTemplate,
  value,
  isSensitive,
}: WalkedValue): RawFinding[] {
  const gap = findGap(schemas);
  const named = schemas.find(({ schema }) => schema["x-known-values"] !== undefined);
  const known = (named?.schema["x-known-values"] ?? []) as Json[];
  const isKnownType = known.some((each) => jsonType(each) === jsonType(value));
  const actual = formatValue(value, isKnownType && !isSensitive);
  const finding = { pointer, location: pointer, groupKey: pointerTemplate, actual };
  if (!named)
    return gap && isUnconstrained(schemas)
      ? [{ ...finding, rule: "unspecified/value", ...gap }]
      : [];
  if (known.includes(value)) return [];
  const expected = joinWithOr(known);
  // The source leaves other values unspecified.
  if (gap) return [{ ...finding, rule: "unspecified/value", ...gap, expected }];
  // `type` already reports values of the wrong type.
  if (!isKnownType) return [];
  return [
    {
      ...finding,
      rule: "undeclared/value",
      descriptionPointer: named.pointer,
      expected,
      found: actual,
    },
  ];
}

/** The first gap marked on some schemas, as part of a finding. */
export function findGap(
  schemas: readonly ApplicableSchema[],
): Pick<RawFinding, "gap" | "descriptionPointer" | "expected"> | undefined {
  for (const { pointer, schema } of schemas) {
    const [first] = (schema["x-not-specified"] ?? []) as { id: string }[];
    if (first)
      return {
        gap: first.id,
        descriptionPointer: pointer,
        expected: "anything (not specified by the source)",
      };
  }
  return undefined;
}

/** The field names that a description declares for an object. */
function declaredNames(schemas: readonly ApplicableSchema[]): string[] {
  return [...new Set(schemas.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))];
}

/** Whether the description does not restrict a value. */
export function isUnconstrained(schemas: readonly ApplicableSchema[]): boolean {
  return schemas.every(({ schema }) =>
    Object.keys(schema).every((keyword) => ANNOTATION.test(keyword)),
  );
}
