import { jsonType, type Schema } from "../../openapi/schema.js";
import type { Json } from "../../openapi/description.js";

/** Examples of the formats that a schema can require. */
const FORMATS: Readonly<Record<string, string>> = {
  date: "2000-01-01",
  "date-time": "2000-01-01T00:00:00Z",
  time: "00:00:00Z",
  duration: "P1D",
  email: "redacted@redacted.example",
  "idn-email": "redacted@redacted.example",
  hostname: "redacted.example",
  "idn-hostname": "redacted.example",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "00000000-0000-4000-8000-000000000000",
  "json-pointer": "/redacted",
  "relative-json-pointer": "0",
  regex: "redacted",
};

/**
 * Returns a replacement for a string. The replacement for a URL is also a URL, and the replacement for a path starts
 * with a slash.
 */
export function replaceString(value: string): string {
  if (/^https?:\/\//i.test(value)) return "https://redacted.example/";
  return value === "" ? "" : `${value.startsWith("/") ? "/" : ""}redacted`;
}

/**
 * Returns the first placeholder for a scalar that satisfies and breaks the same keywords as the scalar, so that the gate
 * reports the same findings.
 * @param schemas the schemas that apply to the scalar
 * @param preferred a placeholder to use if it matches
 */
export function choosePlaceholder(
  value: Json,
  schemas: readonly Schema[],
  preferred: readonly Json[] = [],
): Json {
  const wanted = describeMatch(value, schemas);
  let first: Json | undefined;
  for (const each of listPlaceholders(value, schemas, preferred)) {
    if (describeMatch(each, schemas) === wanted) return each;
    first ??= each;
  }
  return first!;
}

/** The keywords that a scalar can satisfy or break. */
const KEYWORDS: Readonly<Record<string, (value: Json, limit: unknown) => unknown>> = {
  const: (value, constant) => value === constant,
  enum: (value, constants) => (constants as Json[]).includes(value),
  "x-known-values": (value, constants) => (constants as Json[]).includes(value),
  pattern: (value, pattern) => new RegExp(String(pattern), "u").test(String(value)),
  format: (value, name) => describeForm(String(value), String(name)),
  minLength: (value, limit) => [...String(value)].length >= Number(limit),
  maxLength: (value, limit) => [...String(value)].length <= Number(limit),
  minimum: (value, limit) => Number(value) >= Number(limit),
  maximum: (value, limit) => Number(value) <= Number(limit),
  exclusiveMinimum: (value, limit) => Number(value) > Number(limit),
  exclusiveMaximum: (value, limit) => Number(value) < Number(limit),
  multipleOf: (value, step) => Number.isInteger(Number(value) / Number(step)),
};

function describeMatch(value: Json, schemas: readonly Schema[]): string {
  const matches = schemas.flatMap((schema) =>
    Object.keys(KEYWORDS).map((name) => name in schema && KEYWORDS[name]!(value, schema[name])),
  );
  return JSON.stringify(matches);
}

/** Describes the characters of a string that decide whether the string has a format. */
function describeForm(value: string, format: string): string {
  if (FORMATS[format] === undefined) return "";
  const form = value.replace(/\p{L}+/gu, "a").replace(/\d+/g, "0");
  return format.startsWith("date") ? `${form} ${Number.isNaN(Date.parse(value))}` : form;
}

/** Placeholders that can equal the value, because they reveal nothing. */
const NEUTRAL: ReadonlySet<Json> = new Set<Json>(["", "redacted", 1, 0.5, false, true, null]);

/**
 * Yields placeholders for a scalar, best first. A placeholder has the type of the value, so that the gate still reports
 * a wrong type. The type of null has no other value.
 */
export function* listPlaceholders(
  value: Json,
  schemas: readonly Schema[],
  preferred: readonly Json[] = [],
): Generator<Json> {
  yield* preferred;
  // A constant of the description reveals nothing, even if it equals the value.
  yield* schemas.flatMap(constantsIn).filter((each) => jsonType(each) === jsonType(value));
  for (const each of listValues(value, schemas))
    if (each !== value || NEUTRAL.has(each)) yield each;
}

function listValues(value: Json, schemas: readonly Schema[]): Iterable<Json> {
  if (typeof value === "string") return listStrings(value, schemas);
  if (typeof value === "number") return listNumbers(value, schemas);
  // Every Boolean becomes false, unless a constant tells the two apart.
  return typeof value === "boolean" ? [false, true] : [value];
}

/** Returns the values that a schema lists. */
export function constantsIn(schema: Schema): Json[] {
  const known = schema["x-known-values"] as Json[] | undefined;
  return ["const" in schema ? [schema.const as Json] : [], schema.enum ?? [], known ?? []].flat();
}

/** Yields strings one by one, because a string of several megabytes usually needs only the first. */
function* listStrings(value: string, schemas: readonly Schema[]): Generator<string> {
  yield replaceString(value);
  yield "redacted";
  yield* schemas.flatMap(({ format }) => FORMATS[format ?? ""] ?? []);
  yield* listSimilar(value, schemas.map(({ pattern = "" }) => pattern).join(" "));
  const lengths = schemas.flatMap(({ minLength, maxLength }) => [minLength, maxLength]);
  for (const length of [value.length, ...lengths])
    if (typeof length === "number" && length <= Math.max(value.length, 100))
      yield "redacted".repeat(Math.ceil(length / 8)).slice(0, length);
  yield* Object.values(FORMATS);
}

/** Yields texts with the structure of a value, such as that of a date or a hexadecimal number. */
function* listSimilar(value: string, pattern: string): Generator<string> {
  for (const to of ["a", "x"]) {
    const letters = value.replace(/\p{L}+/gu, (word) => {
      // A word that the pattern contains, such as `UTC`, is not secret.
      if (word.length > 1 && pattern.includes(word)) return word;
      return word.replace(/\p{Lu}/gu, to.toUpperCase()).replace(/\P{Lu}/gu, to);
    });
    yield letters.replace(/\d/g, "1");
    yield letters.replace(/\d/g, "0");
    yield letters.replace(/\d+/g, ({ length }) => DIGITS[length] ?? "1".repeat(length));
  }
}

/** Digits that are valid in a date and in a time. */
const DIGITS: Readonly<Record<number, string>> = { 2: "01", 4: "2000" };

function listNumbers(value: number, schemas: readonly Schema[]): number[] {
  const limits = schemas.flatMap((each) =>
    ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"].flatMap((name) => {
      const limit = each[name];
      return typeof limit === "number" ? [0, 1, -1, 2, -2].map((step) => limit + step) : [];
    }),
  );
  const steps = schemas.flatMap(({ minimum, multipleOf }) =>
    typeof multipleOf === "number"
      ? Math.ceil(Number(minimum ?? 0) / multipleOf) * multipleOf + multipleOf
      : [],
  );
  const common = [1, ...limits, ...steps, 0, -1];
  // An integer must stay an integer, and a fraction must stay a fraction.
  if (Number.isInteger(value)) return common.filter(Number.isInteger);
  return [0.5, ...common.map((each) => each + 0.5), ...common];
}
