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
 * Lists placeholders for a scalar, best first. A placeholder has the type of the value, so that the gate still reports a
 * wrong type. The recorder uses the first placeholder that is valid or invalid for the same reasons as the value.
 * @param schemas the schemas that apply to the value
 * @param ordinal a number for the value, so that different values can have different placeholders
 */
export function listPlaceholders(
  value: Json,
  schemas: readonly Schema[],
  ordinal: number,
): readonly Json[] {
  if (typeof value !== "string" && typeof value !== "number") return [value];
  const constants = schemas.flatMap(constantsIn).filter((each) => typeof each === typeof value);
  const listed =
    typeof value === "string"
      ? listStrings(value, schemas, ordinal)
      : listNumbers(value, schemas, ordinal);
  // A constant of the description reveals nothing, even if it equals the value.
  const others = listed.filter((each) => each !== value || ["", "redacted", 1, 0.5].includes(each));
  return [...new Set([...constants, ...others])];
}

/** Returns the values that a schema lists. */
export function constantsIn(schema: Schema): Json[] {
  const known = schema["x-known-values"] as Json[] | undefined;
  return ["const" in schema ? [schema.const as Json] : [], schema.enum ?? [], known ?? []].flat();
}

function listStrings(value: string, schemas: readonly Schema[], ordinal: number): string[] {
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
    `${redacted}-${ordinal}`,
    ...Object.values(FORMATS),
    "-",
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

function listNumbers(value: number, schemas: readonly Schema[], ordinal: number): number[] {
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
  const common = [1, ...limits, ...steps, 0, -1, 1 + ordinal];
  // An integer must stay an integer, and a fraction must stay a fraction.
  if (Number.isInteger(value)) return common.filter(Number.isInteger);
  return [0.5, ...common.map((each) => each + 0.5), ...common];
}
