const LONE_SURROGATE = /\p{Surrogate}/u;

/** Percent-encodes a text, or gives undefined where it is not well-formed Unicode and so has no UTF-8. */
export function encode(text: string): string | undefined {
  return LONE_SURROGATE.test(text) ? undefined : encodeURIComponent(text);
}

/** What a value of a wrong type is, in a message: its kind, never its contents. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : typeof value;
}
