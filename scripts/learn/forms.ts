const DAY = String.raw`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d`;

/** A common string format, such as a date. */
export interface Form {
  pattern: string;
  /** A variant of `pattern` that also accepts an empty string, if this format has one. */
  orEmpty: string | undefined;
  /** The placeholder for strings in this format. */
  placeholder: string;
}

const FORMS: readonly Form[] = [
  { pattern: "^/", orEmpty: undefined, placeholder: "/x.jpg" },
  { pattern: `^${DAY}$`, orEmpty: `^(${DAY})?$`, placeholder: "2020-01-01" },
  { pattern: `^${DAY} ${TIME} UTC$`, orEmpty: undefined, placeholder: "2020-01-01 00:00:00 UTC" },
  {
    pattern: String.raw`^${DAY}T${TIME}(\.\d+)?Z$`,
    orEmpty: undefined,
    placeholder: "2020-01-01T00:00:00.000Z",
  },
];

export function formOf(text: string): Form | undefined {
  return FORMS.find(({ pattern }) => new RegExp(pattern, "u").test(text));
}
