/** Characters that are invisible, or that control a terminal or the text direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/** Escapes invisible characters as `\u{1b}`, because recorded text must not control how the report displays. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`);
}

/** Data as indented JSON. Invisible characters are escaped, so a parser returns the same strings. */
export function visibleJson(data: object): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = JSON.stringify(data, null, 2);
  return `${text.replace(UNSEEN, (each) => each.replace(/[^\n]/g, escape))}\n`;
}

const ENTITIES = new Map(
  Object.entries({ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" }),
);

/** Escapes text for HTML or XML, between tags or quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&${ENTITIES.get(character)};`);
}

/** Copies JSON data with every string replaced. Keeps keys unchanged. */
export function mapStrings<T>(value: T, replace: (text: string) => string): T {
  if (typeof value === "string") return replace(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => mapStrings(each, replace)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, mapStrings(each, replace)]);
  return Object.fromEntries(entries) as T;
}
