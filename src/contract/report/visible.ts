/**
 * Writes characters that are not seen, or that command a terminal or the order of letters, as `\u{1b}`: what a
 * recording holds must not write the report.
 */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

const ENTITIES = new Map(
  Object.entries({ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" }),
);

/** A text as it stands in HTML or XML, between tags or quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&${ENTITIES.get(character)};`);
}

/** A copy of JSON data with every string replaced. Keys stay. */
export function mapStrings<T>(value: T, replace: (text: string) => string): T {
  if (typeof value === "string") return replace(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => mapStrings(each, replace)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, mapStrings(each, replace)]);
  return Object.fromEntries(entries) as T;
}
