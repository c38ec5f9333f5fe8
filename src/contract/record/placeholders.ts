import type { Schema } from "../../openapi/schema.js";
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
  const placeholders = [...preferred, ...listPlaceholders(value, schemas)];
  const wanted = describeMatch(value, schemas);
  return placeholders.find((each) => describeMatch(each, schemas) === wanted) ?? placeholders[0]!;
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

/**
 * Lists placeholders for a scalar, best first. A placeholder has the type of the value, so that the gate still reports a
 * wrong type.
 */
export function listPlaceholders(value: Json, schemas: readonly Schema[]): readonly Json[] {
  if (typeof value !== "string" && typeof value !== "number") return [value];
  const constants = schemas.flatMap(constantsIn).filter((each) => typeof each === typeof value);
  const listed =
    typeof value === "string" ? listStrings(value, schemas) : listNumbers(value, schemas);
  // A constant of the description reveals nothing, even if it equals the value.
  const others = listed.filter((each) => each !== value || ["", "redacted", 1, 0.5].includes(each));
  return [...new Set([...constants, ...others])];
}

/** Returns the values that a schema lists. */
export function constantsIn(schema: Schema): Json[] {
  const known = schema["x-known-values"] as Json[] | undefined;
  return ["const" in schema ? [schema.const as Json] : [], schema.enum ?? [], known ?? []].flat();
}

function listStrings(value: string, schemas: readonly Schema[]): string[] {
  const redacted = replaceString(value);
  const lengths = schemas.flatMap(({ minLength, maxLength }) => [minLength, maxLength]);
  const resized = [value.length, ...lengths].flatMap((length) =>
    typeof length === "number" && length <= Math.max(value.length, 100)
      ? "redacted".repeat(Math.ceil(length / 8)).slice(0, length)
      : [],
  );
  return [
    redacted,
    "redacted",
    ...schemas.flatMap(({ format }) => FORMATS[format ?? ""] ?? []),
    ...listSimilar(value, schemas.map(({ pattern = "" }) => pattern).join(" ")),
    ...resized,
    ...Object.values(FORMATS),
  ];
}

/** Lists texts with the structure of a value, such as that of a date or a hexadecimal number. */
function listSimilar(value: string, pattern: string): string[] {
  const letters = (to: string) =>
    value.replace(/\p{L}+/gu, (word) => {
      // A word that the pattern contains, such as `UTC`, is not secret.
      if (word.length > 1 && pattern.includes(word)) return word;
      return word.replace(/\p{Lu}/gu, to.toUpperCase()).replace(/\P{Lu}/gu, to);
    });
  return ["a", "x"].flatMap((to) => [
    letters(to).replace(/\d/g, "1"),
    letters(to).replace(/\d/g, "0"),
    letters(to).replace(/\d+/g, ({ length }) => DIGITS[length] ?? "1".repeat(length)),
  ]);
}

/** Digits that are valid in a date and in a time. */
const DIGITS: Readonly<Record<number, string>> = { 2: "01", 4: "2000" };

function listNumbers(value: number, schemas: readonly Schema[]): number[] {
  const limits = schemas.flatMap((each) =>
    ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"].flatMap((name) => {
      const limit = each[name];
      return typeof limit === "number" ? [limit, limit + 1, limit - 1] : [];
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
